//! Recorded searches.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use super::{PositionSpec, Score};
use crate::store::Id;

#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct TraceStart {
    pub position: PositionSpec,
    pub depth: u32,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct RecordingSummary {
    pub id: Id,
    pub fen: String,
    pub depth: u32,
    /// For the side to move.
    pub score: Score,
    /// The first moves of the PV.
    pub best: Vec<String>,
    /// Nodes of all iterations.
    pub searched: u64,
}

/// Everything but the tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct TraceOverview {
    pub fen: String,
    pub depth: u32,
    /// For the side to move.
    pub score: Score,
    /// The PV in SAN.
    pub line: Vec<String>,
    /// Nodes of all iterations.
    pub searched: u64,
    /// Nodes of the stored tree.
    pub kept: usize,
    /// How many nodes were searched for each purpose, the most frequent first.
    pub purposes: Vec<(Purpose, usize)>,
    /// How many nodes were cut off or pruned for each reason, the most frequent first.
    pub reasons: Vec<(String, usize)>,
    pub by_iteration: Vec<Rates>,
    pub by_depth: Vec<Rates>,
}

/// Search statistics of one iteration, or of the nodes of one depth; rates are in percent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Rates {
    pub depth: u32,
    pub nodes: u64,
    pub zero_window_searches: u64,
    pub re_searches: u64,
    /// Re-searches / zero-window searches at PV nodes.
    pub pv_re_search_rate: f64,
    /// Zero-window searches that failed high.
    pub fail_high_rate: f64,
    /// Reduced searches that were repeated at full depth.
    pub lmr_re_search_rate: f64,
    /// Beta cutoffs by the first move.
    pub first_move_cutoff_rate: f64,
}

/// What a node was searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum Purpose {
    Root,
    FirstMove,
    ZeroWindow,
    ReducedZeroWindow,
    FullDepth,
    ReSearch,
    NullMove,
    Verification,
    Razoring,
    Probcut,
    Singular,
    Quiescence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum Fate {
    Searched,
    Cut,
    Pruned,
    Unfinished,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum Bound {
    Exact,
    Lower,
    Upper,
}

/// A node of the tree. Window, scores and bound are those of the side that made the move; where the position is the
/// parent's, those of the side to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct TraceNode {
    pub id: u32,
    pub parent: Option<u32>,
    /// Number of children in the stored tree.
    pub children: usize,
    pub ply: usize,
    /// The place of the move in the move order, from 1.
    pub number: u32,
    /// The move in UCI notation and in SAN; none for a root, a null move, and a search of the same position.
    pub mv: Option<String>,
    pub san: Option<String>,
    /// The move that a singularity search leaves out.
    pub excluded: Option<String>,
    pub purpose: Purpose,
    pub depth: f64,
    pub extension: f64,
    /// None for minus and plus infinity.
    pub alpha: Option<Score>,
    pub beta: Option<Score>,
    pub pv: bool,
    pub quiescence: bool,
    pub hash_hit: bool,
    pub evaluation: Option<Score>,
    pub score: Option<Score>,
    pub bound: Bound,
    pub fate: Fate,
    /// The outcome in a few words.
    pub verdict: String,
    pub best: Option<String>,
    pub line: Vec<String>,
    pub nodes: u64,
    /// Those of them that are not stored.
    pub hidden: u64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct NodePage {
    pub nodes: Vec<TraceNode>,
    /// How many follow.
    pub more: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum NodeFilter {
    Purpose(Purpose),
    /// Why nodes were cut off or pruned.
    Reason(String),
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct FoundNodes {
    /// The first of them.
    pub nodes: Vec<TraceNode>,
    pub count: usize,
}

/// The search for the reason of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReasonProgress {
    /// In SAN.
    pub mv: String,
    /// How many searches there were so far.
    pub searches: u32,
    /// None while it goes on.
    pub outcome: Option<ReasonOutcome>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum ReasonOutcome {
    Found(MoveReason),
    Failed(String),
    Stopped,
}

/// Why a move is good or bad.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct MoveReason {
    pub sentences: Vec<String>,
    /// What follows the move, or the best line if it is the best one, in SAN.
    pub line: Vec<String>,
    /// White's score after the first move of the line.
    pub score: Score,
}

/// Why a line was not played.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct WhyNot {
    /// The line in SAN.
    pub asked: Vec<String>,
    pub decision: String,
    pub nodes: Vec<TraceNode>,
    pub refutation: Vec<String>,
}
