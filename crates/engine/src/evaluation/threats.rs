//! Threats against enemy pieces, restricted squares, and space.

use chess::{Bitboard, attacks};

use super::pawns::THIRD_RANK;
use super::terms::Term;
use super::trace::{EvaluationTrace, TermSum};
use super::view::{BoardView, SideAttacks, attacked_by_own_pawns, behind};

/// The c- to f-files on the second to fourth rank: where space counts.
const SPACE_AREA: Bitboard = Bitboard(0x0000_0000_3C3C_3C00);
/// Space is counted in steps of this many squares times pieces.
const SPACE_STEP: u32 = 8;

/// Adds a side's threats.
#[inline(always)]
pub(super) fn threats<T: EvaluationTrace>(
    view: &BoardView,
    own: &SideAttacks,
    enemy: &SideAttacks,
    tally: &mut TermSum<T>,
) {
    let victims = &view.enemy;
    // Attacked, not defended by a pawn, and not defended more often than attacked.
    let weak = victims.all & own.all & !enemy.pawns & !(enemy.twice & !own.twice);

    for (index, targets) in
        [victims.knights, victims.bishops, victims.rooks, victims.queens].into_iter().enumerate()
    {
        tally.add_times(Term::ThreatByPawn.at(index), (targets & own.pawns).count());
    }

    let minors = own.knights | own.bishops;
    let by_minor = [victims.pawns & weak, victims.knights, victims.bishops, victims.rooks, victims.queens];
    for (index, targets) in by_minor.into_iter().enumerate() {
        tally.add_times(Term::ThreatByMinor.at(index), (targets & minors).count());
    }
    let by_rook = [
        victims.pawns & weak,
        victims.knights & weak,
        victims.bishops & weak,
        victims.rooks & weak,
        victims.queens,
    ];
    for (index, targets) in by_rook.into_iter().enumerate() {
        tally.add_times(Term::ThreatByRook.at(index), (targets & own.rooks).count());
    }
    tally.add_times(Term::ThreatByKing.at(0), (weak & own.king).count());

    let hanging = weak & !enemy.all;
    tally.add_times(Term::Hanging.at(0), (hanging & victims.pawns).count());
    tally.add_times(Term::Hanging.at(1), (hanging & !victims.pawns).count());

    if view.to_move {
        tally.add_times(Term::ThreatOnMove.at(0), (victims.pieces() & own.pawns).count());
        tally.add_times(Term::ThreatOnMove.at(1), (hanging & !victims.pawns).count());
    }

    if let Some(queen) = victims.queens.first() {
        let safe = !view.own.all & !enemy.pawns & (!enemy.all | own.twice & !enemy.twice);
        let straight = attacks::rook(queen, view.occupied);
        let diagonal = attacks::bishop(queen, view.occupied);
        tally.add_times(Term::ThreatOnQueen.at(0), (attacks::knight(queen) & own.knights & safe).count());
        let sliders = straight & own.rooks | diagonal & own.bishops;
        tally.add_times(Term::ThreatOnQueen.at(1), (sliders & safe).count());
    }

    // Squares to which pawns can safely advance.
    let single = view.own.pawns.north() & !view.occupied;
    let double = (single & THIRD_RANK).north() & !view.occupied;
    let steps = (single | double) & !enemy.pawns & (own.all | !enemy.all);
    let pushes = attacked_by_own_pawns(steps) & victims.pieces() & !own.pawns;
    tally.add_times(Term::PushThreat.at(0), pushes.count());

    let contested = own.all & enemy.all & !enemy.pawns & !(enemy.twice & !own.twice);
    tally.add_times(Term::Restriction.at(0), contested.count());
}

/// Adds a side's space.
#[inline(always)]
pub(super) fn space<T: EvaluationTrace>(view: &BoardView, enemy: &SideAttacks, tally: &mut TermSum<T>) {
    let safe = SPACE_AREA & !view.own.pawns & !enemy.pawns;
    let sheltered = safe & behind(view.own.pawns) & !enemy.all;
    let squares = safe.count() + sheltered.count();
    tally.add_times(Term::Space.at(0), squares * view.own.pieces().count() / SPACE_STEP);
}
