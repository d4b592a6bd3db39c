//! What the arena needs of tablebases: a trait, so that games can be ended by any prober.

use chess::{Color, Position};

/// Something that knows the result of simple positions.
pub trait Tablebase: Send + Sync {
    /// `Some(Some(winner))`, `Some(None)` for a draw, `None` when the position is not known.
    #[allow(clippy::option_option, reason = "unknown, drawn and won are three different answers")]
    fn probe(&self, position: &Position) -> Option<Option<Color>>;
}
