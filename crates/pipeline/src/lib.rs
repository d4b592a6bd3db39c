//! From random weights to a network: each stage of a recipe plays games on a device, trains a network on them in the device's
//! memory, and keeps it if a match says so. `vedette gpu loop` is the command.
//!
//! [`PipelineRecipe`] says what to do, [`Pipeline::run`] does it, and [`PipelineState`] is what a folder keeps of it between
//! sessions.

mod positions;
mod recipe;
mod report;
mod run;
mod stage;
mod state;
mod training;

pub use positions::PlayProgress;
pub use recipe::{GamesRecipe, Learner, MatchRecipe, PipelineRecipe, PipelineRecipeError, Stage};
pub use run::{Pipeline, PipelineError, PipelineEvent, Stop};
pub use state::{LearnerResult, MatchResult, PipelineState, StageResult, StateError};
