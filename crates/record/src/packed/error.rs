//! Errors in packed games.

use chess::FenError;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PackedError {
    /// The start position is malformed.
    Board(&'static str),
    /// The start position is illegal.
    Position(FenError),
    Result(u8),
    /// A move is illegal.
    Move {
        /// The number of legal moves before it.
        ply: usize,
        /// The move's code.
        code: u16,
    },
    /// A record of another format is invalid.
    Record(String),
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
            PackedError::Record(reason) => f.write_str(reason),
            PackedError::Truncated => f.write_str("truncated game"),
        }
    }
}

impl std::error::Error for PackedError {}
