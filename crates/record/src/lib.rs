//! What games leave behind: PGN and opening books.

pub mod book;
pub mod pgn;
mod pgn_reader;
