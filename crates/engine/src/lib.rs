//! Thinking: principal variation search, move ordering, transposition table, clock, evaluation.
//!
//! [`Engine`] is the door. It never prints and never reads: whoever uses it listens to [`Event`]s.

#![warn(missing_docs)]

mod bench;
mod clock;
mod depth;
mod engine;
pub mod evaluation;
mod event;
mod limits;
pub mod mutants;
mod observe;
mod order;
pub mod params;
mod pool;
#[cfg(test)]
mod properties;
mod score;
mod search;
mod solo;
mod strength;
mod table;
pub mod textbook;
mod wdl;

pub use bench::{BENCH_DEPTH, BENCH_POSITIONS, BenchResult, bench};
pub use depth::Depth;
pub use engine::Engine;
pub use event::{Event, Iteration};
pub use limits::{
    Busy, Clock, HASH_MB, Limits, MAX_DEPTH, MOVE_OVERHEAD_MS, MULTI_PV, OptionError, Options, THREADS,
};
pub use mutants::Mutant;
pub use observe::{Fate, MoveCut, NodeCut, Purpose, Recorder, Recording, Statistics, TreeNode, Visit};
pub use score::{Bound, MAX_PLY, Reading, Score};
pub use solo::{Found, Solo};
pub use strength::ELO;
pub use wdl::chances;
