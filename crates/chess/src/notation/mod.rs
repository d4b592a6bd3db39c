//! Parsing and writing of UCI and SAN moves.

mod san;
mod uci;

pub use san::San;
pub use uci::UciMove;

use std::fmt;

/// Why a text is not a legal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveError {
    /// Not a move in this notation.
    Syntax,
    /// A move, but not legal in this position.
    Illegal,
    /// More than one legal move matches.
    Ambiguous,
    /// A pawn reaches the last rank without a promotion piece.
    MissingPromotion,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MoveError::Syntax => "invalid move",
            MoveError::Illegal => "illegal move",
            MoveError::Ambiguous => "ambiguous move",
            MoveError::MissingPromotion => "missing promotion piece",
        })
    }
}

impl std::error::Error for MoveError {}
