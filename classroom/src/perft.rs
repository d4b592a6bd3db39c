//! Exercise 2: perft.
//!
//! Perft counts the positions that are exactly `depth` plies away. The counts of many positions are known, so perft is the
//! test of a move generator, and the simplest search there is: no scores, no pruning, only the tree.
//!
//! Look at the tree: `vedette perft 3` prints the counts below each first move. Then look at a real search in the studio's
//! microscope (`vedette studio`): how many of the 8,902 positions three plies below the start has it visited?

use chess::{Move, Position};

/// The number of leaves `depth` plies below the position. At depth 0 that is the position itself.
///
/// `position.legal_moves()` is a list of moves; `position.after(mv)` is the position after one of them.
pub fn perft(position: &Position, depth: u32) -> u64 {
    todo!("count the leaves {depth} plies below {position}")
}

/// The same by first move. `depth` is at least 1.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    todo!("perft of the position after each move of {position}, to depth {depth}")
}

/// Perft without making the last move: the number of legal moves of a position is its perft to depth 1. It visits a
/// twentieth of the positions.
pub fn bulk_perft(position: &Position, depth: u32) -> u64 {
    todo!("as perft, but at depth 1 of {depth} count the moves of {position}")
}
