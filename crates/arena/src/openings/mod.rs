//! Opening books made from nothing: random moves, kept when a search calls the position balanced enough.
//! `vedette openings` is its face; the book inside the program was made by it.

mod generator;
mod player_scorer;
mod source;

use std::collections::HashSet;

use chess::Position;
use record::book::{Book, BookFormat};

pub use generator::{GeneratorConfig, GeneratorStats, Scorer, Variant};
pub use player_scorer::PlayerScorer;
pub use source::{OpeningSource, OpeningsError};

/// The book inside the program, made by `vedette openings` (how: `docs/arena.md`).
pub fn default_book() -> Book {
    Book::from_text(include_str!("../../data/openings.epd"), BookFormat::Epd, usize::MAX)
}

/// How many start positions Chess960 has.
pub const CHESS960_POSITIONS: u16 = 960;

/// The start positions of Chess960 as a book, in Scharnagl's order.
pub fn chess960_book() -> Book {
    let positions = (0..CHESS960_POSITIONS).filter_map(Position::chess960);
    let lines: Vec<String> = positions.map(|position| position.to_shredder_fen()).collect();
    Book::from_text(&lines.join("\n"), BookFormat::Epd, usize::MAX)
}

/// Remembers positions to keep a book free of doubles, also of ones that differ only in colour.
#[derive(Clone, Debug, Default)]
pub struct SeenPositions(HashSet<u64>);

impl SeenPositions {
    /// True the first time a position, or its mirror image with colours swapped, is shown.
    pub fn is_new(&mut self, position: &Position) -> bool {
        let mirrored = position.color_mirrored();
        self.0.insert(position.key().min(mirrored.key()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_book_is_large_sound_and_free_of_doubles() {
        let book = default_book();
        assert!(book.len() >= 500, "{}", book.len());
        let mut seen = SeenPositions::default();
        for index in 0..book.len() {
            let opening = book.opening(index).expect("valid");
            assert!(opening.start.outcome().is_none() && seen.is_new(&opening.start), "{index}");
        }
    }

    #[test]
    fn the_book_of_chess960_has_all_its_positions() {
        let book = chess960_book();
        assert_eq!(book.len(), 960);
        assert_eq!(book.opening(518).expect("valid").start, Position::startpos());
        assert_eq!(book.opening(0).expect("valid").start, Position::chess960(0).expect("below 960"));
    }

    #[test]
    fn a_position_and_its_colour_mirror_are_one() {
        let mut seen = SeenPositions::default();
        let e4 =
            Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").expect("valid");
        let e5 =
            Position::from_fen("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").expect("valid");
        assert!(seen.is_new(&e4));
        assert!(!seen.is_new(&e5));
        assert!(seen.is_new(&Position::startpos()));
    }
}
