//! What can be wrong with the bytes of a game.

use chess::FenError;
use std::fmt;

/// Why bytes are not a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
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

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Board(what) => write!(f, "no position: {what}"),
            Fault::Position(error) => write!(f, "no position: {error}"),
            Fault::Result(code) => write!(f, "no result: {code}"),
            Fault::Move { ply, code } => write!(f, "move {} ({code:#06x}) is illegal", ply + 1),
            Fault::Truncated => f.write_str("the file ends within a game"),
        }
    }
}

impl std::error::Error for Fault {}
