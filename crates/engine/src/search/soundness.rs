//! The decisions of a search that named bugs get wrong, each a small function.
//!
//! They are a compile-time parameter of the search, like its observer. [`Sound`] makes the right decisions at
//! no cost. With the `mutants` feature [`Mutated`] takes its place, which gets one of them wrong while a bug
//! is switched on.

use super::RootMove;
use crate::order::Killers;
use crate::table::{Entry, may_cut_off};
use crate::{Bound, Depth, Score};
use chess::{Color, Move};

/// The decisions of a sound search. The comment of each function names the mutants that override it.
pub(crate) trait Soundness: Send + 'static {
    /// Whether a node at this ply is counted. `nodes-at-root-only`
    #[inline(always)]
    fn counts_node(_ply: usize) -> bool {
        true
    }

    /// Whether the search ends at its node limit. `node-limit-ignored`
    #[inline(always)]
    fn obeys_node_limit() -> bool {
        true
    }

    /// Whether the fifty-move rule applies. `fifty-moves-ignored`
    #[inline(always)]
    fn is_fifty_move_draw(halfmove_clock: u32) -> bool {
        halfmove_clock >= 100
    }

    /// Whether repetitions are draws. `repetition-ignored`
    #[inline(always)]
    fn sees_repetitions() -> bool {
        true
    }

    /// Whether quiescence search detects draws. `draw-missed-at-horizon`
    #[inline(always)]
    fn sees_draws_in_quiescence() -> bool {
        true
    }

    /// The static evaluation for the side to move. `black-sign-flipped`
    #[inline(always)]
    fn evaluation(value: i32, _turn: Color) -> i32 {
        value
    }

    /// The ply by which the table shifts mate scores. `mate-score-not-shifted`
    #[inline(always)]
    fn table_ply(ply: usize) -> usize {
        ply
    }

    /// Whether a table entry may replace a search. `bound-ignored`, `stale-hash`
    #[inline(always)]
    fn may_cut_off(entry: &Entry, depth: Depth, beta: Score, halfmove_clock: u32) -> bool {
        may_cut_off(entry, depth, beta, halfmove_clock)
    }

    /// Whether a table move is played. `hash-move-unchecked`, `moves-from-a1-rejected`
    #[inline(always)]
    fn plays_table_move(_mv: Move, legal: bool) -> bool {
        legal
    }

    /// The bound that is stored. `exact-stored-as-upper`, `upper-stored-as-lower`
    #[inline(always)]
    fn stored_bound(bound: Bound) -> Bound {
        bound
    }

    /// Whether a whole node may be pruned. `reverse-futility-everywhere`
    #[inline(always)]
    fn may_prune_node(pv: bool, in_check: bool) -> bool {
        !pv && !in_check
    }

    /// The margin of reverse futility pruning. `reverse-futility-everywhere`
    #[inline(always)]
    fn reverse_futility_margin(margin: i32) -> i32 {
        margin
    }

    /// Whether a null move is tried, where `safe` means that zugzwang is unlikely. `null-move-in-zugzwang`
    #[inline(always)]
    fn tries_null_move(safe: bool) -> bool {
        safe
    }

    /// Whether a null-move cutoff is verified at this depth. `null-move-in-zugzwang`
    #[inline(always)]
    fn verifies_null_move(depth: Depth) -> bool {
        depth >= Depth::plies(14)
    }

    /// The late-move reduction. `over-reduction`
    #[inline(always)]
    fn reduction(reduction: Depth) -> Depth {
        reduction
    }

    /// Whether a score cuts off. `cutoff-only-above-beta`
    #[inline(always)]
    fn is_cutoff(score: Score, beta: Score) -> bool {
        score >= beta
    }

    /// Whether a move of a PV node gets the full window at once. `root-full-window`
    #[inline(always)]
    fn starts_with_full_window(_root: bool, number: usize) -> bool {
        number == 1
    }

    /// Whether a zero-window search that failed high is repeated with the full window. `re-search-everywhere`
    #[inline(always)]
    fn needs_re_search(pv: bool, failed_high: bool) -> bool {
        pv && failed_high
    }

    /// The root moves to be searched, of those that are not the first of a better line. `first-move-at-depth-one`
    #[inline(always)]
    fn root_candidates(moves: &[RootMove], _root_depth: u32) -> &[RootMove] {
        moves
    }

    /// The score of a node without legal moves. `stalemate-is-mate`
    #[inline(always)]
    fn score_without_moves(in_check: bool, ply: usize) -> Score {
        if in_check { Score::mated_in(ply) } else { Score::ZERO }
    }

    /// Whether quiescence may stand pat. `stand-pat-in-check`
    #[inline(always)]
    fn may_stand_pat(in_check: bool) -> bool {
        !in_check
    }

    /// Whether quiescence searches captures. `no-quiescence`
    #[inline(always)]
    fn searches_captures() -> bool {
        true
    }

    /// The score by which a move is ordered. `worst-move-first`
    #[inline(always)]
    fn move_order(score: i32) -> i32 {
        score
    }

    /// The killers that are tried before other quiet moves. `worst-move-first`
    #[inline(always)]
    fn killers(killers: Killers) -> Killers {
        killers
    }
}

