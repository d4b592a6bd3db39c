//! Counts for `ShowPVSStats`: how often zero-window searches fail high, how often moves are searched again, and how often
//! each kind of pruning works.

use super::{MoveCut, NodeCut, Observer, Visit};
use crate::{Bound, Depth, Score};
use chess::Move;
use std::fmt;
use std::ops::AddAssign;

/// Depths counted separately; the last one includes all above.
const DEPTHS: usize = 16;

/// Statistics of a search.
///
/// The re-search rate is relative to the zero-window searches of all nodes, the PV re-search rate to those of
/// PV nodes, the only ones that can be re-searched. The fail-high rate is the share of zero-window searches
/// that fail high, the LMR re-search rate the share of reduced searches that are repeated at full depth.
/// First moves do not count: they fail high wherever a cutoff is expected.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Nodes of the main search.
    pub main_nodes: u64,
    /// PV nodes among them.
    pub pv_nodes: u64,
    /// Nodes of the quiescence search.
    pub quiescence_nodes: u64,
    /// First moves of PV nodes: at most one for each node.
    pub first_moves: u64,
    /// First moves of all other nodes.
    pub zero_window_first_moves: u64,
    /// Zero-window searches of later moves, without those repeated at full depth.
    pub zero_window_searches: u64,
    /// Those of them at PV nodes.
    pub pv_zero_window_searches: u64,
    /// Zero-window searches that failed high.
    pub zero_window_fail_highs: u64,
    /// Zero-window searches at reduced depth.
    pub reduced_searches: u64,
    /// Reduced searches that failed high.
    pub reduced_fail_highs: u64,
    /// Zero-window searches repeated at full depth after a reduced one failed high.
    pub full_depth_searches: u64,
    /// Full-window searches after a zero-window search failed high.
    pub re_searches: u64,
    /// Those of them at non-PV nodes: always a bug.
    pub non_pv_re_searches: u64,
    /// Nodes whose moves were searched and that failed high.
    pub cutoffs: u64,
    /// Those by the first move.
    pub first_move_cutoffs: u64,
    /// Nodes that failed high and continued: always a bug.
    pub late_cutoffs: u64,
    /// Stored results of the main search, by bound: exact, lower, upper.
    pub stored: [u64; 3],
    /// Hash cutoffs that the bound does not allow: always a bug.
    pub wrong_bounds: u64,
    /// Hash cutoffs that the depth does not allow: always a bug.
    pub wrong_depths: u64,
    /// Hash cutoffs with a mate closer to the root than the node: always a bug.
    pub impossible_mates: u64,
    /// Hash moves that were played.
    pub hash_moves: u64,
    /// Illegal hash moves that were played: always a bug.
    pub illegal_hash_moves: u64,
    /// Table probes.
    pub probes: u64,
    /// Probes that found the position.
    pub hits: u64,
    /// Tries of null move and ProbCut, by reason, and cutoffs.
    tried: [[u64; 2]; NodeCut::ALL.len()],
    /// Nodes that ended early, by reason and depth.
    node_cuts: [[u64; DEPTHS]; NodeCut::ALL.len()],
    /// Moves that were not searched, by reason and depth.
    move_cuts: [[u64; DEPTHS]; MoveCut::ALL.len()],
}

impl Statistics {
    /// Re-searches per zero-window search at all nodes, in percent. It shrinks as trees grow and means
    /// little.
    pub fn re_search_rate(&self) -> f64 {
        percent(self.re_searches, self.zero_window_searches)
    }

    /// Re-searches per zero-window search at PV nodes, in percent.
    pub fn pv_re_search_rate(&self) -> f64 {
        percent(self.re_searches, self.pv_zero_window_searches)
    }

    /// Zero-window searches that fail high, in percent.
    pub fn fail_high_rate(&self) -> f64 {
        percent(self.zero_window_fail_highs, self.zero_window_searches)
    }

    /// Reduced searches that are repeated at full depth, in percent.
    pub fn lmr_re_search_rate(&self) -> f64 {
        percent(self.full_depth_searches, self.reduced_searches)
    }

    /// Cutoffs by the first move, in percent.
    pub fn first_move_cutoff_rate(&self) -> f64 {
        percent(self.first_move_cutoffs, self.cutoffs)
    }

