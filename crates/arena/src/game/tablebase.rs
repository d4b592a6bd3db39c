//! The interface to tablebases for adjudication.

use chess::{Color, Position};

pub trait Tablebase: Send + Sync {
    /// `Some(Some(winner))`, `Some(None)` for a draw, `None` if the position is not in the tables.
    #[allow(clippy::option_option, reason = "unknown, drawn and won are three results")]
    fn probe(&self, position: &Position) -> Option<Option<Color>>;
}
