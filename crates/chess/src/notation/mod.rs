//! Moves as text: the notation of UCI and standard algebraic notation, both ways.

mod san;
mod uci;

pub use san::San;
pub use uci::UciMove;

use std::fmt;

/// Why a text is not a move here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveError {
    /// The text is not a move in this notation at all.
    Syntax,
    /// The text is a move, but not a legal one here.
    Illegal,
    /// More than one legal move fits.
    Ambiguous,
    /// A pawn reaches the last rank without a promotion piece.
    MissingPromotion,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MoveError::Syntax => "not a move",
            MoveError::Illegal => "not a legal move here",
            MoveError::Ambiguous => "more than one move fits",
            MoveError::MissingPromotion => "the piece to promote to is missing",
        })
    }
}

impl std::error::Error for MoveError {}
