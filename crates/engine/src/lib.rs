//! A chess engine: principal variation search, move ordering, transposition table, time management,
//! evaluation.
//!
//! Two entry points to the same search:
//! - [`Searcher`] searches on its caller's thread: self-play, SPSA, traces, bench.
//! - [`Engine`] runs the same search on a pool of threads, with options, strength limit and ponder: UCI,
//!   matches, the studio. It never prints and never reads input; clients receive [`SearchEvent`]s.
//!
//! Results have the types of [`uci`]: [`uci::Info`], [`uci::BestMove`], [`uci::Score`].

#![warn(missing_docs)]

mod bench;
mod clock;
mod depth;
mod engine;
pub mod evaluation;
mod event;
#[cfg(test)]
mod interleavings;
mod limits;
mod mate;
pub mod mutants;
mod numa;
mod observe;
mod order;
pub mod params;
mod reporter;
mod room;
mod score;
mod search;
mod searcher;
mod signals;
mod strength;
mod sync;
mod table;
mod tablebase;
mod task;
pub mod textbook;
mod wdl;

/// Internals for the crate's tests; not part of the interface.
#[doc(hidden)]
pub mod internals {
    pub use crate::clock::Budget;
    pub use crate::table::{Entry, Table, table_key};
}

pub use bench::{BENCH_POSITIONS, Bench, BenchResult, bench_games};
pub use depth::Depth;
pub use engine::{
    Busy, Engine, HASH_MB, MOVE_OVERHEAD_MS, MULTI_PV, NODES_PER_MS, OptionError, Options, THREADS,
};
pub use event::SearchEvent;
pub use limits::{Clock, Limits, MAX_DEPTH};
pub use mutants::Mutant;
pub use numa::{Cpus, InvalidNumaPolicy, NumaPolicy};
pub use observe::{Fate, MoveCut, NodeCut, Purpose, Recorder, Recording, Statistics, TreeNode, Visit};
pub use room::start_threads;
pub use score::{MAX_PLY, Score};
pub use searcher::{SearchResult, Searcher};
pub use strength::ELO;
pub use uci::Bound;
pub use wdl::wdl;
