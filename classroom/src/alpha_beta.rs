//! Exercise 4: alpha-beta.
//!
//! Minimax looks at every move. Most of that is wasted: once one reply refutes a move, the other replies do not matter.
//! Alpha-beta carries a window along: *alpha* is what the side to move has already secured elsewhere, *beta* what the
//! opponent has. A score of alpha or less changes nothing above, and a score of beta or more will not be allowed to happen.
//!
//! - As soon as a score reaches beta, the node is finished: a *cutoff*. Reaching is enough: with `score == beta` the
//!   opponent already has something as good elsewhere. (With `score > beta` the result is the same, and the tree is two to
//!   sixteen times as large.)
//! - The child's window is the negated and swapped one: `(-beta, -alpha)`.
//! - Return the best score found, even outside of the window (*fail-soft*). Below alpha it is an upper bound of the true
//!   score, at beta or above a lower bound.
//!
//! The order of the moves decides everything. With the best move first, alpha-beta visits about the square root of
//! minimax's nodes; with the best move last it visits nearly all.
//!
//! Look at a real one: `vedette trace --depth 6` prints the tree with the window of every node, and the studio's microscope
//! (`vedette studio`) draws it. Search for "failed high": those nodes ended with a cutoff.

use chess::{Move, Position};

use crate::toolbox::Score;

/// The legal moves, the most promising first.
///
/// `toolbox::candidacy` is high for promising moves, and `sort_by_key` sorts in ascending order: mind the sign.
pub fn best_first(position: &Position) -> Vec<Move> {
    todo!("the legal moves of {position} in descending order of candidacy")
}

/// The fail-soft alpha-beta score of a position. Arguments as in `minimax`, with the window.
pub fn alpha_beta(
    position: &Position,
    ply: u32,
    depth: u32,
    alpha: Score,
    beta: Score,
    nodes: &mut u64,
) -> Score {
    todo!(
        "the score of {position} at ply {ply}, depth {depth}, window ({alpha}, {beta}), after {nodes} nodes"
    )
}
