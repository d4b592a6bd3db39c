//! Playing against the engine.

mod game;
mod task;

pub use task::GameInProgress;
