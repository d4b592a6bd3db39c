//! What a caller asks of a search, and the options of the engine.

use crate::evaluation::EvaluationKind;
use chess::Move;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// The deepest iteration.
pub const MAX_DEPTH: u32 = 120;

/// When a search ends. Whichever limit is reached first ends it; without any it runs until `stop`.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Iterations.
    pub depth: Option<u32>,
    /// Nodes of all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// No new iteration begins after this many nodes.
    pub soft_nodes: Option<u64>,
    /// A mate in this many moves, for either side, ends the search.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// The best move is held back until `stop`.
    pub infinite: bool,
    /// The best move is held back until `stop` or `ponderhit`; time counts from `ponderhit`.
    pub ponder: bool,
    /// Only these moves are considered; all if empty.
    pub search_moves: Vec<Move>,
    /// When the request arrived. Time counts from here.
    pub received: Instant,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            move_time: None,
            clock: None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
            received: Instant::now(),
        }
    }
}

impl Limits {
    /// A search of this many iterations.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A search of this many nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A search of this much time.
    pub fn move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }
}

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after every move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// What a caller can set. Fields that the engine itself does not read serve those who print.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the transposition table in mebibytes.
    pub hash_mb: usize,
    /// Threads that search.
    pub threads: usize,
    /// How many best lines are wanted.
    pub multi_pv: usize,
    /// Time that is lost between the engine's answer and the clock.
    pub move_overhead: Duration,
    /// Count what happens inside the search, and report it at the end.
    pub collect_statistics: bool,
    /// What judges positions.
    pub evaluation: EvaluationKind,
    /// Play below full strength.
    pub limit_strength: bool,
    /// How strong to play then, in Elo.
    pub elo: u32,
}

/// Sizes of the transposition table in mebibytes.
pub const HASH_MB: RangeInclusive<usize> = 1..=1_048_576;
/// Numbers of threads.
pub const THREADS: RangeInclusive<usize> = 1..=512;
/// Numbers of best lines.
pub const MULTI_PV: RangeInclusive<usize> = 1..=256;
/// Move overhead in milliseconds.
pub const MOVE_OVERHEAD_MS: RangeInclusive<u64> = 0..=5000;

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            collect_statistics: false,
            evaluation: EvaluationKind::default(),
            limit_strength: false,
            elo: 1500,
        }
    }
}

/// A search is running, and what was asked has to wait for its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Busy;

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a search is running")
    }
}

impl std::error::Error for Busy {}

/// Why an option keeps its old value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// A search is running.
    Busy,
    /// The value is outside of the option's range.
    OutOfRange {
        /// The least value.
        least: usize,
        /// The greatest value.
        most: usize,
    },
    /// There is not enough memory for a table of this many mebibytes.
    NoMemory(usize),
    /// The system refuses this many threads.
    NoThreads(usize),
    /// There is no network inside the program, and none was loaded.
    NoNetwork,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Busy => Busy.fmt(f),
            OptionError::OutOfRange { least, most } => write!(f, "the value must be from {least} to {most}"),
            OptionError::NoMemory(mebibytes) => write!(f, "no memory for a hash table of {mebibytes} MB"),
            OptionError::NoThreads(count) => write!(f, "the system refuses {count} threads"),
            OptionError::NoNetwork => f.write_str("there is no network in this program; EvalFile loads one"),
        }
    }
}

impl std::error::Error for OptionError {}

impl From<Busy> for OptionError {
    fn from(_: Busy) -> OptionError {
        OptionError::Busy
    }
}
