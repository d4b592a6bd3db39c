//! Answers to exercise 4.

use std::cmp::Reverse;

use chess::{Move, Position};

use crate::toolbox::{DRAW, INFINITY, Score, candidacy, evaluate, is_drawn, mated_in};

/// The legal moves, the most promising first.
pub fn best_first(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by_key(|&mv| Reverse(candidacy(position, mv)));
    moves
}

/// The fail-soft alpha-beta score of a position.
pub fn alpha_beta(
    position: &Position,
    ply: u32,
    depth: u32,
    mut alpha: Score,
    beta: Score,
    nodes: &mut u64,
) -> Score {
    *nodes += 1;
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
    for mv in moves {
        let score = -alpha_beta(&position.after(mv), ply + 1, depth - 1, -beta, -alpha, nodes);
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}
