//! Self-play: the engine plays both sides, and every position keeps its search score. `vedette selfplay` is
//! the command.
//!
//! A game depends only on the [`SelfPlayPlan`] and its number. A file has the games of its shard in order, so the
//! same plan gives the same bytes with any number of threads, an interrupted run resumes where its file ends,
//! and the shards of several machines together are the games of one run.

mod file;
mod opening;
mod plan;
mod play;
mod progress;
mod run;

pub use file::{GameFile, GameFileError};
pub use opening::{OpeningError, OpeningGenerator};
pub use plan::{Goal, OpeningPlan, SelfPlayPlan, Shard};
pub use play::{Ending, Played, play};
pub use progress::SelfPlayProgress;
pub use run::Run;
