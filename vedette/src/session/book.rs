//! The session's own opening book: `OwnBook`, `BookFile`, `BookDepth`, `BookBest`.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;

use chess::{Game, Move};
use engine::Limits;
use record::polyglot::{PolyglotBook, PolyglotError};
use support::random::Random;

/// The most moves for which the book is used.
pub const BOOK_DEPTH: std::ops::RangeInclusive<i64> = 1..=255;

pub struct OwnBook {
    pub is_on: bool,
    pub depth: u32,
    /// Always the move with the greatest weight.
    pub best: bool,
    book: Option<PolyglotBook>,
    random: Random,
}

impl Default for OwnBook {
    fn default() -> OwnBook {
        // Another seed for every session, so that games differ.
        let random = Random::new(RandomState::new().build_hasher().finish());
        OwnBook { is_on: false, depth: *BOOK_DEPTH.end() as u32, best: false, book: None, random }
    }
}

impl OwnBook {
    /// Opens another book, or closes it if the path is empty. The result is a note.
    ///
    /// # Errors
    /// The file is not a book; the old one stays.
    pub fn open(&mut self, path: &str) -> Result<Option<String>, PolyglotError> {
        if path.is_empty() {
            self.book = None;
            return Ok(None);
        }
        let book = PolyglotBook::load(Path::new(path))?;
        let unused = if self.is_on { "" } else { "; unused until OwnBook is true" };
        let note = format!("book with {} moves in {} positions{unused}", book.len(), book.positions());
        self.book = Some(book);
        Ok(Some(note))
    }

    /// The move to play without a search, and its weight. Analysis is never answered by the book.
    pub fn choose(&mut self, game: &Game, limits: &Limits) -> Option<(Move, u16)> {
        let Limits { infinite, ponder, .. } = *limits;
        let is_analysis = infinite || ponder || limits.mate.is_some() || !limits.search_moves.is_empty();
        let is_late = game.position().fullmove_number() > self.depth;
        let book = self.book.as_ref().filter(|_| self.is_on && !is_analysis && !is_late)?;
        let random = (!self.best).then(|| self.random.unit());
        let chosen = book.choose(game.position(), random)?;
        Some((chosen.mv, chosen.weight))
    }
}
