//! Errors in packed games.

use chess::FenError;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PackedError {
    /// The first position cannot be read.
    Board(&'static str),
    /// The first position breaks the rules of chess.
    Position(FenError),
    /// The result is none of the three.
    Result(u8),
    /// A move is not legal where it is played.
    Move {
        /// How many moves of the game were good.
        ply: usize,
        /// The move's code.
        code: u16,
    },
    /// The file ends within the game.
    Truncated,
}

impl fmt::Display for PackedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackedError::Board(what) => write!(f, "invalid position: {what}"),
            PackedError::Position(error) => write!(f, "invalid position: {error}"),
            PackedError::Result(code) => write!(f, "invalid result: {code}"),
            PackedError::Move { ply, code } => write!(f, "illegal move {} ({code:#06x})", ply + 1),
            PackedError::Truncated => f.write_str("truncated game"),
        }
    }
}

impl std::error::Error for PackedError {}
