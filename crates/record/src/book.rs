//! Opening books: start positions and lines from EPD and PGN files, handed out in order or shuffled.

use std::fmt;
use std::path::{Path, PathBuf};

use chess::{Epd, Move, Position};

use crate::pgn::{PgnGame, PgnReader};

/// How a game begins: a position and moves already played.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Where it starts.
    pub start: Position,
    /// Moves played by the book.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The standard position.
    pub fn standard() -> Self {
        Self { start: Position::startpos(), moves: Vec::new() }
    }
}

/// The format of a book file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// One position a line: EPD or FEN.
    Epd,
    /// Games.
    Pgn,
}

impl BookFormat {
    /// The format that a file's name suggests.
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
    /// The file cannot be read.
    Read(PathBuf, std::io::Error),
    /// It holds no opening.
    Empty(PathBuf),
    /// An opening in it is broken.
    Entry {
        /// Its number, from 1.
        number: usize,
        /// What is wrong.
        reason: String,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "cannot read the book {}: {error}", path.display()),
            Self::Empty(path) => write!(f, "the book {} holds no opening", path.display()),
            Self::Entry { number, reason } => write!(f, "opening {number} of the book: {reason}"),
        }
    }
}

impl std::error::Error for BookError {}

/// A book in memory. Entries stay text until they are asked for: large books load in no time.
#[derive(Clone, Debug)]
pub struct Book {
    entries: Entries,
}

#[derive(Clone, Debug)]
enum Entries {
    Positions(Vec<String>),
    Games(Vec<PgnGame>, usize),
}

impl Book {
    /// Reads a file; lines of a PGN book are cut after `plies` half moves.
    ///
    /// # Errors
    /// The file cannot be read, or holds nothing.
    pub fn load(path: &Path, format: BookFormat, plies: usize) -> Result<Self, BookError> {
        let bytes = std::fs::read(path).map_err(|error| BookError::Read(path.to_owned(), error))?;
        let text = String::from_utf8_lossy(&bytes);
        let book = Self::from_text(&text, format, plies);
        if book.is_empty() { Err(BookError::Empty(path.to_owned())) } else { Ok(book) }
    }

    /// Reads a text.
    pub fn from_text(text: &str, format: BookFormat, plies: usize) -> Self {
        let entries = match format {
            BookFormat::Epd => Entries::Positions(
                text.lines()
                    .map(|line| line.trim_start_matches('\u{feff}').trim())
                    .filter(|line| !line.is_empty() && !line.starts_with('#'))
                    .map(str::to_owned)
                    .collect(),
            ),
            BookFormat::Pgn => Entries::Games(PgnReader::new(text).collect(), plies),
        };
        Self { entries }
    }

    /// Number of openings.
    pub fn len(&self) -> usize {
        match &self.entries {
            Entries::Positions(lines) => lines.len(),
            Entries::Games(games, _) => games.len(),
        }
    }

    /// Whether there is no opening.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One opening.
    ///
    /// # Errors
    /// It is not valid, or there is none of that index.
    pub fn opening(&self, index: usize) -> Result<Opening, BookError> {
        let broken = |reason: String| BookError::Entry { number: index + 1, reason };
        match &self.entries {
            Entries::Positions(lines) => {
                let line = lines.get(index).ok_or_else(|| broken("there is none".to_owned()))?;
                let start = line.parse::<Epd>().map_err(|error| broken(error.to_string()))?.position;
                Ok(Opening { start, moves: Vec::new() })
            }
            Entries::Games(games, plies) => {
                let game = games.get(index).ok_or_else(|| broken("there is none".to_owned()))?;
                let (start, moves) = game.replay(*plies).map_err(|error| broken(error.to_string()))?;
                Ok(Opening { start, moves })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_as_fen_and_as_epd() {
        let text = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 7; id \"x\";\n\n\
                    # remark\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 9\r\nnonsense\n";
        let book = Book::from_text(text, BookFormat::Epd, usize::MAX);
        assert_eq!(book.len(), 3);
        assert_eq!(book.opening(0).expect("valid").start.turn(), chess::Color::Black);
        assert_eq!(book.opening(1).expect("valid").start.fullmove_number(), 9);
        assert!(matches!(book.opening(2), Err(BookError::Entry { number: 3, .. })));
        assert!(book.opening(3).is_err());
    }

    #[test]
    fn lines_of_a_game_book_are_cut() {
        let book = Book::from_text("1. e4 e5 2. Nf3 * 1. d4 *", BookFormat::Pgn, 2);
        assert_eq!(book.len(), 2);
        assert_eq!(book.opening(0).expect("valid").moves.len(), 2);
        assert_eq!(book.opening(1).expect("valid").moves.len(), 1);
    }

    #[test]
    fn the_name_of_a_file_tells_its_format() {
        assert_eq!(BookFormat::of_path(Path::new("a/UHO.EPD")), Some(BookFormat::Epd));
        assert_eq!(BookFormat::of_path(Path::new("8moves.pgn")), Some(BookFormat::Pgn));
        assert_eq!(BookFormat::of_path(Path::new("x.bin")), None);
    }
}
