//! What games leave behind: PGN, opening books and packed training games; and how the rooms above write their files.

pub mod book;
pub mod files;
pub mod packed;
pub mod pgn;
mod pgn_reader;
