//! Playing against the engine.

mod game;
mod opponent;
mod task;

pub use task::GameInProgress;
