//! Scores as protocols, files and people read them. The search has its own type for arithmetic and converts
//! to this one where a score leaves it.

use std::fmt;
use std::ops::Neg;

/// A score from the side to move's view, unless its owner says otherwise.
///
/// Files write it as `{"cp": 31}` or `{"mate": -3}` (feature `serde`), people read `+0.31` or `#-3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Score {
    /// Centipawns.
    #[cfg_attr(feature = "serde", serde(rename = "cp"))]
    Centipawns(i32),
    /// Mate in this many moves; negative, or zero on the board, when being mated.
    Mate(i32),
}

impl Score {
    /// What a mate on the board counts in [`centipawns`](Self::centipawns).
    pub const MATE_CENTIPAWNS: i32 = 100_000;

    /// One number that orders all scores: a mate counts more than any evaluation, a shorter one more than a
    /// longer one.
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = Score::MATE_CENTIPAWNS;
        const LONGEST: i32 = 1000;
        match self {
            Self::Centipawns(value) => value.clamp(LONGEST + 2 - MATE, MATE - LONGEST - 1),
            Self::Mate(moves) if moves > 0 => MATE - moves.min(LONGEST),
            Self::Mate(moves) => -MATE - moves.max(-LONGEST),
        }
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        match self {
            Self::Centipawns(value) => Self::Centipawns(value.saturating_neg()),
            Self::Mate(moves) => Self::Mate(moves.saturating_neg()),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            Self::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// How a score relates to the true one.
///
/// The discriminants are what a transposition table stores in two bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this: every move failed low.
    Upper = 1,
    /// The true score is at least this: a move failed high.
    Lower = 2,
    /// The true score is this.
    #[default]
    Exact = 3,
}

impl Bound {
    /// Whether a score with this bound decides a comparison with `limit`: the true score is known to be on the
    /// same side of the limit.
    #[inline(always)]
    pub fn decides<T: PartialOrd + Copy>(self, score: T, limit: T) -> bool {
        if score >= limit { self != Bound::Upper } else { self != Bound::Lower }
    }
}

impl Neg for Bound {
    type Output = Bound;

    /// The bound of the negated score.
    fn neg(self) -> Bound {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }
}

/// Win, draw and loss probabilities in permille.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// Wins.
    pub win: u16,
    /// Draws.
    pub draw: u16,
    /// Losses.
    pub loss: u16,
}

impl Neg for Wdl {
    type Output = Wdl;

    /// The other side's view.
    fn neg(self) -> Wdl {
        Wdl { win: self.loss, draw: self.draw, loss: self.win }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_order_above_evaluations() {
        let ranks = [
            Score::Mate(0),
            Score::Mate(-1),
            Score::Mate(-9),
            Score::Centipawns(-99_999_999),
            Score::Centipawns(-5),
            Score::Centipawns(99_999_999),
            Score::Mate(9),
            Score::Mate(1),
        ];
        assert!(ranks.windows(2).all(|pair| pair[0].centipawns() < pair[1].centipawns()));
    }

    #[test]
    fn bound_decides_only_on_its_own_side() {
        assert!(Bound::Lower.decides(50, 50) && !Bound::Lower.decides(49, 50));
        assert!(Bound::Upper.decides(49, 50) && !Bound::Upper.decides(50, 50));
        assert!(Bound::Exact.decides(49, 50) && Bound::Exact.decides(50, 50));
    }

    #[test]
    fn text_has_sign_or_mate_distance() {
        assert_eq!(Score::Centipawns(-31).to_string(), "-0.31");
        assert_eq!(Score::Mate(3).to_string(), "#3");
    }

    #[cfg(feature = "serde")]
    #[test]
    fn json_names_the_unit() {
        let text = serde_json::to_string(&[Score::Centipawns(-31), Score::Mate(3)]).expect("plain data");
        assert_eq!(text, r#"[{"cp":-31},{"mate":3}]"#);
        assert_eq!(serde_json::to_string(&Bound::Lower).expect("plain data"), r#""lower""#);
    }
}
