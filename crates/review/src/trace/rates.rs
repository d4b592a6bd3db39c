//! The counts of a search as a row of a table: zero-window searches, re-searches, cutoffs, and their rates.

use engine::{MoveCut, NodeCut, Statistics};
use serde::Serialize;

/// Counts of one iteration, or of one depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchRates {
    /// The iteration, or the depth.
    pub depth: u32,
    /// Nodes of the main search.
    pub main_nodes: u64,
    /// PV nodes among them.
    pub pv_nodes: u64,
    /// Nodes of the quiescence search.
    pub quiescence_nodes: u64,
    /// Zero-window searches of later moves, without those repeated at full depth.
    pub zero_window_searches: u64,
    /// Those of them at PV nodes.
    pub pv_zero_window_searches: u64,
    /// Zero-window searches that failed high.
    pub fail_highs: u64,
    /// Zero-window searches at reduced depth.
    pub reduced_searches: u64,
    /// Those of them that were repeated at full depth.
    pub full_depth_searches: u64,
    /// Full-window searches after a zero-window search failed high.
    pub re_searches: u64,
    /// Nodes that failed high by a move.
    pub cutoffs: u64,
    /// Re-searches / zero-window searches, in percent.
    pub re_search_rate: f64,
    /// Re-searches / zero-window searches at PV nodes, in percent.
    pub pv_re_search_rate: f64,
    /// Zero-window searches that failed high / all of them, in percent.
    pub fail_high_rate: f64,
    /// Reduced searches repeated at full depth / reduced searches, in percent.
    pub lmr_re_search_rate: f64,
    /// Cutoffs by the first move / all cutoffs, in percent.
    pub first_move_cutoffs: f64,
    /// Nodes that ended early, by reason; only reasons that occurred.
    pub node_cuts: Vec<(&'static str, u64)>,
    /// Moves that were not searched, by reason; only reasons that occurred.
    pub move_cuts: Vec<(&'static str, u64)>,
}

impl SearchRates {
    /// A row from counts.
    pub fn new(depth: u32, counts: &Statistics) -> SearchRates {
        let node_cuts = NodeCut::ALL.map(|reason| (reason.name(), counts.node_cuts(reason)));
        let move_cuts = MoveCut::ALL.map(|reason| (reason.name(), counts.move_cuts(reason)));
        SearchRates {
            depth,
            main_nodes: counts.main_nodes,
            pv_nodes: counts.pv_nodes,
            quiescence_nodes: counts.quiescence_nodes,
            zero_window_searches: counts.zero_window_searches,
            pv_zero_window_searches: counts.pv_zero_window_searches,
            fail_highs: counts.zero_window_fail_highs,
            reduced_searches: counts.reduced_searches,
            full_depth_searches: counts.full_depth_searches,
            re_searches: counts.re_searches,
            cutoffs: counts.cutoffs,
            re_search_rate: counts.re_search_rate(),
            pv_re_search_rate: counts.pv_re_search_rate(),
            fail_high_rate: counts.fail_high_rate(),
            lmr_re_search_rate: counts.lmr_re_search_rate(),
            first_move_cutoffs: counts.first_move_cutoff_rate(),
            node_cuts: node_cuts.into_iter().filter(|cut| cut.1 > 0).collect(),
            move_cuts: move_cuts.into_iter().filter(|cut| cut.1 > 0).collect(),
        }
    }
}
