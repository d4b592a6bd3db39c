//! Recorded searches as files. The tree, tens of thousands of nodes, is not stored: one thread with an empty hash table
//! searches the same tree again.

use std::io;

use review::trace::Trace;
use serde::{Deserialize, Serialize};
use uci::Score;

use crate::protocol::{PositionSpec, RecordingSummary};
use crate::store::{Collection, Id, Store};

/// Recordings that are kept; the oldest are removed first.
const MAX_KEPT: usize = 50;
/// Moves of the PV in a list.
const MOVES_SHOWN: usize = 4;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedRecording {
    #[serde(flatten)]
    pub position: PositionSpec,
    /// The last complete iteration.
    pub depth: u32,
    fen: String,
    #[serde(rename = "judge")]
    evaluation: String,
    score: Score,
    best: Vec<String>,
    searched: u64,
}

impl SavedRecording {
    pub fn new(position: PositionSpec, evaluation: &str, trace: &Trace) -> SavedRecording {
        SavedRecording {
            position,
            depth: trace.depth,
            fen: trace.fen.clone(),
            evaluation: evaluation.to_owned(),
            score: trace.score,
            best: trace.line.iter().take(MOVES_SHOWN).cloned().collect(),
            searched: trace.searched,
        }
    }

    /// Whether the other one is the same search, which is kept once only.
    fn is_same(&self, other: &SavedRecording) -> bool {
        (&self.fen, self.depth, &self.evaluation) == (&other.fen, other.depth, &other.evaluation)
    }
}

pub fn save(store: &Store, recording: &SavedRecording) -> io::Result<()> {
    let text = serde_json::to_vec(recording)?;
    let known = store.list(Collection::Traces, "json");
    store.write(Collection::Traces, &store.new_id(), "json", &text)?;
    let (same, others): (Vec<Id>, Vec<Id>) =
        known.into_iter().partition(|id| read(store, id).is_some_and(|known| known.is_same(recording)));
    for id in same.iter().chain(others.iter().skip(MAX_KEPT - 1)) {
        store.remove(Collection::Traces, id)?;
    }
    Ok(())
}

pub fn read(store: &Store, id: &Id) -> Option<SavedRecording> {
    serde_json::from_slice(&store.read(Collection::Traces, id, "json").ok()?).ok()
}

/// All recordings, the newest first.
pub fn list(store: &Store) -> Vec<RecordingSummary> {
    let summary = |id: &Id| {
        let recording = read(store, id)?;
        Some(RecordingSummary {
            id: id.clone(),
            fen: recording.fen,
            depth: recording.depth,
            score: recording.score.into(),
            best: recording.best,
            searched: recording.searched,
        })
    };
    store.list(Collection::Traces, "json").iter().filter_map(summary).collect()
}
