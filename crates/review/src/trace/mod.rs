//! The search tree of a position, for `vedette trace` and the studio's microscope.
//!
//! ```
//! use review::trace::{TraceSetup, trace};
//! let request = TraceSetup { limits: engine::Limits::depth(4), ..TraceSetup::default() };
//! let trace = trace(&request)?;
//! let root = &trace.nodes[trace.roots()[0] as usize];
//! assert!(root.children.iter().all(|&child| trace.nodes[child as usize].parent == Some(root.id)));
//! # Ok::<(), review::trace::TraceError>(())
//! ```

mod node;
mod rates;
#[cfg(test)]
mod tests;
mod text;
mod why;

pub use node::{Fate, Node, Purpose};
pub use rates::SearchRates;
pub use why::{Why, WhyError, read_line};

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chess::{Game, Move, Position};
use engine::evaluation::Evaluation;
use engine::{Limits, OptionError, Recorder, Searcher};
use serde::Serialize;

use uci::Score;

/// Name and version of the JSON format of [`Trace`].
pub const SCHEMA: &str = "vedette-trace/2";

/// Default number of stored nodes.
pub const DEFAULT_SIZE: usize = 20_000;

/// Default time limit: a few more iterations can take hours.
pub const DEFAULT_TIME: Duration = Duration::from_secs(20);

/// What to search, and how much of the tree to store.
#[derive(Clone)]
pub struct TraceSetup {
    /// The game up to the position; earlier positions count for repetitions.
    pub game: Game,
    /// When the search ends.
    pub limits: Limits,
    /// Maximum number of stored nodes.
    pub size: usize,
    /// The size of the transposition table in mebibytes.
    pub hash_mb: usize,
    pub evaluation: Evaluation,
    /// The tree after these moves is stored first.
    pub focus: Vec<Move>,
    /// Set it to end the search early.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for TraceSetup {
    fn default() -> TraceSetup {
        TraceSetup {
            game: Game::default(),
            limits: Limits::depth(8),
            size: DEFAULT_SIZE,
            hash_mb: 16,
            evaluation: Evaluation::default(),
            focus: Vec::new(),
            interrupt: Arc::default(),
        }
    }
}

/// Why there is no trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceError {
    /// The position has no legal move.
    NoMoves,
    /// The engine cannot be created.
    Engine(OptionError),
    /// No search thread can be started.
    NoThread,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::NoMoves => f.write_str("no legal moves in this position"),
            TraceError::Engine(error) => error.fmt(f),
            TraceError::NoThread => f.write_str("cannot start a search thread"),
        }
    }
}

impl std::error::Error for TraceError {}

#[derive(Clone, Debug, Serialize)]
pub struct Trace {
    /// Name and version of this format.
    pub schema: &'static str,
    pub fen: String,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// The recorded iteration: the last complete one.
    pub depth: u32,
    /// The best move in UCI notation.
    pub best: String,
    /// Its score for the side to move.
    pub score: Score,
    /// The PV in SAN.
    pub line: Vec<String>,
    /// Nodes of all iterations.
    pub searched: u64,
    /// Rates by iteration; `depth` is the iteration.
    pub by_iteration: Vec<SearchRates>,
    /// Rates by remaining depth over all iterations; 0 is quiescence.
    pub by_depth: Vec<SearchRates>,
    /// The tree in search order; `nodes[id]` is the node `id`.
    pub nodes: Vec<Node>,
    /// The position of the root.
    #[serde(skip)]
    pub position: Position,
}

impl Trace {
    /// The roots: one for each aspiration window of the iteration; the last one counts.
    pub fn roots(&self) -> Vec<u32> {
        self.nodes.iter().filter(|node| node.parent.is_none()).map(|node| node.id).collect()
    }

    /// The node with this id, if there is one.
    pub fn node(&self, id: u32) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    /// The path from the root to a node: the nodes with a move of their own.
    pub fn path(&self, id: u32) -> Vec<u32> {
        let mut path: Vec<u32> = std::iter::successors(self.node(id), |node| self.node(node.parent?))
            .map(|node| node.id)
            .collect();
        path.reverse();
        path
    }

    /// The children of a node in search order.
    pub fn children(&self, id: u32) -> impl Iterator<Item = &Node> {
        self.node(id).into_iter().flat_map(|node| &node.children).filter_map(|&child| self.node(child))
    }
}

/// A search recurses deeply, so its stack size must not depend on the caller.
const STACK_BYTES: usize = 16 << 20;

/// Searches a position and records the tree of the last complete iteration. Blocks until the limits are
/// reached or [`TraceSetup::interrupt`] is set.
///
/// # Errors
/// If the position has no legal move, or there is no memory or thread for the search.
pub fn trace(request: &TraceSetup) -> Result<Trace, TraceError> {
    std::thread::scope(|scope| {
        let search = || search(request);
        let thread = std::thread::Builder::new().name("trace".to_owned()).stack_size(STACK_BYTES);
        let thread = thread.spawn_scoped(scope, search).map_err(|_| TraceError::NoThread)?;
        // A panic of the search is propagated.
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn search(request: &TraceSetup) -> Result<Trace, TraceError> {
    let position = *request.game.position();
    let mut searcher =
        Searcher::with_evaluation(request.hash_mb, request.evaluation.clone()).map_err(TraceError::Engine)?;
    let recorder = Recorder::new(request.size).with_focus(request.focus.clone());
    let (found, recording) =
        searcher.trace(&request.game, request.limits.clone(), &request.interrupt, recorder);
    let best = found.best.ok_or(TraceError::NoMoves)?;
    let chess960 = !position.has_standard_castling();
    Ok(Trace {
        schema: SCHEMA,
        fen: position.to_fen(),
        chess960,
        depth: recording.iteration,
        best: best.uci(chess960).to_string(),
        score: found.score.to_uci(),
        line: node::sans(&position, &found.pv),
        searched: found.nodes,
        by_iteration: recording
            .by_iteration
            .iter()
            .zip(1..)
            .map(|(counts, depth)| SearchRates::new(depth, counts))
            .collect(),
        by_depth: recording
            .by_depth
            .iter()
            .zip(0..)
            .map(|(counts, depth)| SearchRates::new(depth, counts))
            .collect(),
        nodes: node::tree(&position, chess960, &recording.nodes),
        position,
    })
}
