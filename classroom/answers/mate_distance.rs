//! Answers to exercise 6.

use chess::Position;

use crate::alpha_beta::best_first;
use crate::pvs::Stats;
use crate::toolbox::{DRAW, INFINITY, Score, evaluate, is_drawn, mate_in, mated_in};

/// Principal variation search with mate distance pruning.
pub fn search(
    position: &Position,
    ply: u32,
    depth: u32,
    alpha: Score,
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
    let mut alpha = alpha.max(mated_in(ply));
    let beta = beta.min(mate_in(ply + 1));
    if alpha >= beta {
        return alpha;
    }
    let mut best = -INFINITY;
    for (index, mv) in moves.into_iter().enumerate() {
        let child = position.after(mv);
        let mut score = -INFINITY;
        if !pv || index > 0 {
            stats.zero_window_at_pv += u64::from(pv);
            score = -search(&child, ply + 1, depth - 1, -alpha - 1, -alpha, false, stats);
        }
        if pv && (index == 0 || score > alpha) {
            stats.re_searches += u64::from(index > 0);
            score = -search(&child, ply + 1, depth - 1, -beta, -alpha, true, stats);
        }
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}