/// The right decisions, at no cost.
pub(crate) enum Sound {}

impl Soundness for Sound {}

/// The decisions of this build.
#[cfg(not(feature = "mutants"))]
pub(crate) type Built = Sound;
#[cfg(feature = "mutants")]
pub(crate) type Built = Mutated;

/// The decisions of the active mutant.
#[cfg(feature = "mutants")]
pub(crate) enum Mutated {}

#[cfg(feature = "mutants")]
mod mutated {
    use super::{Bound, Color, Depth, Entry, Killers, Move, Mutated, RootMove, Score, Sound, Soundness};
    use crate::Mutant;
    use crate::mutants::active;
    use chess::Square;

    impl Soundness for Mutated {
        fn counts_node(ply: usize) -> bool {
            !active(Mutant::NodesAtRootOnly) || ply <= 1
        }

        fn obeys_node_limit() -> bool {
            !active(Mutant::NodeLimitIgnored)
        }

        fn is_fifty_move_draw(halfmove_clock: u32) -> bool {
            Sound::is_fifty_move_draw(halfmove_clock) && !active(Mutant::FiftyMovesIgnored)
        }

        fn sees_repetitions() -> bool {
            !active(Mutant::RepetitionIgnored)
        }

        fn sees_draws_in_quiescence() -> bool {
            !active(Mutant::DrawMissedAtHorizon)
        }

        fn evaluation(value: i32, turn: Color) -> i32 {
            if active(Mutant::BlackSignFlipped) && turn == Color::Black { -value } else { value }
        }

        fn table_ply(ply: usize) -> usize {
            if active(Mutant::MateScoreNotShifted) { 0 } else { ply }
        }

        fn may_cut_off(entry: &Entry, depth: Depth, beta: Score, halfmove_clock: u32) -> bool {
            if active(Mutant::BoundIgnored) {
                return entry.depth >= depth.whole();
            }
            let depth = if active(Mutant::StaleHash) { depth.min(Depth::plies(entry.depth)) } else { depth };
            Sound::may_cut_off(entry, depth, beta, halfmove_clock)
        }

        fn plays_table_move(mv: Move, legal: bool) -> bool {
            let rejected = active(Mutant::MovesFromA1Rejected) && mv.from() == Square::A1;
            !rejected && (legal || active(Mutant::HashMoveUnchecked))
        }

        fn stored_bound(bound: Bound) -> Bound {
            match bound {
                Bound::Exact if active(Mutant::ExactStoredAsUpper) => Bound::Upper,
                Bound::Upper if active(Mutant::UpperStoredAsLower) => Bound::Lower,
                bound => bound,
            }
        }

        fn may_prune_node(pv: bool, in_check: bool) -> bool {
            Sound::may_prune_node(pv, in_check) || active(Mutant::ReverseFutilityEverywhere)
        }

        fn reverse_futility_margin(margin: i32) -> i32 {
            if active(Mutant::ReverseFutilityEverywhere) { 0 } else { margin }
        }

        fn tries_null_move(safe: bool) -> bool {
            safe || active(Mutant::NullMoveInZugzwang)
        }

        fn verifies_null_move(depth: Depth) -> bool {
            Sound::verifies_null_move(depth) && !active(Mutant::NullMoveInZugzwang)
        }

        fn reduction(reduction: Depth) -> Depth {
            if active(Mutant::OverReduction) { reduction + Depth::plies(4) } else { reduction }
        }

        fn is_cutoff(score: Score, beta: Score) -> bool {
            if active(Mutant::CutoffOnlyAboveBeta) { score > beta } else { score >= beta }
        }

        fn starts_with_full_window(root: bool, number: usize) -> bool {
            number == 1 || root && active(Mutant::RootFullWindow)
        }

        fn needs_re_search(pv: bool, failed_high: bool) -> bool {
            failed_high && (pv || active(Mutant::ReSearchEverywhere))
        }

        fn root_candidates(moves: &[RootMove], root_depth: u32) -> &[RootMove] {
            if active(Mutant::FirstMoveAtDepthOne) && root_depth == 1 { &moves[..1] } else { moves }
        }

        fn score_without_moves(in_check: bool, ply: usize) -> Score {
            Sound::score_without_moves(in_check != active(Mutant::StalemateIsMate), ply)
        }

        fn may_stand_pat(in_check: bool) -> bool {
            !in_check || active(Mutant::StandPatInCheck)
        }

        fn searches_captures() -> bool {
            !active(Mutant::NoQuiescence)
        }

        fn move_order(score: i32) -> i32 {
            if active(Mutant::WorstMoveFirst) { -score } else { score }
        }

        fn killers(killers: Killers) -> Killers {
            if active(Mutant::WorstMoveFirst) { Killers::NONE } else { killers }
        }
    }
}
