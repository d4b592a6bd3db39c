//! Answers to exercise 3.

use chess::{Move, Position};

use crate::toolbox::{DRAW, INFINITY, Score, evaluate, is_drawn, mated_in};

/// The minimax score of a position.
pub fn minimax(position: &Position, ply: u32, depth: u32, nodes: &mut u64) -> Score {
    *nodes += 1;
    let moves = position.legal_moves();
    // The end of the game before the depth.
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
        best = best.max(-minimax(&position.after(mv), ply + 1, depth - 1, nodes));
    }
    best
}

/// The first of the best moves of a position, and its score.
pub fn best_move(position: &Position, depth: u32) -> Option<(Move, Score)> {
    let mut best: Option<(Move, Score)> = None;
    for mv in position.legal_moves() {
        let score = -minimax(&position.after(mv), 1, depth - 1, &mut 0);
        if best.is_none_or(|(_, highest)| score > highest) {
            best = Some((mv, score));
        }
    }
    best
}
