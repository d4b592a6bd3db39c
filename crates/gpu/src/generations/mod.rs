//! From random weights to a network on one machine: each stage of a recipe plays games, learns from them where they lie,
//! and keeps the network if a match says so. `vedette gpu loop` is the command.

mod claim;
mod harvest;
mod learn;
mod recipe;
mod report;
mod run;
mod state;

pub use harvest::Playing;
pub use recipe::{GamesRecipe, JudgeRecipe, LoopRecipe, LoopRecipeError, Stage};
pub use run::{Event, Loop, LoopError, Stop};
pub use state::{Meeting, Row, State, StateError};
