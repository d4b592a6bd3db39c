//! Opening books: the built-in one, the openings of a match, and a generator that plays random moves and keeps positions
//! with a balanced score.

mod generator;
mod mersenne;
mod player_scorer;
mod source;

use std::collections::HashSet;

use chess::Position;
use record::book::{Book, BookFormat};

pub use generator::{GeneratorConfig, GeneratorStats, Scorer, Variant};
pub use player_scorer::PlayerScorer;
pub use source::{OpeningSource, OpeningsError};

/// The built-in book, made by `vedette openings` (see `docs/arena.md`).
pub fn default_book() -> Book {
    Book::from_text(include_str!("../../data/openings.epd"), BookFormat::Epd, usize::MAX)
}

pub const CHESS960_POSITIONS: u16 = 960;

/// The 960 starting positions as a book, in Scharnagl's order.
pub fn chess960_book() -> Book {
    let positions = (0..CHESS960_POSITIONS).filter_map(Position::chess960);
    let lines: Vec<String> = positions.map(|position| position.to_shredder_fen()).collect();
    Book::from_text(&lines.join("\n"), BookFormat::Epd, usize::MAX)
}

/// Detects duplicate positions, including mirror images with colours swapped.
#[derive(Clone, Debug, Default)]
pub struct SeenPositions(HashSet<u64>);

impl SeenPositions {
    /// True the first time a position or its mirror image is seen.
    pub fn insert(&mut self, position: &Position) -> bool {
        let mirrored = position.color_mirrored();
        self.0.insert(position.key().min(mirrored.key()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_book_is_valid_without_duplicates() {
        let book = default_book();
        assert!(book.len() >= 500, "{}", book.len());
        let mut seen = SeenPositions::default();
        for index in 0..book.len() {
            let opening = book.opening(index).expect("valid");
            assert!(opening.start.outcome().is_none() && seen.insert(&opening.start), "{index}");
        }
    }

    #[test]
    fn chess960_book_is_complete() {
        let book = chess960_book();
        assert_eq!(book.len(), 960);
        assert_eq!(book.opening(518).expect("valid").start, Position::startpos());
        assert_eq!(book.opening(0).expect("valid").start, Position::chess960(0).expect("below 960"));
    }

    #[test]
    fn mirrored_position_is_a_duplicate() {
        let mut seen = SeenPositions::default();
        let e4 =
            Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").expect("valid");
        let e5 =
            Position::from_fen("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").expect("valid");
        assert!(seen.insert(&e4));
        assert!(!seen.insert(&e5));
        assert!(seen.insert(&Position::startpos()));
    }
}
