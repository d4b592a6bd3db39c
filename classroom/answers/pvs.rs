//! Answers to exercise 5.

use chess::Position;

use crate::alpha_beta::best_first;
use crate::toolbox::{DRAW, INFINITY, Score, evaluate, is_drawn, mated_in};

/// What happened in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Calls of `pvs`.
    pub nodes: u64,
    /// Zero-window searches that a PV node started.
    pub zero_window_at_pv: u64,
    /// Searches with the full window after a zero-window search.
    pub re_searches: u64,
}

/// The score of a position by principal variation search.
pub fn pvs(
    position: &Position,
    ply: u32,
    depth: u32,
    mut alpha: Score,
    beta: Score,
    pv: bool,
    stats: &mut Stats,
) -> Score {
    stats.nodes += 1;
    let moves = best_first(position);
    if moves.is_empty() {
        return if position.in_check() { mated_in(ply) } else { DRAW };
    }
    if is_drawn(position) {
        return DRAW;
    }
    if depth == 0 {
        return evaluate(position);
    }
    let mut best = -INFINITY;
    for (index, mv) in moves.into_iter().enumerate() {
        let child = position.after(mv);
        let mut score = -INFINITY;
        if !pv || index > 0 {
            stats.zero_window_at_pv += u64::from(pv);
            score = -pvs(&child, ply + 1, depth - 1, -alpha - 1, -alpha, false, stats);
        }
        if pv && (index == 0 || score > alpha) {
            stats.re_searches += u64::from(index > 0);
            score = -pvs(&child, ply + 1, depth - 1, -beta, -alpha, true, stats);
        }
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}