    /// Nodes that ended early for a reason.
    pub fn node_cuts(&self, reason: NodeCut) -> u64 {
        self.node_cuts[reason as usize].iter().sum()
    }

    /// Moves that were not searched for a reason.
    pub fn move_cuts(&self, reason: MoveCut) -> u64 {
        self.move_cuts[reason as usize].iter().sum()
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

impl AddAssign<&Statistics> for Statistics {
    fn add_assign(&mut self, other: &Statistics) {
        let pairs = [
            (&mut self.main_nodes, other.main_nodes),
            (&mut self.pv_nodes, other.pv_nodes),
            (&mut self.quiescence_nodes, other.quiescence_nodes),
            (&mut self.first_moves, other.first_moves),
            (&mut self.zero_window_first_moves, other.zero_window_first_moves),
            (&mut self.zero_window_searches, other.zero_window_searches),
            (&mut self.pv_zero_window_searches, other.pv_zero_window_searches),
            (&mut self.zero_window_fail_highs, other.zero_window_fail_highs),
            (&mut self.reduced_searches, other.reduced_searches),
            (&mut self.reduced_fail_highs, other.reduced_fail_highs),
            (&mut self.full_depth_searches, other.full_depth_searches),
            (&mut self.re_searches, other.re_searches),
            (&mut self.non_pv_re_searches, other.non_pv_re_searches),
            (&mut self.cutoffs, other.cutoffs),
            (&mut self.first_move_cutoffs, other.first_move_cutoffs),
            (&mut self.late_cutoffs, other.late_cutoffs),
            (&mut self.wrong_bounds, other.wrong_bounds),
            (&mut self.wrong_depths, other.wrong_depths),
            (&mut self.impossible_mates, other.impossible_mates),
            (&mut self.hash_moves, other.hash_moves),
            (&mut self.illegal_hash_moves, other.illegal_hash_moves),
            (&mut self.probes, other.probes),
            (&mut self.hits, other.hits),
        ];
        for (sum, part) in pairs {
            *sum += part;
        }
        add_tables(&mut self.stored, &other.stored);
        add_tables(self.tried.as_flattened_mut(), other.tried.as_flattened());
        add_tables(self.node_cuts.as_flattened_mut(), other.node_cuts.as_flattened());
        add_tables(self.move_cuts.as_flattened_mut(), other.move_cuts.as_flattened());
    }
}

fn add_tables(sums: &mut [u64], parts: &[u64]) {
    for (sum, part) in sums.iter_mut().zip(parts) {
        *sum += part;
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "nodes: main {} (PV {}) quiescence {} first moves of PV nodes {} of others {}",
            self.main_nodes,
            self.pv_nodes,
            self.quiescence_nodes,
            self.first_moves,
            self.zero_window_first_moves
        )?;
        writeln!(
            f,
            "zero-window searches: {} (at PV nodes {}) failed high: {} re-searches: {} (at non-PV nodes {})",
            self.zero_window_searches,
            self.pv_zero_window_searches,
            self.zero_window_fail_highs,
            self.re_searches,
            self.non_pv_re_searches
        )?;
        writeln!(f, "re-search rate (all nodes): {:.3}%", self.re_search_rate())?;
        writeln!(f, "PV re-search rate: {:.2}%", self.pv_re_search_rate())?;
        writeln!(f, "fail-high rate (zero window): {:.2}%", self.fail_high_rate())?;
        writeln!(
            f,
            "LMR re-search rate: {:.2}% ({} of {})",
            self.lmr_re_search_rate(),
            self.full_depth_searches,
            self.reduced_searches
        )?;
        writeln!(
            f,
            "first-move cutoffs: {:.1}% of {} (missed at the first chance {})",
            self.first_move_cutoff_rate(),
            self.cutoffs,
            self.late_cutoffs
        )?;
        writeln!(f, "hash moves: {} played, illegal {}", self.hash_moves, self.illegal_hash_moves)?;
        let [exact, lower, upper] = self.stored;
        writeln!(f, "stored: exact {exact} lower {lower} upper {upper}")?;
        writeln!(
            f,
            "hash: {} probes, hits {:.1}%, cutoffs {:.1}% (against the bound {}, beyond the depth {}, impossible mates {})",
            self.probes,
            percent(self.hits, self.probes),
            percent(self.node_cuts(NodeCut::Table), self.probes),
            self.wrong_bounds,
            self.wrong_depths,
            self.impossible_mates
        )?;
        for reason in [NodeCut::NullMove, NodeCut::ProbCut] {
            let [tries, successes] = self.tried[reason as usize];
            writeln!(f, "{}: tried {tries}, cut off {:.1}%", reason.name(), percent(successes, tries))?;
        }
        let header: Vec<String> = (0..DEPTHS)
            .map(|depth| if depth + 1 == DEPTHS { format!("{depth}+") } else { depth.to_string() })
            .collect();
        write!(f, "pruned by depth: {}", header.join(" "))?;
        let nodes = NodeCut::ALL.into_iter().map(|reason| (reason.name(), &self.node_cuts[reason as usize]));
        let moves = MoveCut::ALL.into_iter().map(|reason| (reason.name(), &self.move_cuts[reason as usize]));
        for (name, row) in nodes.chain(moves) {
            let cells: Vec<String> = row.iter().map(u64::to_string).collect();
            write!(f, "\n{name}: {}", cells.join(" "))?;
        }
        Ok(())
    }
}

/// An observer that counts.
#[derive(Clone, Default, Debug)]
pub struct StatisticsCounter(Statistics);

fn row(depth: Depth) -> usize {
    (depth.whole().max(0) as usize).min(DEPTHS - 1)
}

impl Observer for StatisticsCounter {
    fn enter(&mut self, _: usize, _: Depth, _: Score, _: Score, pv: bool, quiescence: bool) {
        if quiescence {
            self.0.quiescence_nodes += 1;
        } else {
            self.0.main_nodes += 1;
            self.0.pv_nodes += u64::from(pv);
        }
    }

