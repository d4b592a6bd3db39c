//! Opening books in EPD and PGN.

use std::fmt;
use std::path::{Path, PathBuf};

use chess::{Epd, Game, Move, Outcome, Position};

use crate::pgn::{PgnReader, PlacedGame, ReplayError};

/// A starting position and moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    pub start: Position,
    pub moves: Vec<Move>,
}

impl Opening {
    /// The starting position without moves.
    pub fn standard() -> Self {
        Self { start: Position::startpos(), moves: Vec::new() }
    }

    /// The position after its moves.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.after(mv))
    }
}

/// The format of a book file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// One position per line, EPD or FEN.
    Epd,
    Pgn,
}

impl BookFormat {
    /// The format by the extension of a file.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "epd" | "fen" | "txt" => Some(Self::Epd),
            "pgn" => Some(Self::Pgn),
            _ => None,
        }
    }
}

/// Why a book cannot be used.
#[derive(Debug)]
pub enum BookError {
    Read(PathBuf, std::io::Error),
    Empty(PathBuf),
    Missing {
        /// `None` for a book that is not a file.
        file: Option<PathBuf>,
        /// From 1.
        number: usize,
        /// Openings in the book.
        held: usize,
    },
    /// An opening is invalid, or its game is over.
    Entry {
        /// `None` for a book that is not a file.
        file: Option<PathBuf>,
        /// From 1.
        line: usize,
        reason: String,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "cannot read book {}: {error}", path.display()),
            Self::Empty(path) => write!(f, "book {} is empty", path.display()),
            Self::Missing { file, number, held } => {
                write!(f, "{} has no opening {number}, only {held}", name_of(file.as_deref()))
            }
            Self::Entry { file, line, reason } => {
                write!(f, "{}, line {line}: {reason}", name_of(file.as_deref()))
            }
        }
    }
}

impl std::error::Error for BookError {}

fn name_of(file: Option<&Path>) -> String {
    file.map_or("the book".to_owned(), |file| file.display().to_string())
}

/// A book in memory. Positions are parsed on use, so that large books load fast.
#[derive(Clone, Debug)]
pub struct Book {
    file: Option<PathBuf>,
    entries: Entries,
}

#[derive(Clone, Debug)]
enum Entries {
    /// Line number and text.
    Positions(Vec<(usize, String)>),
    /// Games, and the plies used of each.
    Games(Vec<PlacedGame>, usize),
}

impl Book {
    /// Reads a file; `plies` limits the lines of a PGN book.
    ///
    /// # Errors
    /// The file cannot be read or is empty.
    pub fn load(path: &Path, format: BookFormat, plies: usize) -> Result<Self, BookError> {
        let bytes = std::fs::read(path).map_err(|error| BookError::Read(path.to_owned(), error))?;
        let text = String::from_utf8_lossy(&bytes);
        let book = Self { file: Some(path.to_owned()), ..Self::from_text(&text, format, plies) };
        if book.is_empty() { Err(BookError::Empty(path.to_owned())) } else { Ok(book) }
    }

    pub fn from_text(text: &str, format: BookFormat, plies: usize) -> Self {
        let entries = match format {
            BookFormat::Epd => Entries::Positions(
                text.lines()
                    .map(|line| line.trim_start_matches('\u{feff}').trim())
                    .enumerate()
                    .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
                    .map(|(index, line)| (index + 1, line.to_owned()))
                    .collect(),
            ),
            BookFormat::Pgn => {
                let mut reader = PgnReader::new(text);
                Entries::Games(std::iter::from_fn(|| reader.next_placed()).collect(), plies)
            }
        };
        Self { file: None, entries }
    }

