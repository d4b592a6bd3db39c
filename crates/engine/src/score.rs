//! Scores inside the search, always from the side to move's point of view.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// The maximum ply.
pub const MAX_PLY: usize = 128;

/// A score inside the search: centipawns, or a mate and its distance in plies, in one integer that the search
/// can compare, negate and add margins to.
///
/// It never leaves the engine: [`Score::to_uci`] gives the [`uci::Score`] that protocols, files and people
/// see. (Packed training games store this integer, as their format requires.) `Score::mate_in(n)` is the
/// score of giving mate in `n` plies, so that a shorter mate scores higher.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[repr(transparent)]
pub struct Score(pub i32);

impl Score {
    /// An even position, or a draw.
    pub const ZERO: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(32_001);
    /// No score; below every score.
    pub const NONE: Score = Score(-32_002);

    const MATE: i32 = 32_000;
    /// The smallest mate score.
    const LEAST_MATE: i32 = Score::MATE - 2 * MAX_PLY as i32;
    /// A tablebase win at the root: below all mates.
    const TABLE: i32 = Score::LEAST_MATE - 1;
    /// The smallest tablebase win.
    const LEAST_TABLE: i32 = Score::TABLE - 2 * MAX_PLY as i32;
    /// The largest evaluation.
    const MOST_EVALUATION: i32 = Score::LEAST_TABLE - 1;
    /// A tablebase win at the root as protocols and people see it, in centipawns.
    const SHOWN_TABLE: i32 = 20_000;
    /// The largest evaluation as protocols and people see it: below tablebase wins.
    const SHOWN_EVALUATION: i32 = Score::SHOWN_TABLE - 2 * MAX_PLY as i32 - 1;

    /// Giving mate in this many plies.
    #[inline(always)]
    pub const fn mate_in(plies: usize) -> Score {
        Score(Score::MATE - plies as i32)
    }

    /// Being mated in this many plies.
    #[inline(always)]
    pub const fn mated_in(plies: usize) -> Score {
        Score(plies as i32 - Score::MATE)
    }

    /// A win in the tablebases, in a position this many plies from the root.
    #[inline(always)]
    pub const fn table_win_in(plies: usize) -> Score {
        Score(Score::TABLE - plies as i32)
    }

    /// Centipawns, clamped below tablebase and mate scores.
    #[inline(always)]
    pub fn evaluation(centipawns: i32) -> Score {
        Score(centipawns.clamp(-Score::MOST_EVALUATION, Score::MOST_EVALUATION))
    }

    /// Whether it is a mate score.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Score::LEAST_MATE && self.0.abs() <= Score::MATE
    }

    /// Whether it is a mate or tablebase score.
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= Score::LEAST_TABLE && self.0.abs() <= Score::MATE
    }

    /// Whether the side to move mates, or wins by the tablebases.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::LEAST_TABLE
    }

    /// Whether the side to move is mated, or loses by the tablebases.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Score::LEAST_TABLE
    }

    /// Plies to mate, if it is a mate score.
    pub const fn mate_distance(self) -> Option<usize> {
        if self.is_mate() { Some((Score::MATE - self.0.abs()) as usize) } else { None }
    }

    /// The score for the transposition table: wins and losses relative to the node instead of the root.
    #[inline(always)]
    pub fn to_table(self, ply: usize) -> i16 {
        let shift = ply as i32;
        (if self == Score::NONE {
            self.0
        } else if self.is_win() {
            self.0 + shift
        } else if self.is_loss() {
            self.0 - shift
        } else {
            self.0
        }) as i16
    }

    /// A score from the transposition table, for a node `ply` plies from the root.
    #[inline(always)]
    pub fn from_table(stored: i16, ply: usize) -> Score {
        let score = Score(i32::from(stored));
        let shift = ply as i32;
        if score == Score::NONE {
            score
        } else if score.is_win() {
            Score(score.0 - shift)
        } else if score.is_loss() {
            Score(score.0 + shift)
        } else {
            score
        }
    }

    /// The score as protocols and people see it: a mate in moves instead of plies, a tablebase win as 20000 centipawns
    /// less its plies, and a draw as 0, which inside the search differs from it by one.
    pub const fn to_uci(self) -> uci::Score {
        match self.mate_distance() {
            None if self.0.abs() <= 1 => uci::Score::Centipawns(0),
            None if self.is_decisive() => {
                let shown = self.0.abs() - Score::TABLE + Score::SHOWN_TABLE;
                uci::Score::Centipawns(shown * self.0.signum())
            }
            // Other engines and tools know numbers above it only as mates.
            None if self.0 > 0 => uci::Score::Centipawns(min(self.0, Score::SHOWN_EVALUATION)),
            None => uci::Score::Centipawns(-min(-self.0, Score::SHOWN_EVALUATION)),
            // Giving mate takes an odd number of plies, being mated an even one.
            Some(plies) if self.0 > 0 => uci::Score::Mate(plies.div_ceil(2) as i32),
            Some(plies) => uci::Score::Mate(-(plies.div_ceil(2) as i32)),
        }
    }
}