    fn probe(&mut self, hit: bool) {
        self.0.probes += 1;
        self.0.hits += u64::from(hit);
    }

    fn cut_node(&mut self, reason: NodeCut, depth: Depth) {
        self.0.node_cuts[reason as usize][row(depth)] += 1;
    }

    fn cut_move(&mut self, reason: MoveCut, depth: Depth, _mv: Move) {
        self.0.move_cuts[reason as usize][row(depth)] += 1;
    }

    fn visited(&mut self, visit: Visit, pv: bool, _mv: Move, score: Score, alpha: Score) {
        let counts = &mut self.0;
        let failed_high = u64::from(score > alpha);
        match visit {
            Visit::First => counts.first_moves += 1,
            Visit::FirstZeroWindow => counts.zero_window_first_moves += 1,
            Visit::ZeroWindow { reduced } => {
                counts.zero_window_searches += 1;
                counts.pv_zero_window_searches += u64::from(pv);
                counts.zero_window_fail_highs += failed_high;
                counts.reduced_searches += u64::from(reduced);
                counts.reduced_fail_highs += if reduced { failed_high } else { 0 };
            }
            Visit::FullDepth => counts.full_depth_searches += 1,
            Visit::ReSearch => {
                counts.re_searches += 1;
                counts.non_pv_re_searches += u64::from(!pv);
            }
        }
    }

    fn tried(&mut self, reason: NodeCut, succeeded: bool) {
        let [tries, successes] = &mut self.0.tried[reason as usize];
        *tries += 1;
        *successes += u64::from(succeeded);
    }

    fn leave(&mut self, _: usize, _: Depth, _: Score, bound: Bound, best: usize, number: usize) {
        if bound == Bound::Lower && best > 0 {
            self.0.cutoffs += 1;
            self.0.first_move_cutoffs += u64::from(best == 1);
            self.0.late_cutoffs += u64::from(best != number);
        }
    }

    fn hash_move(&mut self, legal: bool) {
        self.0.hash_moves += 1;
        self.0.illegal_hash_moves += u64::from(!legal);
    }

    fn believed(&mut self, decided: bool, deep_enough: bool, possible: bool) {
        self.0.impossible_mates += u64::from(!possible);
        self.0.wrong_bounds += u64::from(!decided);
        self.0.wrong_depths += u64::from(!deep_enough);
    }

    fn stored(&mut self, bound: Bound) {
        let kind = match bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        self.0.stored[kind] += 1;
    }

    fn statistics(self) -> Option<Statistics> {
        Some(self.0)
    }
}
