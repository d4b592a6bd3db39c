//! Opening books: start positions and lines from EPD and PGN files, handed out in order or shuffled.

use std::fmt;
use std::path::{Path, PathBuf};

use chess::{Epd, Game, Move, Outcome, Position};

use crate::pgn::{PgnReader, PlacedGame, ReplayError};

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

    /// The position after its moves.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.after(mv))
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
    /// It has no opening of this number.
    Missing {
        /// The file; `None` for a book that is none.
        file: Option<PathBuf>,
        /// The number that was asked for, from 1.
        number: usize,
        /// How many there are.
        held: usize,
    },
    /// An opening in it is broken, or no game can be played from it.
    Entry {
        /// The file; `None` for a book that is none.
        file: Option<PathBuf>,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "cannot read the book {}: {error}", path.display()),
            Self::Empty(path) => write!(f, "the book {} holds no opening", path.display()),
            Self::Missing { file, number, held } => {
                write!(f, "{} has no opening {number}: it holds {held}", name_of(file.as_deref()))
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

/// A book in memory. Entries stay text until they are asked for: large books load in no time.
#[derive(Clone, Debug)]
pub struct Book {
    file: Option<PathBuf>,
    entries: Entries,
}

#[derive(Clone, Debug)]
enum Entries {
    /// Lines, each with its number.
    Positions(Vec<(usize, String)>),
    /// Games, and how many half moves of them are used.
    Games(Vec<PlacedGame>, usize),
}

impl Book {
    /// Reads a file; lines of a PGN book are cut after `plies` half moves.
    ///
    /// # Errors
    /// The file cannot be read, or holds nothing.
    pub fn load(path: &Path, format: BookFormat, plies: usize) -> Result<Self, BookError> {
        let bytes = std::fs::read(path).map_err(|error| BookError::Read(path.to_owned(), error))?;
        let text = String::from_utf8_lossy(&bytes);
        let book = Self { file: Some(path.to_owned()), ..Self::from_text(&text, format, plies) };
        if book.is_empty() { Err(BookError::Empty(path.to_owned())) } else { Ok(book) }
    }

    /// Reads a text.
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
    /// It is not valid, or no game can be played from it, or there is none of that index.
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

    /// The error that there is no opening of this number, counted from 1.
    pub fn missing(&self, number: usize) -> BookError {
        BookError::Missing { file: self.file.clone(), number, held: self.len() }
    }

    /// Looks at every opening: one that is broken should be known before the games begin.
    ///
    /// # Errors
    /// The first opening that is not valid, or from which no game can be played.
    pub fn check(&self) -> Result<(), BookError> {
        (0..self.len()).try_for_each(|index| self.opening(index).map(drop))
    }
}

fn read_position(line: &str) -> Result<Opening, String> {
    let start = line.parse::<Epd>().map_err(|error| error.to_string())?.position;
    start.outcome().map_or(Ok(Opening { start, moves: Vec::new() }), |outcome| Err(is_over(outcome)))
}

/// The opening of a game, or what is wrong with it on which line. What comes after the part that is used may be wrong.
fn read_game(placed: &PlacedGame, plies: usize) -> Result<Opening, (usize, String)> {
    let line_of = |ply: usize| placed.move_lines.get(ply).copied().unwrap_or(placed.line);
    let used_up_to = plies.checked_sub(1).and_then(|last| placed.move_lines.get(last).copied());
    let complaint =
        placed.complaints.iter().find(|complaint| used_up_to.is_none_or(|end| complaint.line <= end));
    if let Some(complaint) = complaint {
        return Err((complaint.line, complaint.what.clone()));
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
    format!("the game is already over there: {outcome}")
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
        assert!(matches!(book.opening(2), Err(BookError::Entry { line: 5, .. })));
        assert!(matches!(book.opening(3), Err(BookError::Missing { number: 4, held: 3, .. })));
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

    fn complaint(text: &str, format: BookFormat, plies: usize) -> String {
        Book::from_text(text, format, plies).check().expect_err(text).to_string()
    }

    #[test]
    fn a_broken_opening_is_named_by_its_line() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let said = complaint(&format!("# two\n{start}\n\nnonsense\n{start}\n"), BookFormat::Epd, usize::MAX);
        assert!(said.starts_with("the book, line 4: "), "{said}");
        let said = complaint("1. e4 e5 *\n\n1. d4\nd5 2. Ke8 *\n", BookFormat::Pgn, usize::MAX);
        assert!(said.starts_with("the book, line 4: move 2. Ke8"), "{said}");
        let said = complaint("1. e4 *\n1. e4 &&& e5 *\n", BookFormat::Pgn, usize::MAX);
        assert!(said.starts_with("the book, line 2: "), "{said}");
    }

    #[test]
    fn what_stands_behind_the_used_moves_may_be_broken() {
        let text = "1. e4\ne5 2. Ke8 ) *\n";
        assert!(Book::from_text(text, BookFormat::Pgn, 1).check().is_ok());
        assert!(Book::from_text(text, BookFormat::Pgn, 3).check().is_err());
    }

    #[test]
    fn a_game_that_is_over_is_no_opening() {
        let said = complaint("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", BookFormat::Epd, usize::MAX);
        assert!(said.ends_with("already over there: 1/2-1/2 (stalemate)"), "{said}");
        let said = complaint("1. f3 e5 2. g4\nQh4# 0-1", BookFormat::Pgn, usize::MAX);
        assert_eq!(said, "the book, line 2: the game is already over there: 0-1 (checkmate)");
        assert!(Book::from_text("1. f3 e5 2. g4 Qh4# 0-1", BookFormat::Pgn, 3).check().is_ok());
    }
}