/// The smaller number; [`Ord::min`] is not constant.
const fn min(a: i32, b: i32) -> i32 {
    if a < b { a } else { b }
}

/// Whether a reported score is a win or loss by the tablebases.
pub(crate) fn is_from_tables(score: uci::Score) -> bool {
    matches!(score, uci::Score::Centipawns(cp) if cp.abs() > Score::SHOWN_EVALUATION)
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_uci().fmt(f)
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

impl AddAssign<i32> for Score {
    #[inline(always)]
    fn add_assign(&mut self, margin: i32) {
        self.0 += margin;
    }
}

impl SubAssign<i32> for Score {
    #[inline(always)]
    fn sub_assign(&mut self, margin: i32) {
        self.0 -= margin;
    }
}

impl Sub for Score {
    type Output = i32;

    /// The difference of two scores is a margin.
    #[inline(always)]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_reported_in_moves() {
        for (plies, moves) in [(1, 1), (3, 2), (5, 3), (9, 5)] {
            assert_eq!(Score::mate_in(plies).to_uci(), uci::Score::Mate(moves));
        }
        for (plies, moves) in [(0, 0), (2, -1), (4, -2)] {
            assert_eq!(Score::mated_in(plies).to_uci(), uci::Score::Mate(moves));
        }
        assert_eq!(Score(-137).to_uci(), uci::Score::Centipawns(-137));
    }

    #[test]
    fn draws_are_reported_as_zero() {
        for draw in [-1, 0, 1] {
            assert_eq!(Score(draw).to_uci(), uci::Score::Centipawns(0));
        }
        assert_eq!(Score(2).to_uci(), uci::Score::Centipawns(2));
    }

    #[test]
    fn stored_mates_are_relative_to_node() {
        let found = Score::mate_in(7);
        let stored = found.to_table(4);
        assert_eq!(Score::from_table(stored, 4), found);
        assert_eq!(Score::from_table(stored, 2), Score::mate_in(5));
        let lost = Score::mated_in(8);
        assert_eq!(Score::from_table(lost.to_table(6), 2), Score::mated_in(4));
        assert_eq!(Score::from_table(Score(123).to_table(9), 3), Score(123));
        assert_eq!(Score::from_table(Score::NONE.to_table(5), 3), Score::NONE);
    }

    #[test]
    fn table_wins_lie_between_evaluations_and_mates() {
        let (near, far) = (Score::table_win_in(0), Score::table_win_in(MAX_PLY));
        assert!(Score::mate_in(2 * MAX_PLY) > near && near > far && far > Score::evaluation(i32::MAX));
        for score in [near, far, -near, -far] {
            assert!(score.is_decisive() && !score.is_mate() && score.is_win() != score.is_loss());
            assert_eq!(Score::from_table(score.to_table(9), 9), score);
            assert!(is_from_tables(score.to_uci()));
        }
        assert_eq!(Score::table_win_in(7).to_uci(), uci::Score::Centipawns(19_993));
        assert_eq!((-Score::table_win_in(0)).to_uci(), uci::Score::Centipawns(-20_000));
        let most = Score::evaluation(i32::MAX);
        assert!(!most.is_decisive() && !is_from_tables(most.to_uci()) && !is_from_tables((-most).to_uci()));
    }

    #[test]
    fn no_evaluation_is_mistaken_for_a_mate() {
        assert!(!Score::evaluation(i32::MAX).is_mate() && !Score::evaluation(i32::MIN + 1).is_mate());
        assert!(Score::mate_in(2 * MAX_PLY).is_win() && Score::mated_in(2 * MAX_PLY).is_loss());
        assert!(!Score::INFINITE.is_mate() && !Score::NONE.is_mate());
    }
}
