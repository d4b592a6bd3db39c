//! Repetitions against plain search through the game's past.

use crate::Effort;
use crate::walk::{Random, random_start, scattered};
use chess::{DrawReason, Game, Move, Outcome, Position, has_upcoming_repetition};

proof!(
    upcoming_repetition_matches_trying_every_move,
    repetition_count_matches_comparison,
    undo_takes_back_one_move
);

/// The moves of a player who likes to shuffle: mostly reversible ones, often straight back.
fn shuffling_move(game: &Game, random: &mut Random) -> Option<Move> {
    let position = game.position();
    let moves = position.legal_moves();
    let back = game.moves().iter().rev().nth(1).map(|mv| Move::normal(mv.to(), mv.from()));
    if let Some(back) = back.filter(|&back| random.below(3) == 0 && position.is_legal(back)) {
        return Some(back);
    }
    let quiet: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|&mv| !position.is_noisy(mv) && position.role_at(mv.from()) != Some(chess::Role::Pawn))
        .collect();
    if random.below(12) == 0 || quiet.is_empty() { random.pick(&moves) } else { random.pick(&quiet) }
}

fn for_each_shuffled_game_position(seed: u64, count: usize, mut visit: impl FnMut(&Game, &mut Random)) {
    let mut random = Random::new(seed);
    let mut seen = 0;
    for number in 0.. {
        let start = if number % 2 == 0 { random_start(number, &mut random) } else { scattered(&mut random) };
        let mut game = Game::new(start);
        for _ in 0..60 {
            if seen == count {
                return;
            }
            seen += 1;
            visit(&game, &mut random);
            match shuffling_move(&game, &mut random) {
                Some(mv) => game.play(mv),
                None => break,
            }
        }
    }
}

/// Tries every legal move and searches for the resulting position.
fn upcoming_by_trying(position: &Position, keys: &[u64], since: usize) -> bool {
    let reach = since.min(position.halfmove_clock() as usize).min(keys.len() - 1);
    let past = &keys[keys.len() - 1 - reach..];
    position.legal_moves().into_iter().any(|mv| past.contains(&position.after(mv).key()))
}

fn upcoming_repetition_matches_trying_every_move(effort: Effort) {
    let mut found = 0;
    for_each_shuffled_game_position(9, effort.pick(30_000, 1_000_000), |game, random| {
        let position = game.position();
        for since in [usize::MAX, random.below(12)] {
            let expected = upcoming_by_trying(position, game.keys(), since);
            found += usize::from(expected);
            let found = has_upcoming_repetition(position, game.keys(), since);
            assert_eq!(found, expected, "{position:?} after {:?} within {since}", game.moves());
        }
    });
    assert!(found > 1_000, "only {found} repetitions were met");
}

/// What makes two positions equal for repetition.
fn identity(position: &Position) -> String {
    position.to_fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn repetition_count_matches_comparison(effort: Effort) {
    let mut threefold = 0;
    for_each_shuffled_game_position(10, effort.pick(10_000, 200_000), |game, _| {
        let mut position = *game.start();
        let mut past = vec![identity(&position)];
        for &mv in game.moves() {
            position.play(mv);
            past.push(identity(&position));
        }
        let expected = past.iter().filter(|&earlier| *earlier == identity(game.position())).count();
        assert_eq!(game.repetitions(), expected, "{:?} after {:?}", game.start(), game.moves());
        if expected >= 3 && position.outcome().is_none() {
            threefold += 1;
            assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Threefold)));
        }
    });
    assert!(threefold > 20, "only {threefold} threefold repetitions were met");
}

fn undo_takes_back_one_move(effort: Effort) {
    for_each_shuffled_game_position(11, effort.pick(2_000, 20_000), |game, _| {
        let mut shorter = game.clone();
        let Some(last) = shorter.undo() else { return };
        assert_eq!(Some(&last), game.moves().last());
        assert!(shorter.position().is_legal(last));
        shorter.play(last);
        assert_eq!(shorter.position(), game.position());
        assert_eq!(shorter.keys(), game.keys());
    });
}
