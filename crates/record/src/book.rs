//! Opening books in EPD, PGN and Polyglot's format. Files may be compressed (`.gz`, `.zip`).

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};

use chess::{Epd, Game, Move, Outcome, Position};

use crate::pgn::{PgnReader, PlacedGame, ReplayError};
use crate::polyglot::PolyglotBook;
use crate::unpack;

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
    Polyglot,
}

impl BookFormat {
    /// The format by the extension of a file; `.gz` and `.zip` are looked through.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "epd" | "fen" | "txt" => Some(Self::Epd),
            "pgn" => Some(Self::Pgn),
            "bin" => Some(Self::Polyglot),
            "gz" | "zip" => Self::of_path(&path.with_extension("")),
            _ => None,
        }
    }
}

/// Why a book cannot be used.
#[derive(Debug)]
pub enum BookError {
    Read(PathBuf, std::io::Error),
    /// Not a book in the Polyglot format, and why.
    Polyglot(PathBuf, String),
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
            Self::Polyglot(path, reason) => write!(f, "{} is not a Polyglot book: {reason}", path.display()),
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
    /// Moves from the starting position.
    Lines(Vec<Vec<Move>>),
}

impl Book {
    /// Reads a file; `plies` limits the lines of a PGN or Polyglot book. A known extension of the file, or of that in a
    /// compressed one, sets the format; otherwise it is `format`.
    ///
    /// # Errors
    /// The file cannot be read or is empty.
    pub fn load(path: &Path, format: BookFormat, plies: usize) -> Result<Self, BookError> {
        let is_book = |name: &Path| BookFormat::of_path(name).is_some();
        let (bytes, name) =
            unpack::read(path, is_book).map_err(|error| BookError::Read(path.to_owned(), error))?;
        let inside = BookFormat::of_path(&name).filter(|_| name != path);
        let is_polyglot = BookFormat::of_path(&name) == Some(BookFormat::Polyglot);
        let format = if is_polyglot { BookFormat::Polyglot } else { inside.unwrap_or(format) };
        let book = if format == BookFormat::Polyglot {
            let lines = polyglot_lines(&bytes, plies)
                .map_err(|reason| BookError::Polyglot(path.to_owned(), reason))?;
            Self { file: None, entries: Entries::Lines(lines) }
        } else {
            Self::from_text(&String::from_utf8_lossy(&bytes), format, plies)
        };
        let book = Self { file: Some(path.to_owned()), ..book };
        if book.is_empty() { Err(BookError::Empty(path.to_owned())) } else { Ok(book) }
    }

