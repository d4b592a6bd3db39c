//! What games leave behind: PGN, opening books, packed training games, how a game ended and when it is adjudicated.

pub mod adjudication;
pub mod book;
pub mod ending;
pub mod packed;
pub mod pgn;
mod pgn_reader;
