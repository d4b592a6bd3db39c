//! Training games without an engine: random moves, with material as score.
#![allow(dead_code, reason = "each test uses a part of it")]

use chess::{Color, Position, Role};
use record::packed::{Filter, GameWriter, PackedGame, PackedResult};
use std::fs;
use std::path::Path;
use train::{Example, random};

/// White's material less Black's, in centipawns.
pub fn material(position: &Position) -> i32 {
    let values =
        [(Role::Pawn, 100), (Role::Knight, 300), (Role::Bishop, 300), (Role::Rook, 500), (Role::Queen, 900)];
    let of = |color| -> i32 {
        values.iter().map(|&(role, value)| position.count(color, role) as i32 * value).sum()
    };
    of(Color::White) - of(Color::Black)
}

/// A game of random moves.
pub fn random_game(seed: u64) -> PackedGame {
    const PLIES: u64 = 120;
    let start = Position::startpos();
    let mut position = start;
    let mut moves = Vec::new();
    for ply in 0..PLIES {
        let legal: Vec<_> = position.legal_moves().into_iter().collect();
        if legal.is_empty() {
            break;
        }
        let mv = legal[(random::unit(seed, ply) * legal.len() as f64) as usize];
        moves.push((mv, material(&position) as i16));
        position.play(mv);
    }
    let result = match material(&position) {
        300.. => PackedResult::WhiteWins,
        -299..300 => PackedResult::Draw,
        _ => PackedResult::BlackWins,
    };
    PackedGame { start, result, moves }
}

/// Writes games of random moves to a file.
pub fn write_games(path: &Path, seeds: std::ops::Range<u64>) {
    let mut writer = GameWriter::new(fs::File::create(path).unwrap());
    seeds.for_each(|seed| writer.write(&random_game(seed)).unwrap());
    writer.into_inner();
}

/// Examples from games of random moves.
pub fn examples(count: usize) -> Vec<Example> {
    let filter = Filter { min_ply: 4, ..Filter::default() };
    (0..)
        .map(random_game)
        .flat_map(|game| game.positions().collect::<Vec<_>>())
        .filter(|sample| filter.keeps(sample))
        .map(|sample| Example::new(&sample))
        .take(count)
        .collect()
}