    /// Reads a book that is text; one of Polyglot is not, and has no openings here.
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
            BookFormat::Polyglot => Entries::Lines(Vec::new()),
        };
        Self { file: None, entries }
    }

    pub fn len(&self) -> usize {
        match &self.entries {
            Entries::Positions(lines) => lines.len(),
            Entries::Games(games, _) => games.len(),
            Entries::Lines(lines) => lines.len(),
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
            Entries::Lines(lines) => {
                let moves = lines.get(index).ok_or_else(missing)?.clone();
                Ok(Opening { start: Position::startpos(), moves })
            }
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

/// The lines of a Polyglot book from the starting position, at most `plies` long. A position that several move orders lead to
/// is in one line only, so there are no more lines than moves in the book.
fn polyglot_lines(bytes: &[u8], plies: usize) -> Result<Vec<Vec<Move>>, String> {
    const ENTRY_BYTES: usize = 16;
    if bytes.is_empty() || !bytes.len().is_multiple_of(ENTRY_BYTES) {
        return Err(format!("{} bytes, expected a multiple of {ENTRY_BYTES}", bytes.len()));
    }
    let book = PolyglotBook::from_bytes(bytes).map_err(|index| format!("entry {index} is not in order"))?;
    let mut lines = Vec::new();
    let mut seen = HashSet::from([Position::startpos().key()]);
    let mut waiting = VecDeque::from([(Position::startpos(), Vec::new())]);
    while let Some((position, line)) = waiting.pop_front() {
        let known = if line.len() < plies { book.moves(&position) } else { Vec::new() };
        let moves: Vec<Move> = known.iter().filter(|known| known.weight > 0).map(|known| known.mv).collect();
        if moves.is_empty() && !line.is_empty() && position.outcome().is_none() {
            lines.push(line);
            continue;
        }
        for mv in moves {
            let next = position.after(mv);
            if seen.insert(next.key()) {
                waiting.push_back((next, line.iter().copied().chain([mv]).collect()));
            }
        }
    }
    Ok(lines)
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
        assert_eq!(BookFormat::of_path(Path::new("x.bin")), Some(BookFormat::Polyglot));
        assert_eq!(BookFormat::of_path(Path::new("UHO_4060_v2.epd.zip")), Some(BookFormat::Epd));
        assert_eq!(BookFormat::of_path(Path::new("8moves.pgn.gz")), Some(BookFormat::Pgn));
        assert_eq!(BookFormat::of_path(Path::new("x.zip")), None);
    }

    #[test]
    fn compressed_books() {
        use std::io::Write;

        let folder = tempfile::tempdir().expect("a folder");
        let pgn = "1. e4 e5 *\n\n1. d4 *\n";
        let gzip = folder.path().join("book.pgn.gz");
        let mut writer = flate2::write::GzEncoder::new(
            std::fs::File::create(&gzip).expect("a file"),
            flate2::Compression::default(),
        );
        writer.write_all(pgn.as_bytes()).and_then(|()| writer.finish().map(drop)).expect("written");
        // The format follows from the name of the file in the archive, not from the archive's.
        let zipped = folder.path().join("book.zip");
        let mut archive = zip::ZipWriter::new(std::fs::File::create(&zipped).expect("a file"));
        for (name, text) in [("readme.md", "no book"), ("inside/book.pgn", pgn)] {
            archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("a file");
            archive.write_all(text.as_bytes()).expect("written");
        }
        archive.finish().expect("written");
        for (path, format) in [(&gzip, BookFormat::Pgn), (&zipped, BookFormat::Epd)] {
            let book = Book::load(path, format, 9).expect("a book");
            assert_eq!(
                (book.len(), book.opening(0).expect("valid").moves.len()),
                (2, 2),
                "{}",
                path.display()
            );
        }
        std::fs::write(&gzip, [0x1f, 0x8b, 8, 0, 1, 2]).expect("written");
        assert!(matches!(Book::load(&gzip, BookFormat::Pgn, 9), Err(BookError::Read(..))));
        std::fs::write(&zipped, b"PK\x03\x04 damaged").expect("written");
        assert!(matches!(Book::load(&zipped, BookFormat::Pgn, 9), Err(BookError::Read(..))));
    }

    /// The entry of a move in a Polyglot book.
    fn entry(position: &Position, uci: &str, weight: u16) -> Vec<u8> {
        let bytes = uci.as_bytes();
        let square = |at: usize| u16::from(bytes[at] - b'a') | u16::from(bytes[at + 1] - b'1') << 3;
        let code = square(2) | square(0) << 6;
        let key = position.polyglot_key().to_be_bytes();
        [&key[..], &code.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    }

    #[test]
    fn polyglot_book() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("book.bin");
        let start = Position::startpos();
        let play = |moves: &str| {
            let play = |position: Position, mv: &str| position.after(position.parse_uci(mv).expect(mv));
            moves.split_whitespace().fold(start, play)
        };
        let mut entries = [
            entry(&start, "g1f3", 9),
            entry(&start, "b1c3", 1),
            entry(&start, "a2a3", 0),
            entry(&play("g1f3"), "g8f6", 1),
            entry(&play("b1c3"), "g8f6", 1),
            entry(&play("g1f3 g8f6"), "b1c3", 1),
            entry(&play("b1c3 g8f6"), "g1f3", 1),
        ];
        entries.sort();
        std::fs::write(&path, entries.concat()).expect("written");
        let lengths = |plies: usize| {
            let book = Book::load(&path, BookFormat::Epd, plies).expect("a book");
            book.check().expect("valid");
            (0..book.len()).map(|index| book.opening(index).expect("valid").moves.len()).collect::<Vec<_>>()
        };
        // Both orders of moves lead to one position.
        assert_eq!((lengths(1), lengths(2), lengths(9)), (vec![1, 1], vec![2, 2], vec![3]));
        std::fs::write(&path, b"no book").expect("written");
        let error = Book::load(&path, BookFormat::Epd, 8).expect_err("text").to_string();
        assert!(error.ends_with("is not a Polyglot book: 7 bytes, expected a multiple of 16"), "{error}");
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
