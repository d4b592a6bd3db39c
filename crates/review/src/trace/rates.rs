//! The counts of a search as a row of a table: scouts, re-searches, cutoffs, and the rates A to D.

use engine::{MoveCut, NodeCut, Statistics};
use serde::Serialize;

/// What happened in one iteration, or at nodes of one depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// The iteration, or the depth.
    pub depth: u32,
    /// Nodes of the main search.
    pub main_nodes: u64,
    /// Those of them whose window was open.
    pub pv_nodes: u64,
    /// Nodes of the quiescence search.
    pub quiescence_nodes: u64,
    /// Zero-window searches, first tries only.
    pub scouts: u64,
    /// Those of them at nodes whose window was open.
    pub pv_scouts: u64,
    /// Scouts that failed high.
    pub fail_highs: u64,
    /// Scouts at reduced depth.
    pub reduced_scouts: u64,
    /// Those of them that were searched again at full depth.
    pub full_depth_searches: u64,
    /// Full-window searches after a scout failed high.
    pub re_searches: u64,
    /// Nodes that failed high by a move.
    pub cutoffs: u64,
    /// Re-searches / all scouts, in percent.
    pub a: f64,
    /// Re-searches / scouts at nodes whose window was open, in percent.
    pub b: f64,
    /// Scouts that failed high / all scouts, in percent.
    pub c: f64,
    /// Reduced scouts that were searched again at full depth / reduced scouts, in percent.
    pub d: f64,
    /// Cutoffs by the first move / all cutoffs, in percent.
    pub first_move_cutoffs: f64,
    /// Nodes that ended early, by reason; reasons that did not occur are left out.
    pub node_cuts: Vec<(&'static str, u64)>,
    /// Moves that were not searched, by reason; reasons that did not occur are left out.
    pub move_cuts: Vec<(&'static str, u64)>,
}

impl Rates {
    /// A row from counts.
    pub fn new(depth: u32, counts: &Statistics) -> Rates {
        let node_cuts = NodeCut::ALL.map(|reason| (reason.name(), counts.node_cuts(reason)));
        let move_cuts = MoveCut::ALL.map(|reason| (reason.name(), counts.move_cuts(reason)));
        Rates {
            depth,
            main_nodes: counts.main_nodes,
            pv_nodes: counts.pv_nodes,
            quiescence_nodes: counts.quiescence_nodes,
            scouts: counts.scouts,
            pv_scouts: counts.pv_scouts,
            fail_highs: counts.scout_fail_highs,
            reduced_scouts: counts.reduced_scouts,
            full_depth_searches: counts.full_depth_searches,
            re_searches: counts.re_searches,
            cutoffs: counts.cutoffs,
            a: counts.rate_a(),
            b: counts.rate_b(),
            c: counts.rate_c(),
            d: counts.rate_d(),
            first_move_cutoffs: counts.first_move_cutoff_rate(),
            node_cuts: node_cuts.into_iter().filter(|cut| cut.1 > 0).collect(),
            move_cuts: move_cuts.into_iter().filter(|cut| cut.1 > 0).collect(),
        }
    }
}
