//! What a position is worth, always from the view of the side to move.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// The deepest ply a search can reach.
pub const MAX_PLY: usize = 128;

/// A score from the side to move's view: hundredths of a pawn, or a mate and its distance.
///
/// `Score::mate_in(n)` is the score of giving mate in `n` half moves, so that a nearer mate is worth more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[repr(transparent)]
pub struct Score(pub i32);

impl Score {
    /// Nobody is better.
    pub const ZERO: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(32_001);
    /// No score; below every score.
    pub const NONE: Score = Score(-32_002);

    const MATE: i32 = 32_000;
    /// The least score that means a mate was seen.
    const LEAST_MATE: i32 = Score::MATE - 2 * MAX_PLY as i32;
    /// The greatest score an evaluation may give.
    const MOST_EVALUATION: i32 = Score::LEAST_MATE - 1;

    /// Giving mate in this many half moves.
    #[inline(always)]
    pub const fn mate_in(plies: usize) -> Score {
        Score(Score::MATE - plies as i32)
    }

    /// Being mated in this many half moves.
    #[inline(always)]
    pub const fn mated_in(plies: usize) -> Score {
        Score(plies as i32 - Score::MATE)
    }

    /// Hundredths of a pawn, kept below every mate.
    #[inline(always)]
    pub fn evaluation(centipawns: i32) -> Score {
        Score(centipawns.clamp(-Score::MOST_EVALUATION, Score::MOST_EVALUATION))
    }

    /// Whether the score means that one side mates.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Score::LEAST_MATE && self.0.abs() <= Score::MATE
    }

    /// Whether the score means that the side to move mates.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::LEAST_MATE
    }

    /// Whether the score means that the side to move is mated.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Score::LEAST_MATE
    }

    /// Half moves to the mate, if the score means one.
    pub const fn mate_distance(self) -> Option<usize> {
        if self.is_mate() { Some((Score::MATE - self.0.abs()) as usize) } else { None }
    }

    /// The score as a table stores it: a mate counted from the stored position instead of the root.
    #[inline(always)]
    pub fn to_table(self, ply: usize) -> i16 {
        let shift = if crate::mutants::active(crate::Mutant::MateScoreNotShifted) { 0 } else { ply as i32 };
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

    /// The score that a table stored, for a position that was now reached after `ply` half moves.
    #[inline(always)]
    pub fn from_table(stored: i16, ply: usize) -> Score {
        let score = Score(i32::from(stored));
        let shift = if crate::mutants::active(crate::Mutant::MateScoreNotShifted) { 0 } else { ply as i32 };
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

    /// How people read it.
    pub const fn reading(self) -> Reading {
        match self.mate_distance() {
            None => Reading::Centipawns(self.0),
            // Our mate comes with our own move: an odd number of half moves. Theirs with an even one.
            Some(plies) if self.0 > 0 => Reading::Mate(plies.div_ceil(2) as i32),
            Some(plies) => Reading::Mate(-(plies.div_ceil(2) as i32)),
        }
    }
}

/// A score as people read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many moves of the winning side; negative if the side to move is mated.
    Mate(i32),
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reading() {
            Reading::Centipawns(cp) => write!(f, "{:+.2}", f64::from(cp) / 100.0),
            Reading::Mate(moves) => write!(f, "#{moves}"),
        }
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

/// What a search result says of the true score.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this: every move failed low.
    Upper = 1,
    /// The true score is at least this: a move failed high.
    Lower = 2,
    /// The true score is this.
    Exact = 3,
}

impl Bound {
    /// Whether a score with this bound decides a comparison with `limit`: it is known to be on the same
    /// side of the limit as it stands.
    #[inline(always)]
    pub fn decides(self, score: Score, limit: Score) -> bool {
        if score >= limit { self != Bound::Upper } else { self != Bound::Lower }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_read_in_moves_of_the_winner() {
        for (plies, moves) in [(1, 1), (3, 2), (5, 3), (9, 5)] {
            assert_eq!(Score::mate_in(plies).reading(), Reading::Mate(moves));
        }
        for (plies, moves) in [(0, 0), (2, -1), (4, -2)] {
            assert_eq!(Score::mated_in(plies).reading(), Reading::Mate(moves));
        }
        assert_eq!(Score(-137).reading(), Reading::Centipawns(-137));
    }

    #[test]
    fn a_stored_mate_is_counted_from_where_it_is_found() {
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
    fn a_bound_decides_only_on_its_own_side() {
        let limit = Score(50);
        assert!(Bound::Lower.decides(Score(50), limit) && !Bound::Lower.decides(Score(49), limit));
        assert!(Bound::Upper.decides(Score(49), limit) && !Bound::Upper.decides(Score(50), limit));
        assert!(Bound::Exact.decides(Score(49), limit) && Bound::Exact.decides(Score(50), limit));
    }

    #[test]
    fn no_evaluation_is_mistaken_for_a_mate() {
        assert!(!Score::evaluation(i32::MAX).is_mate() && !Score::evaluation(i32::MIN + 1).is_mate());
        assert!(Score::mate_in(2 * MAX_PLY).is_win() && Score::mated_in(2 * MAX_PLY).is_loss());
        assert!(!Score::INFINITE.is_mate() && !Score::NONE.is_mate());
    }
}