    pub fn len(&self) -> usize {
        match &self.entries {
            Entries::Positions(lines) => lines.len(),
            Entries::Games(games, _) => games.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One opening.
    ///
    /// # Errors
    /// It is invalid, its game is over, or there is no such opening.
    pub fn opening(&self, index: usize) -> Result<Opening, BookError> {
        let missing = || self.missing(index + 1);
        let read = match &self.entries {
            Entries::Positions(lines) => {
                let (line, text) = lines.get(index).ok_or_else(missing)?;
                read_position(text).map_err(|reason| (*line, reason))
            }
            Entries::Games(games, plies) => read_game(games.get(index).ok_or_else(missing)?, *plies),
        };
        read.map_err(|(line, reason)| BookError::Entry { file: self.file.clone(), line, reason })
    }

    /// The error for an opening number (from 1) beyond the end.
    pub fn missing(&self, number: usize) -> BookError {
        BookError::Missing { file: self.file.clone(), number, held: self.len() }
    }

    /// Validates all openings.
    ///
    /// # Errors
    /// The first invalid opening.
    pub fn check(&self) -> Result<(), BookError> {
        (0..self.len()).try_for_each(|index| self.opening(index).map(drop))
    }
}

fn read_position(line: &str) -> Result<Opening, String> {
    let start = line.parse::<Epd>().map_err(|error| error.to_string())?.position;
    start.outcome().map_or(Ok(Opening { start, moves: Vec::new() }), |outcome| Err(is_over(outcome)))
}

/// The opening of a game, or line and reason of the first error. Errors after the used plies do not matter.
fn read_game(placed: &PlacedGame, plies: usize) -> Result<Opening, (usize, String)> {
    let line_of = |ply: usize| placed.move_lines.get(ply).copied().unwrap_or(placed.line);
    let used_up_to = plies.checked_sub(1).and_then(|last| placed.move_lines.get(last).copied());
    let warning = placed.warnings.iter().find(|warning| used_up_to.is_none_or(|end| warning.line <= end));
    if let Some(warning) = warning {
        return Err((warning.line, warning.what.clone()));
    }
    let (start, moves) = placed.game.replay(plies).map_err(|error| match error {
        ReplayError::Move { ply, .. } => (line_of(ply), error.to_string()),
        ReplayError::Start(_) => (placed.line, error.to_string()),
    })?;
    let mut game = Game::new(start);
    for &mv in &moves {
        game.play(mv);
    }
    match game.outcome() {
        Some(outcome) => Err((line_of(moves.len().saturating_sub(1)), is_over(outcome))),
        None => Ok(Opening { start, moves }),
    }
}

fn is_over(outcome: Outcome) -> String {
    format!("the game is over: {outcome}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fen_and_epd() {
        let text = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 7; id \"x\";\n\n\
                    # comment\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 9\r\nnonsense\n";
        let book = Book::from_text(text, BookFormat::Epd, usize::MAX);
        assert_eq!(book.len(), 3);
        assert_eq!(book.opening(0).expect("valid").start.turn(), chess::Color::Black);
        assert_eq!(book.opening(1).expect("valid").start.fullmove_number(), 9);
        assert!(matches!(book.opening(2), Err(BookError::Entry { line: 5, .. })));
        assert!(matches!(book.opening(3), Err(BookError::Missing { number: 4, held: 3, .. })));
    }

    #[test]
    fn plies_limit_pgn_lines() {
        let book = Book::from_text("1. e4 e5 2. Nf3 * 1. d4 *", BookFormat::Pgn, 2);
        assert_eq!(book.len(), 2);
        assert_eq!(book.opening(0).expect("valid").moves.len(), 2);
        assert_eq!(book.opening(1).expect("valid").moves.len(), 1);
    }

    #[test]
    fn format_by_extension() {
        assert_eq!(BookFormat::of_path(Path::new("a/UHO.EPD")), Some(BookFormat::Epd));
        assert_eq!(BookFormat::of_path(Path::new("8moves.pgn")), Some(BookFormat::Pgn));
        assert_eq!(BookFormat::of_path(Path::new("x.bin")), None);
    }

    fn check_error(text: &str, format: BookFormat, plies: usize) -> String {
        Book::from_text(text, format, plies).check().expect_err(text).to_string()
    }

    #[test]
    fn error_has_a_line_number() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let error =
            check_error(&format!("# two\n{start}\n\nnonsense\n{start}\n"), BookFormat::Epd, usize::MAX);
        assert!(error.starts_with("the book, line 4: "), "{error}");
        let error = check_error("1. e4 e5 *\n\n1. d4\nd5 2. Ke8 *\n", BookFormat::Pgn, usize::MAX);
        assert!(error.starts_with("the book, line 4: move 2. Ke8"), "{error}");
        let error = check_error("1. e4 *\n1. e4 &&& e5 *\n", BookFormat::Pgn, usize::MAX);
        assert!(error.starts_with("the book, line 2: "), "{error}");
    }

    #[test]
    fn errors_after_the_used_plies_are_ignored() {
        let text = "1. e4\ne5 2. Ke8 ) *\n";
        assert!(Book::from_text(text, BookFormat::Pgn, 1).check().is_ok());
        assert!(Book::from_text(text, BookFormat::Pgn, 3).check().is_err());
    }

    #[test]
    fn finished_game_is_no_opening() {
        let error = check_error("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", BookFormat::Epd, usize::MAX);
        assert!(error.ends_with("the game is over: 1/2-1/2 (stalemate)"), "{error}");
        let error = check_error("1. f3 e5 2. g4\nQh4# 0-1", BookFormat::Pgn, usize::MAX);
        assert_eq!(error, "the book, line 2: the game is over: 0-1 (checkmate)");
        assert!(Book::from_text("1. f3 e5 2. g4 Qh4# 0-1", BookFormat::Pgn, 3).check().is_ok());
    }
}
