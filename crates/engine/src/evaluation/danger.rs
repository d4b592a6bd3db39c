//! King danger. An attack is counted in units; danger grows with their square, because two attackers are
//! worth more than twice one. The tuner needs the same curve and its derivative as real numbers, so both are
//! here.

use chess::{Bitboard, attacks};

use super::pieces::KingAttack;
use super::tapered::Tapered;
use super::terms::Term;
use super::trace::{EvaluationTrace, TermSum};
use super::view::{BoardView, SideAttacks};

/// Middlegame units squared per centipawn.
const MIDDLEGAME_DIVISOR: i32 = 1024;
/// Endgame units per centipawn.
const ENDGAME_DIVISOR: i32 = 16;
/// Units are clamped to this, which keeps the value well inside a [`Tapered`].
const MOST_UNITS: i32 = 1600;

/// The bonus of the attacker for units of danger.
#[inline(always)]
pub(super) fn value(units: Tapered) -> Tapered {
    let middlegame = units.middlegame().clamp(0, MOST_UNITS);
    let endgame = units.endgame().clamp(0, MOST_UNITS);
    Tapered::new(middlegame * middlegame / MIDDLEGAME_DIVISOR, endgame / ENDGAME_DIVISOR)
}

/// `value` of middlegame units without rounding, and its slope.
pub fn middlegame_curve(units: f64) -> (f64, f64) {
    let most = f64::from(MOST_UNITS);
    let divisor = f64::from(MIDDLEGAME_DIVISOR);
    let slope = if (0.0..most).contains(&units) { 2.0 * units / divisor } else { 0.0 };
    let units = units.clamp(0.0, most);
    (units * units / divisor, slope)
}

/// `value` of endgame units without rounding, and its slope.
pub fn endgame_curve(units: f64) -> (f64, f64) {
    let most = f64::from(MOST_UNITS);
    let divisor = f64::from(ENDGAME_DIVISOR);
    let slope = if (0.0..most).contains(&units) { 1.0 / divisor } else { 0.0 };
    (units.clamp(0.0, most) / divisor, slope)
}

/// The five ranks of the enemy king's defenders, as the attacker sees them.
const ENEMY_CAMP: Bitboard = Bitboard(0xFFFF_FFFF_FF00_0000);
const QUEEN_SIDE: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);
const CENTRE_FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);
const KING_SIDE: Bitboard = Bitboard(0xF0F0_F0F0_F0F0_F0F0);

/// The files near a king, by its own file.
const FLANK: [Bitboard; 8] =
    [QUEEN_SIDE, QUEEN_SIDE, QUEEN_SIDE, CENTRE_FILES, CENTRE_FILES, KING_SIDE, KING_SIDE, KING_SIDE];

/// The value of the attack on the enemy king; `units` starts empty.
#[inline(always)]
pub(super) fn attack<T: EvaluationTrace>(
    view: &BoardView,
    attacks: &SideAttacks,
    enemy_attacks: &SideAttacks,
    king_attack: &KingAttack,
    units: &mut TermSum<T>,
) -> Tapered {
    let attackers: u32 = king_attack.attackers.iter().sum();
    // Two attackers are needed, or one and a queen.
    if attackers + u32::from(view.own.queens.any()) < 2 {
        return Tapered::ZERO;
    }
    let (own, enemy) = (attacks, enemy_attacks);
    let king = view.enemy.king;

    units.add(Term::DangerBase.at(0));
    for (role, &count) in king_attack.attackers.iter().enumerate() {
        units.add_times(Term::DangerAttackers.at(role), count);
    }
    units.add_times(Term::DangerRingAttacks.at(0), king_attack.ring_attacks);

    // Attacked, and undefended or defended only by king or queen.
    let weak = own.all & !enemy.twice & (!enemy.all | enemy.king | enemy.queens);
    units.add_times(Term::DangerWeakRing.at(0), (weak & king_attack.ring).count());

    let safe = !view.own.all & (!enemy.all | weak & own.twice);
    let diagonals = attacks::bishop(king, view.occupied);
    let straights = attacks::rook(king, view.occupied);
    let checks = [
        attacks::knight(king) & own.knights,
        diagonals & own.bishops,
        straights & own.rooks,
        (diagonals | straights) & own.queens,
    ];
    let mut unsafe_checks = Bitboard::EMPTY;
    for (role, &squares) in checks.iter().enumerate() {
        units.add_times(Term::DangerSafeChecks.at(role), (squares & safe).count());
        unsafe_checks |= squares & !safe & !view.own.all;
    }
    units.add_times(Term::DangerUnsafeChecks.at(0), unsafe_checks.count());

    let files = (attacks::king(king).with(king)).whole_files() & Bitboard(0xFF);
    units.add_times(Term::DangerOpenFiles.at(0), (files & !view.enemy.pawns.whole_files()).count());
    if view.own.queens.is_empty() {
        units.add(Term::DangerNoQueen.at(0));
    }
    let flank = FLANK[king.file().index()] & ENEMY_CAMP;
    units.add_times(Term::DangerFlank.at(0), (own.all & flank).count() + (own.twice & flank).count());
    units.add_times(Term::DangerFlank.at(1), (enemy.all & flank).count());
    units.add_times(Term::DangerPawns.at(0), (own.pawns & king_attack.ring).count());
    let snipers = attacks::rook_rays(king) & (view.own.rooks | view.own.queens)
        | attacks::bishop_rays(king) & (view.own.bishops | view.own.queens);
    let lines = snipers.into_iter().filter(|&sniper| view.is_one_man_between(king, sniper)).count();
    units.add_times(Term::DangerLines.at(0), lines as u32);
    if (attacks::king(king) & view.enemy.knights).any() {
        units.add(Term::DangerKnightDefender.at(0));
    }
    value(units.sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float_curve_matches_integer_curve() {
        for units in (-400..3000).step_by(7) {
            let exact = value(Tapered::new(units, units));
            assert!((middlegame_curve(units.into()).0 - f64::from(exact.middlegame())).abs() < 1.0);
            assert!((endgame_curve(units.into()).0 - f64::from(exact.endgame())).abs() < 1.0);
        }
    }

    #[test]
    fn slopes_match_finite_differences() {
        for curve in [middlegame_curve, endgame_curve] {
            for units in [-50.0, 0.5, 100.0, 333.0, 1599.0, 1700.0] {
                let difference = (curve(units + 1e-4).0 - curve(units - 1e-4).0) / 2e-4;
                assert!((difference - curve(units).1).abs() < 1e-3, "at {units}");
            }
        }
    }
}
