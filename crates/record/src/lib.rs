//! What games leave behind: PGN, opening books and packed training games.

pub mod book;
pub mod packed;
pub mod pgn;
mod pgn_reader;
