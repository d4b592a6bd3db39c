//! Corrects games by tablebases: results, and the scores of positions that are in the tables.

use std::path::{Path, PathBuf};

use chess::Color;
use record::packed::{GameWriter, PackedGame, PackedResult};
use support::files::NewFile;
use tables::{TableWdl, Tablebases};

use super::DataError;
use super::source::{self, ReadSummary};

/// The score of a position that the tables call won, in centipawns.
const WIN_SCORE: i16 = 10_000;

/// What was corrected.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RescoreCounts {
    pub games: u64,
    /// Games with a position in the tables.
    pub covered: u64,
    /// Games with another result.
    pub results: u64,
    /// Positions with another score.
    pub scores: u64,
}

/// Writes the games of the files with corrected results and scores.
///
/// # Errors
/// If a file cannot be read or written.
pub fn rescore(
    paths: &[PathBuf],
    out: &Path,
    tables: &Tablebases,
    mut progress: impl FnMut(f64),
) -> Result<(ReadSummary, RescoreCounts), DataError> {
    let named = DataError::at(out);
    let mut writer = GameWriter::new(NewFile::create(out).map_err(&named)?);
    let mut corrections = RescoreCounts::default();
    let reading = source::read(paths, |mut game, done| {
        progress(done);
        correct(&mut game, tables, &mut corrections);
        writer.write(&game).map_err(&named)
    })?;
    writer.into_inner().finish().map_err(&named)?;
    Ok((reading, corrections))
}

/// Corrects a game. Its result becomes that of the first position in the tables, with best play from there on: that is
/// what the positions before it should predict.
fn correct(game: &mut PackedGame, tables: &Tablebases, corrections: &mut RescoreCounts) {
    corrections.games += 1;
    let mut first = None;
    let mut position = game.start;
    for (mv, score) in &mut game.moves {
        if tables.covers(&position)
            && let Some(wdl) = tables.probe_with_clock(&position)
        {
            let result = result(wdl, position.turn());
            first.get_or_insert(result);
            let exact = score_of(result, *score);
            corrections.scores += u64::from(exact != *score);
            *score = exact;
        }
        position = position.after(*mv);
    }
    // The last position has no score, but a result.
    if first.is_none() && position.outcome().is_none() {
        first = tables.probe_with_clock(&position).map(|wdl| result(wdl, position.turn()));
    }
    if let Some(first) = first {
        corrections.covered += 1;
        corrections.results += u64::from(first != game.result);
        game.result = first;
    }
}

/// The result for the game, with the fifty-move rule.
fn result(wdl: TableWdl, mover: Color) -> PackedResult {
    match wdl.with_rule(true) {
        TableWdl::Win => PackedResult::win_of(mover),
        TableWdl::Loss => PackedResult::win_of(!mover),
        _ => PackedResult::Draw,
    }
}

/// White's score of a position with a known result. One that is higher already, such as a mate, stays.
fn score_of(result: PackedResult, score: i16) -> i16 {
    match result {
        PackedResult::WhiteWins => score.max(WIN_SCORE),
        PackedResult::Draw => 0,
        PackedResult::BlackWins => score.min(-WIN_SCORE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Move, Position};
    use tables::{Dtz, ProbeError, Prober};

    /// Made-up tables for three pieces: the side with the queen wins in so many plies.
    struct QueenWinsIn(i32);

    impl Prober for QueenWinsIn {
        fn pieces(&self) -> u32 {
            3
        }

        fn wdl(&self, position: &Position) -> Result<TableWdl, ProbeError> {
            self.dtz(position).map(|dtz| dtz.wdl(0).unwrap())
        }

        fn dtz(&self, position: &Position) -> Result<Dtz, ProbeError> {
            let queens = |color| position.pieces(color, chess::Role::Queen).count() as i32;
            let plies = self.0 * (queens(position.turn()) - queens(!position.turn()));
            Ok(Dtz { plies, is_rounded: false })
        }
    }

    /// White takes a rook, and the game goes on for two plies; it was called a draw.
    fn game() -> PackedGame {
        let start = Position::from_fen("8/8/3k4/8/8/8/1r6/KQ6 w - - 0 1").unwrap();
        let mut position = start;
        let moves: Vec<(Move, i16)> = ["b1b2", "d6d5", "b2b4"]
            .iter()
            .map(|text| {
                let mv = position.parse_uci(text).unwrap();
                position = position.after(mv);
                (mv, 50)
            })
            .collect();
        PackedGame { start, result: PackedResult::Draw, moves }
    }

    fn corrected(plies: i32) -> (PackedGame, RescoreCounts) {
        let (mut game, mut corrections) = (game(), RescoreCounts::default());
        correct(&mut game, &Tablebases::with_prober(QueenWinsIn(plies)), &mut corrections);
        (game, corrections)
    }

    #[test]
    fn result_and_scores_follow_the_tables() {
        let (game, corrections) = corrected(20);
        assert_eq!(game.result, PackedResult::WhiteWins);
        let scores: Vec<i16> = game.moves.iter().map(|entry| entry.1).collect();
        assert_eq!(scores, [50, WIN_SCORE, WIN_SCORE]);
        assert_eq!(corrections, RescoreCounts { games: 1, covered: 1, results: 1, scores: 2 });
    }

    #[test]
    fn cursed_win_is_a_draw() {
        let (game, corrections) = corrected(110);
        assert_eq!(game.result, PackedResult::Draw);
        assert_eq!((game.moves[1].1, corrections.results, corrections.scores), (0, 0, 2));
    }

    #[test]
    fn games_outside_of_the_tables_stay() {
        let mut outside = PackedGame { moves: game().moves[..1].to_vec(), ..game() };
        let mut corrections = RescoreCounts::default();
        struct TwoPieces;
        impl Prober for TwoPieces {
            fn pieces(&self) -> u32 {
                2
            }
            fn wdl(&self, _: &Position) -> Result<TableWdl, ProbeError> {
                Err(ProbeError::Missing)
            }
            fn dtz(&self, _: &Position) -> Result<Dtz, ProbeError> {
                Err(ProbeError::Missing)
            }
        }
        let before = outside.clone();
        correct(&mut outside, &Tablebases::with_prober(TwoPieces), &mut corrections);
        assert_eq!((outside, corrections.covered), (before, 0));
    }
}
