//! Exercise 3: minimax.
//!
//! The score of a position is that of the best move; the score of a move is the negated score of the position after it,
//! because there the opponent is to move ("negamax"). At the horizon, `depth` plies below the root, an evaluation takes the
//! place of the search.
//!
//! Three things are easy to get wrong:
//!
//! - A position without legal moves is not worth its evaluation: in check it is mate (`mated_in(ply)`), otherwise
//!   stalemate (`DRAW`).
//! - That is also true at the horizon. Test for the end of the game first, for the depth afterwards; otherwise a mate on the
//!   last ply is an ordinary position.
//! - A mate score counts plies from the root, so that a shorter mate is better than a longer one.
//!
//! Look at a real one: expand a node in the studio's microscope (`vedette studio`) or in `vedette trace --depth 6`. Its score
//! is that of its best child, and scores are those of the side that made the move, so that they change sign with each ply.

use chess::{Move, Position};

use crate::toolbox::Score;

/// The minimax score of a position, `ply` plies below the root, with `depth` plies to go. Adds 1 to `nodes` for every
/// position that it visits, this one included.
///
/// From the toolbox: `is_drawn`, `mated_in`, `evaluate`, `DRAW`, `INFINITY`.
pub fn minimax(position: &Position, ply: u32, depth: u32, nodes: &mut u64) -> Score {
    todo!("the score of {position} at ply {ply} with {depth} plies to go, after {nodes} nodes")
}

/// The first of the best moves of a position, and its score. `None` if there is no legal move. `depth` is at least 1.
pub fn best_move(position: &Position, depth: u32) -> Option<(Move, Score)> {
    todo!("the move of {position} with the highest negated minimax score at depth {depth} - 1")
}
