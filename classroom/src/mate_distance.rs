//! Exercise 6: mate distance pruning.
//!
//! Once a mate in 5 plies is known, a line of more than 5 plies cannot improve on it, whatever happens there. Nor can a
//! position 7 plies below the root be worse for the side to move than being mated right there. Both are windows:
//!
//! - the worst score at this node is `mated_in(ply)`: mated here;
//! - the best is `mate_in(ply + 1)`: mate with the next move.
//!
//! Narrow alpha and beta to that. If nothing is left between them, the score does not matter: return at once. Scores stay
//! the same; only nodes are saved, and only where a mate is near.
//!
//! Look at a real one: `vedette trace "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1" --depth 8` shows nodes that were cut with the reason
//! "mate distance". The studio's microscope (`vedette studio`) can be filtered by it.

use chess::Position;

use crate::pvs::Stats;
use crate::toolbox::Score;

/// Principal variation search with mate distance pruning. Arguments as in `pvs`.
///
/// Beware of the root: at ply 0 the window can be cut to nothing only if the caller's window was nonsense, so the same
/// code works there.
pub fn search(
    position: &Position,
    ply: u32,
    depth: u32,
    alpha: Score,
    beta: Score,
    pv: bool,
    stats: &mut Stats,
) -> Score {
    todo!(
        "the score of {position} at ply {ply}, depth {depth}, window ({alpha}, {beta}), pv {pv}; so far {stats:?}"
    )
}
