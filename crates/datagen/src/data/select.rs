//! Selects whole games. Positions are filtered when games are read ([`record::packed::Filter`]).

use std::path::{Path, PathBuf};

use record::packed::{GameWriter, PackedGame, PackedResult};
use support::files::NewFile;

use super::audit::Distinct;
use super::source::{self, ReadSummary};
use super::{DataError, audit};

/// Which games to keep. All conditions must hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// Minimum length in plies.
    pub min_plies: usize,
    /// Maximum length in plies.
    pub max_plies: usize,
    pub results: Vec<PackedResult>,
    /// Whether to keep standard games.
    pub standard: bool,
    /// Whether to keep Chess960 games.
    pub chess960: bool,
    /// Games with a larger first score, for either side, are dropped.
    pub max_first_score: u16,
    /// Drop duplicate games.
    pub unique: bool,
}

impl Default for Choice {
    /// Everything.
    fn default() -> Choice {
        Choice {
            min_plies: 0,
            max_plies: usize::MAX,
            results: PackedResult::ALL.to_vec(),
            standard: true,
            chess960: true,
            max_first_score: u16::MAX,
            unique: false,
        }
    }
}

impl Choice {
    /// Whether to keep a game; `seen` has the games before it.
    fn wants(&self, game: &PackedGame, seen: &mut Distinct) -> bool {
        let first_score = game.moves.first().map_or(0, |(_, score)| score.unsigned_abs());
        (self.min_plies..=self.max_plies).contains(&game.moves.len())
            && self.results.contains(&game.result)
            && (if audit::is_chess960(game) { self.chess960 } else { self.standard })
            && first_score <= self.max_first_score
            && !(self.unique && seen.add(audit::key_of(game)))
    }
}

/// Writes the selected games of the files and returns their number.
///
/// # Errors
/// If a file cannot be read or written.
pub fn select(
    paths: &[PathBuf],
    out: &Path,
    choice: &Choice,
    mut progress: impl FnMut(f64),
) -> Result<(ReadSummary, u64), DataError> {
    let named = DataError::at(out);
    let mut writer = GameWriter::new(NewFile::create(out).map_err(&named)?);
    // Stores every game: a missed duplicate is worse than memory.
    let mut seen = Distinct::new(usize::MAX);
    let mut kept = 0;
    let reading = source::read(paths, |game, done| {
        progress(done);
        if !choice.wants(&game, &mut seen) {
            return Ok(());
        }
        kept += 1;
        writer.write(&game).map_err(&named)
    })?;
    writer.into_inner().finish().map_err(&named)?;
    Ok((reading, kept))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn game(start: Position, moves: &[&str], result: PackedResult) -> PackedGame {
        let mut position = start;
        let moves = moves.iter().map(|mv| {
            let mv = position.parse_uci(mv).unwrap();
            position.play(mv);
            (mv, -70)
        });
        PackedGame { start, result, moves: moves.collect() }
    }

    #[test]
    fn each_condition_filters() {
        let standard = game(Position::startpos(), &["e2e4", "e7e5"], PackedResult::WhiteWins);
        let other = game(Position::chess960(0).unwrap(), &["e2e4"], PackedResult::Draw);
        let kept = |choice: Choice| {
            let mut seen = Distinct::new(usize::MAX);
            [&standard, &other, &standard].map(|game| choice.wants(game, &mut seen))
        };
        let all = Choice::default();
        assert_eq!(kept(all.clone()), [true, true, true]);
        assert_eq!(kept(Choice { min_plies: 2, ..all.clone() }), [true, false, true]);
        assert_eq!(kept(Choice { max_plies: 1, ..all.clone() }), [false, true, false]);
        assert_eq!(kept(Choice { results: vec![PackedResult::Draw], ..all.clone() }), [false, true, false]);
        assert_eq!(kept(Choice { standard: false, ..all.clone() }), [false, true, false]);
        assert_eq!(kept(Choice { chess960: false, ..all.clone() }), [true, false, true]);
        assert_eq!(kept(Choice { max_first_score: 69, ..all.clone() }), [false, false, false]);
        assert_eq!(kept(Choice { unique: true, ..all }), [true, true, false]);
    }
}
