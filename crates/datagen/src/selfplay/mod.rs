//! Self-play: the engine plays both sides, and every position keeps its search score. This is where training
//! games come from; `vedette selfplay` is the command.
//!
//! A game depends on the [`Plan`] and its number alone. A file holds the games of its shard in order, so the
//! same plan gives the same bytes with any number of threads, an interrupted run resumes where its file ends,
//! and the shards of several machines put together are the games of one.

mod file;
mod opening;
mod plan;
mod play;
mod progress;
mod run;

pub use file::{FileError, GameFile};
pub use plan::{Goal, OpeningPlan, Plan, Shard};
pub use play::{Ending, Played, play};
pub use progress::Progress;
pub use run::Run;
