//! Move ordering: histories, killers, and the staged move picker.

pub mod correction;
pub mod history;
pub mod killers;
pub mod picker;
pub mod threats;

pub use correction::{Corrections, Features};
pub use history::{Before, Histories, PieceTo, QuietPlace};
pub use killers::Killers;
pub use picker::{Picker, ScoredMoves};
pub use threats::Threats;
