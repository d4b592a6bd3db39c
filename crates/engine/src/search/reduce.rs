//! Late-move reductions: the later a move in the order, the less depth it gets at first.

use super::node::{Candidate, NodeContext};
use super::{NodeType, Search, Soundness};
use crate::observe::Observer;
use crate::{Bound, Depth, Score};

/// Natural logarithms in 1024ths; that of 0 is 0.
static LOGARITHMS: [i32; 256] = {
    let mut table = [0; 256];
    let mut n = 1;
    while n < 256 {
        table[n] = (logarithm(n as f64) * 1024.0) as i32;
        n += 1;
    }
    table
};

/// The natural logarithm of a number from 1 on; `f64::ln` is not available at compile time.
const fn logarithm(mut number: f64) -> f64 {
    let mut sum = 0.0;
    while number >= 2.0 {
        number /= 2.0;
        sum += std::f64::consts::LN_2;
    }
    // ln x = 2 (z + z³/3 + z⁵/5 + ...) with z = (x - 1) / (x + 1), here at most 1/3.
    let z = (number - 1.0) / (number + 1.0);
    let (mut power, mut odd) = (z, 1.0);
    while odd < 40.0 {
        sum += 2.0 * power / odd;
        power *= z * z;
        odd += 2.0;
    }
    sum
}

impl<O: Observer, S: Soundness> Search<'_, O, S> {
    /// The reduction of a move.
    #[inline]
    pub(super) fn reduction<N: NodeType>(
        &self,
        node: &NodeContext,
        depth: Depth,
        candidate: &Candidate,
    ) -> Depth {
        let params = self.params();
        let Candidate { quiet, number, history, .. } = *candidate;
        let logarithm = |n: usize| LOGARITHMS[n.min(255)];
        let product = logarithm(depth.whole().max(1) as usize) * logarithm(number) / 1024;
        let growing = params.reduction_quiet_factor() * product / 1024;
        let mut reduction = if quiet {
            params.reduction_quiet_base() + growing
                - history * Depth::ONE.0 / params.reduction_quiet_history()
        } else {
            params.reduction_noisy_base() + params.reduction_noisy_factor() * product / 1024
                - history * Depth::ONE.0 / params.reduction_noisy_history()
        };
        if N::PV {
            reduction -= params.reduction_pv();
        }
        if node.table_pv {
            reduction -= params.reduction_table_pv();
        }
        if node.cut_node {
            reduction += params.reduction_cut_node();
        }
        if !node.improving {
            reduction += growing * params.reduction_not_improving() / 1024;
        }
        // Where the evaluation was wrong before, it is less certain.
        reduction -= params.reduction_correction() * node.correction;
        if node.table_noisy && quiet {
            reduction += params.reduction_table_noisy();
        }
        let cutoffs = self.earlier(node.ply + 1, 0).cutoffs;
        if cutoffs > 2 {
            reduction += params.reduction_cutoffs();
        }
        if node.cut_node && node.table_move.is_none() {
            reduction += params.reduction_no_table_move();
        }
        if node.entry.is_some_and(|entry| entry.score <= node.alpha && is_upper(entry.bound)) {
            reduction += params.reduction_table_low();
        }
        if !N::PV && !node.cut_node {
            // An all-node.
            if cutoffs > 1 {
                reduction += params.reduction_all_node_cutoffs();
            }
            reduction += reduction.max(0) / (depth.whole().max(0) + 1);
        }
        S::reduction(Depth(reduction))
    }

    /// The reduction of a move without LMR, the first of a zero-window node.
    #[inline]
    pub(super) fn full_depth_reduction(
        &self,
        node: &NodeContext,
        reduction: Depth,
        new_depth: Depth,
    ) -> Depth {
        let params = self.params();
        let unknown = if node.table_move.is_none() { params.full_depth_no_table_move() } else { 0 };
        let reduction = reduction.0 + unknown;
        let second = reduction > params.full_depth_second() && new_depth > Depth::plies(2);
        Depth::plies(i32::from(reduction > params.full_depth_first()) + i32::from(second))
    }

    /// The depth of the repeated search after a reduced search failed high: more than planned if it beat the
    /// best score by much, a little less if it hardly did.
    pub(super) fn deeper_or_shallower(
        &self,
        score: Score,
        best: Score,
        node: &NodeContext,
        reduced: Depth,
        new_depth: Depth,
    ) -> Depth {
        let params = self.params();
        let margin = params.deeper_margin() + 2 * (new_depth.whole() - reduced.whole());
        let much = score - best > margin && new_depth < node.depth + Depth::ONE;
        let little = score - best < params.shallower_margin();
        if much {
            Depth::ONE
        } else if little {
            Depth(-Depth::ONE.0)
        } else {
            Depth::ZERO
        }
    }
}

#[inline(always)]
fn is_upper(bound: Option<Bound>) -> bool {
    matches!(bound, Some(Bound::Upper | Bound::Exact))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_library() {
        for (n, &found) in LOGARITHMS.iter().enumerate().skip(1) {
            assert_eq!(found, ((n as f64).ln() * 1024.0) as i32, "{n}");
        }
    }
}
