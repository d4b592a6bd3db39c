//! Which move to try first: experience with moves, and the picker that hands them out.

pub mod correction;
pub mod history;
pub mod killers;
pub mod picker;

pub use correction::{Corrections, Features};
pub use history::{Before, Histories, PieceTo};
pub use killers::Killers;
pub use picker::{Picker, ScoredMoves};
