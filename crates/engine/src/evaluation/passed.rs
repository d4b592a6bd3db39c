//! Passed pawn terms that depend on pieces: blockers, attackers and defenders.

use chess::{Bitboard, Square};

use super::pawns::rank_index;
use super::terms::Term;
use super::trace::{EvaluationTrace, TermSum};
use super::view::{BoardView, SideAttacks, ahead, behind};

/// Adds the terms of a side's passed pawns that depend on pieces.
#[inline(always)]
pub(super) fn passed<T: EvaluationTrace>(
    view: &BoardView,
    passed: Bitboard,
    own: &SideAttacks,
    enemy: &SideAttacks,
    tally: &mut TermSum<T>,
) {
    for square in passed {
        let rank = rank_index(square);
        let here = Bitboard::of(square);
        let path = ahead(here);
        let step = here.north();
        if (step & view.occupied).any() {
            tally.add(Term::PassedBlocked.at(rank));
        }
        if (step & enemy.all).is_empty() {
            tally.add(Term::PassedSafeStep.at(rank));
        }
        if (step & own.all).any() {
            tally.add(Term::PassedDefendedStep.at(rank));
        }
        if (path & (enemy.all | view.occupied)).is_empty() {
            tally.add(Term::PassedFreePath.at(rank));
        }
        let rear = behind(here);
        if (rear & view.own.rooks).any() {
            tally.add(Term::RookBehindPassed.at(0));
        }
        if (rear & view.enemy.rooks).any() {
            tally.add(Term::RookBehindPassed.at(1));
        }
        if view.enemy.pieces().is_empty() && runs_free(view, square, path) {
            tally.add(Term::Unstoppable.at(0));
        }
    }
}

/// The rule of the square: the enemy king is too far away, and the path is free.
fn runs_free(view: &BoardView, pawn: Square, path: Bitboard) -> bool {
    let Some(goal) = path.last() else { return false };
    // A pawn on the second rank may make a double step.
    let steps = goal.distance(pawn).min(5);
    let lag = u32::from(!view.to_move);
    (path & view.occupied).is_empty() && view.enemy.king.distance(goal) > steps + lag
}
