//! Openings of a match in the order of play.

use std::fmt;

use record::book::{Book, BookError, BookFormat, Opening};

use super::mersenne::Mersenne;
use crate::config::{MatchConfig, OpeningOrder};
use crate::game::Tablebase;
use crate::openings::{chess960_book, default_book};

/// The opening of each round.
#[derive(Clone, Debug)]
pub struct OpeningSource {
    book: Option<Book>,
    order: Vec<u32>,
    start: usize,
}

/// Why the openings of a match cannot be used.
#[derive(Debug)]
pub enum OpeningsError {
    Book(BookError),
    /// The opening with this number, from 1, has Chess960 castling rights.
    Chess960Castling(usize),
}

impl fmt::Display for OpeningsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Book(error) => error.fmt(f),
            Self::Chess960Castling(number) => {
                write!(f, "opening {number} has Chess960 castling rights; add -variant fischerandom")
            }
        }
    }
}

impl std::error::Error for OpeningsError {}

impl From<BookError> for OpeningsError {
    fn from(error: BookError) -> Self {
        Self::Book(error)
    }
}

impl OpeningSource {
    /// Every game from the starting position.
    pub fn standard() -> Self {
        Self { book: None, order: Vec::new(), start: 0 }
    }

    /// From a book in memory.
    pub fn new(book: Book, order: OpeningOrder, start: usize, seed: u64) -> Self {
        let mut indices: Vec<u32> = (0..book.len() as u32).collect();
        if order == OpeningOrder::Random {
            Mersenne::new(seed).shuffle(&mut indices);
        }
        Self { book: Some(book), order: indices, start: start.saturating_sub(1) }
    }

    /// The openings of a match. Without a file: the built-in book, or the 960 starting positions. A file is checked from
    /// beginning to end, so that a bad line does not end the match later.
    ///
    /// # Errors
    /// The book cannot be read, holds an invalid opening, or has no opening with the number to start with.
    pub fn from_config(config: &MatchConfig) -> Result<Self, OpeningsError> {
        let Some(openings) = &config.openings else { return Ok(Self::standard()) };
        let format = if openings.pgn { BookFormat::Pgn } else { BookFormat::Epd };
        let book = match &openings.file {
            Some(file) => Book::load(file, format, openings.plies.unwrap_or(usize::MAX))?,
            None if config.chess960 => chess960_book(),
            None => default_book(),
        };
        if openings.start > book.len() {
            return Err(book.missing(openings.start).into());
        }
        if openings.file.is_some() {
            book.check()?;
        }
        let source = Self::new(book, openings.order, openings.start, config.seed);
        match source.first_chess960_opening() {
            Some(number) if !config.chess960 => Err(OpeningsError::Chess960Castling(number)),
            _ => Ok(source),
        }
    }

    /// How many openings are in the tablebase: games from them are adjudicated at once.
    pub fn decided_by(&self, tablebase: &dyn Tablebase) -> usize {
        let Some(book) = &self.book else { return 0 };
        let is_known = |opening: &Opening| tablebase.probe(&opening.end()).is_some();
        (0..book.len()).filter(|&index| book.opening(index).is_ok_and(|opening| is_known(&opening))).count()
    }

    /// The number, from 1, of the first opening with Chess960 castling rights: an engine in standard mode would misread them
    /// and lose by illegal moves.
    fn first_chess960_opening(&self) -> Option<usize> {
        let book = self.book.as_ref()?;
        let is_chess960 = |opening: &Opening| !opening.start.has_standard_castling();
        let first =
            (0..book.len()).position(|index| book.opening(index).is_ok_and(|opening| is_chess960(&opening)));
        first.map(|index| index + 1)
    }

    pub fn len(&self) -> usize {
        self.book.as_ref().map_or(1, Book::len)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The opening of a round and its index in the book; wraps around at the end of the book.
    ///
    /// # Errors
    /// The opening is invalid.
    pub fn opening(&self, round: u64) -> Result<(usize, Opening), BookError> {
        let Some(book) = self.book.as_ref().filter(|book| !book.is_empty()) else {
            return Ok((0, Opening::standard()));
        };
        let turn = (self.start as u64 + round) % self.order.len() as u64;
        let index = self.order[turn as usize] as usize;
        Ok((index, book.opening(index)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> Book {
        let moves = ["1. e4 *", "1. d4 *", "1. c4 *", "1. Nf3 *", "1. b3 *"];
        Book::from_text(&moves.join("\n"), BookFormat::Pgn, usize::MAX)
    }

    fn indices(order: OpeningOrder, start: usize, seed: u64) -> Vec<usize> {
        let source = OpeningSource::new(book(), order, start, seed);
        (0..7).map(|round| source.opening(round).expect("valid").0).collect()
    }

    #[test]
    fn order_wraps_around() {
        assert_eq!(indices(OpeningOrder::Sequential, 1, 0), [0, 1, 2, 3, 4, 0, 1]);
        assert_eq!(indices(OpeningOrder::Sequential, 4, 0), [3, 4, 0, 1, 2, 3, 4]);
    }

    #[test]
    fn random_order_depends_on_seed() {
        let one = indices(OpeningOrder::Random, 1, 11);
        assert_eq!(one, indices(OpeningOrder::Random, 1, 11));
        assert_ne!(one, indices(OpeningOrder::Random, 1, 12));
        let mut sorted = one[..5].to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn chess960_castling_is_detected() {
        let standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let gone = "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w - - 0 1";
        let shuffled = "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1";
        let found = |lines: &[&str]| {
            let book = Book::from_text(&lines.join("\n"), BookFormat::Epd, usize::MAX);
            OpeningSource::new(book, OpeningOrder::Sequential, 1, 0).first_chess960_opening()
        };
        assert_eq!(found(&[standard, gone, shuffled, shuffled]), Some(3));
        assert_eq!(found(&[standard, gone]), None);
        assert_eq!(OpeningSource::standard().first_chess960_opening(), None);
    }

    struct ThreePieces;

    impl Tablebase for ThreePieces {
        fn probe(&self, position: &chess::Position) -> Option<Option<chess::Color>> {
            (position.occupied().count() <= 3).then_some(None)
        }
    }

    #[test]
    fn openings_in_tablebases_are_counted() {
        let text = "8/8/8/8/8/k7/8/KQ6 w - - 0 1\n4k3/pppp4/8/8/8/8/4P3/4K3 w - - 0 1";
        let book = Book::from_text(text, BookFormat::Epd, usize::MAX);
        let source = OpeningSource::new(book, OpeningOrder::Sequential, 1, 0);
        assert_eq!(source.decided_by(&ThreePieces), 1);
        assert_eq!(OpeningSource::standard().decided_by(&ThreePieces), 0);
    }
}
