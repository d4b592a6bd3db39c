//! Samples from packed games, PGN or text files.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use chess::{Color, Position};
use record::dataset::Lines;
use record::packed::{Damage, Filter, GameReader};
use record::pgn::{GameResult, PgnGame, ReplayError, for_each_game};

use super::sample::{SampleError, TuningPosition, is_quiet};

/// Plies of the opening of a PGN game, which are skipped.
const OPENING_PLIES: usize = 12;

/// Packed games: quiet positions that are not decided, in centipawns.
const MAX_SCORE: u16 = 1200;

/// Why a file cannot be used.
#[derive(Debug)]
pub enum SourceError {
    Read(PathBuf, io::Error),
    Line(PathBuf, usize, SampleError),
    Game(PathBuf, usize, ReplayError),
    /// A damaged file of packed games.
    Damaged(PathBuf, Damage),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Line(path, line, error) => write!(f, "{}, line {line}: {error}", path.display()),
            Self::Game(path, game, error) => write!(f, "{}, game {game}: {error}", path.display()),
            Self::Damaged(path, damage) => {
                write!(f, "{}: damaged at byte {}: {}", path.display(), damage.offset, damage.fault)
            }
        }
    }
}

impl std::error::Error for SourceError {}

/// Passes the samples of a file to `take`, in order: of the games in a `.vd` or `.pgn`, of the lines in any other. Positions
/// with a bare king are skipped: they show who can mate, not what a piece is worth.
///
/// # Errors
/// If the file cannot be read or is invalid.
pub fn read(path: &Path, mut take: impl FnMut(TuningPosition)) -> Result<(), SourceError> {
    let mut take = |sample: TuningPosition| {
        if !has_bare_king(&sample.position) {
            take(sample);
        }
    };
    let unreadable = |error| SourceError::Read(path.to_owned(), error);
    let is = |format| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(format));
    if is("vd") {
        return from_packed_games(path, take);
    }
    if is("pgn") {
        return from_pgn(path, take);
    }
    let mut lines = Lines::new(File::open(path).map_err(unreadable)?);
    while let Some(line) = lines.next_line().map_err(unreadable)? {
        if !line.is_empty() {
            let number = lines.number as usize;
            take(line.parse().map_err(|error| SourceError::Line(path.to_owned(), number, error))?);
        }
    }
    Ok(())
}

fn from_pgn(path: &Path, mut take: impl FnMut(TuningPosition)) -> Result<(), SourceError> {
    let (mut number, mut failure) = (0, None);
    let read = for_each_game(path, |game, _| {
        number += 1;
        failure = from_game(game, &mut take).err();
        failure.is_none()
    });
    read.map_err(|error| SourceError::Read(path.to_owned(), error))?;
    failure.map_or(Ok(()), |error| Err(SourceError::Game(path.to_owned(), number, error)))
}

fn from_packed_games(path: &Path, mut take: impl FnMut(TuningPosition)) -> Result<(), SourceError> {
    let unreadable = |error| SourceError::Read(path.to_owned(), error);
    let filter = Filter { max_score: MAX_SCORE, ..Filter::default() };
    let mut games = GameReader::new(File::open(path).map_err(unreadable)?);
    while let Some(game) = games.next_game().map_err(unreadable)? {
        for sample in game.positions().filter(|sample| filter.keeps(sample)) {
            take(TuningPosition {
                position: sample.position,
                score: Some(sample.score.into()),
                result: sample.result.into(),
            });
        }
    }
    games.damage().first().map_or(Ok(()), |damage| Err(SourceError::Damaged(path.to_owned(), damage.clone())))
}

fn has_bare_king(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| !position.colored(color).more_than_one())
}

/// The quiet positions of a finished game after its opening; the played move counts as the best one.
fn from_game(game: &PgnGame, take: &mut impl FnMut(TuningPosition)) -> Result<(), ReplayError> {
    if game.result == GameResult::Unknown {
        return Ok(());
    }
    let (mut position, moves) = game.replay(usize::MAX)?;
    for (ply, &mv) in moves.iter().enumerate() {
        if ply >= OPENING_PLIES && is_quiet(&position, mv) {
            take(TuningPosition { position, score: None, result: game.result });
        }
        position = position.after(mv);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    use record::packed::{PackedGame, PackedResult};
    use record::pgn::PgnReader;

    #[test]
    fn quiet_positions_after_opening_are_kept() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. Nbd2 a6 8. Bb3 Ba7 9. h3 h6 \
                    10. Re1 Be6 11. Bxe6 fxe6 12. a4 1-0\n";
        let game = PgnReader::new(text).next().unwrap();
        let mut samples = Vec::new();
        from_game(&game, &mut |sample| samples.push(sample)).unwrap();
        // Plies 12 to 22 without the two captures.
        assert_eq!(samples.len(), 11 - 2);
        assert!(samples.iter().all(|sample| sample.result == GameResult::WhiteWins));
    }

    #[test]
    fn packed_games_are_read() {
        let start =
            Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 20").expect("valid");
        let (mut position, mut moves) = (start, Vec::new());
        for (text, score) in [("e2e4", 30), ("e7e5", 25), ("g1f3", 30), ("b8c6", 20), ("f1b5", 2000)] {
            let mv = position.parse_uci(text).expect("legal");
            moves.push((mv, score));
            position = position.after(mv);
        }
        let mut bytes = Vec::new();
        PackedGame { start, result: PackedResult::WhiteWins, moves }.pack_into(&mut bytes);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.vd");
        fs::write(&path, &bytes).expect("written");
        let mut samples = Vec::new();
        read(&path, |sample| samples.push(sample)).expect("readable");
        // Without the decided position.
        assert_eq!(samples.iter().map(|sample| sample.score).collect::<Vec<_>>(), [30, 25, 30, 20].map(Some));
        assert!(samples.iter().all(|sample| sample.result == GameResult::WhiteWins));
        fs::write(&path, &bytes[1..]).expect("written");
        assert!(matches!(read(&path, |_| {}), Err(SourceError::Damaged(..))));
    }

    #[test]
    fn bare_king_positions_are_skipped() {
        let bare = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        let fight = Position::from_fen("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        assert!(has_bare_king(&bare) && !has_bare_king(&fight));
    }

    #[test]
    fn unfinished_game_has_no_samples() {
        let game = PgnReader::new("1. e4 e5 *").next().unwrap();
        let mut count = 0;
        from_game(&game, &mut |_| count += 1).unwrap();
        assert_eq!(count, 0);
    }
}
