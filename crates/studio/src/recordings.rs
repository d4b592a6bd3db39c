//! The searches that were recorded, as plain files. A tree of tens of thousands of nodes is not kept: one thread with an
//! empty table searches the same tree again, so what was searched, and how deep, is enough to see it again.

use std::io;

use review::trace::Trace;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uci::Score;

use crate::protocol::Line;
use crate::store::{Id, Shelf, Store};

/// Recordings that are kept; the oldest go first.
const MOST_KEPT: usize = 50;
/// Moves of the best line that a list shows.
const MOVES_SHOWN: usize = 4;

/// A search that was recorded.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Recording {
    /// The position.
    #[serde(flatten)]
    pub line: Line,
    /// The iteration that was kept: the last whole one.
    pub depth: u32,
    /// The position that was searched.
    fen: String,
    /// What judged positions, in words.
    judge: String,
    /// The score for the side to move.
    score: Score,
    /// The beginning of the best line.
    best: Vec<String>,
    /// Nodes of all iterations.
    searched: u64,
}

impl Recording {
    /// What is kept of a search of this position, judged so.
    pub fn new(line: Line, judge: &str, trace: &Trace) -> Recording {
        Recording {
            line,
            depth: trace.depth,
            fen: trace.fen.clone(),
            judge: judge.to_owned(),
            score: trace.score,
            best: trace.line.iter().take(MOVES_SHOWN).cloned().collect(),
            searched: trace.searched,
        }
    }

    /// Whether the other one is the same search, which needs to be kept once only.
    fn is(&self, other: &Recording) -> bool {
        (&self.fen, self.depth, &self.judge) == (&other.fen, other.depth, &other.judge)
    }
}

/// Keeps a recording as the newest.
///
/// # Errors
/// It cannot be written, or an old one not be removed.
pub fn keep(store: &Store, recording: &Recording) -> io::Result<()> {
    let text = serde_json::to_vec(recording)?;
    let known = store.list(Shelf::Traces, "json");
    store.write(Shelf::Traces, &store.new_id(), "json", &text)?;
    let (same, others): (Vec<Id>, Vec<Id>) =
        known.into_iter().partition(|id| read(store, id).is_some_and(|known| known.is(recording)));
    for id in same.iter().chain(others.iter().skip(MOST_KEPT - 1)) {
        store.remove(Shelf::Traces, id)?;
    }
    Ok(())
}

/// The recording with this name.
pub fn read(store: &Store, id: &Id) -> Option<Recording> {
    serde_json::from_slice(&store.read(Shelf::Traces, id, "json").ok()?).ok()
}

/// All recordings, the newest first.
pub fn list(store: &Store) -> Value {
    let summary = |id: &Id| {
        let mut value = serde_json::to_value(read(store, id)?).ok()?;
        value["id"] = json!(id);
        Some(value)
    };
    store.list(Shelf::Traces, "json").iter().filter_map(summary).collect()
}
