//! Exercise 5: principal variation search.
//!
//! With a good order of moves the first one is nearly always the best. Principal variation search (PVS, NegaScout) trusts
//! that. It searches the first move with the full window, and asks of every other move only whether it is better: a
//! *zero-window* search, `(-alpha - 1, -alpha)`, which has no room for an exact score and therefore the most cutoffs. Only if
//! the answer is yes is the move searched again with the full window, and only at a *PV node*, a node with a full window of
//! its own.
//!
//! Pseudocode of this kind is handed out in courses and copied into engines. It has three errors and a hole. Find them
//! before you read on:
//!
//! ```text
//! pvs(position, ply, depth, alpha, beta, pv):
//!     if depth = 0: return evaluate(position)
//!     if position is drawn: return 0
//!     best := -infinity
//!     for i, move in enumerate(legal moves in ascending order of candidacy):
//!         if not pv or i > 0:
//!             score := -pvs(position after move, ply + 1, depth - 1, -alpha - 1, -alpha, false)
//!         if pv and (i = 0 or alpha < score < beta):
//!             score := -pvs(position after move, ply + 1, depth - 1, -beta, -alpha, true)
//!         if score > best:
//!             best := score
//!             if score > alpha:
//!                 if score > beta: return score
//!                 alpha := score
//!     if there was no move:
//!         if in check: return 0
//!         else: return mated in ply
//!     return best
//! ```
//!
//! 1. **Mate and stalemate are exchanged.** In check without a move is mate. This engine avoids mating and walks into mate;
//!    it plays on as if nothing were wrong until a mate comes near.
//! 2. **`score > beta`** lets a node go on although the opponent has something as good elsewhere. The score is right and the
//!    tree two to sixteen times as large. In zero-window searches, where alpha + 1 = beta, nearly every cutoff is an equality.
//! 3. **Ascending order** searches the worst move first. Nothing is wrong with the score, but the first move is no longer the
//!    likely best one, which the whole method is built on.
//!
//! The hole: **the leaf test comes before the tests for draw and mate**, so a mate on the last ply is an ordinary position.
//!
//! `score < beta` in the condition of the re-search is *no* error, although engine authors have taken it for one. A score of
//! beta or more cuts off anyway, so the exact score is not needed. Stockfish had it for many years and dropped it without a
//! difference in strength. What does matter is `pv`: at a node with a zero window the second search would be the same search
//! once more.
//!
//! The numbers to expect: of the zero-window searches *at PV nodes* 0.5 to 20 percent are followed by a re-search. Of *all*
//! zero-window searches it is far below one percent, and falls as the tree grows. That is no sign of a bug: over nine tenths
//! of them are at nodes where a re-search cannot happen.
//!
//! Look at a real one: `vedette trace --depth 8` marks every search as "first move", "zero-window" or "re-search", and prints
//! these rates by depth. In the studio's microscope, filter by "re-search".

use chess::Position;

use crate::toolbox::Score;

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

/// The score of a position by principal variation search. `pv` is true at the root and wherever the window is the full one.
///
/// Use `alpha_beta::best_first` of exercise 4, and count in `stats`.
pub fn pvs(
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
