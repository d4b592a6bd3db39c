//! A score as files and people read it: hundredths of a pawn, or moves to mate. Traces and reviews write it.

use std::fmt;
use std::ops::Neg;

use engine::{Reading, Score};
use serde::{Deserialize, Serialize};

/// A score: `{"cp": 31}`, or `{"mate": -3}` for being mated in three moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Worth {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate; negative or zero for the side that is mated.
    Mate(i32),
}

impl Worth {
    /// Hundredths of a pawn, with mates beyond all of them.
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 32_000;
        match self {
            Worth::Cp(cp) => cp,
            Worth::Mate(moves) if moves > 0 => MATE - moves.min(1000),
            Worth::Mate(moves) => -MATE - moves.max(-1000),
        }
    }
}

impl From<Score> for Worth {
    fn from(score: Score) -> Worth {
        match score.reading() {
            Reading::Centipawns(cp) => Worth::Cp(cp),
            Reading::Mate(moves) => Worth::Mate(moves),
        }
    }
}

impl Neg for Worth {
    type Output = Worth;

    fn neg(self) -> Worth {
        match self {
            Worth::Cp(cp) => Worth::Cp(-cp),
            Worth::Mate(moves) => Worth::Mate(-moves),
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Worth::Cp(cp) => write!(f, "{:+.2}", f64::from(cp) / 100.0),
            Worth::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_lie_beyond_all_pawns_and_nearer_ones_farther() {
        let order = [Worth::Mate(0), Worth::Mate(-1), Worth::Mate(-9), Worth::Cp(-9999), Worth::Cp(5)];
        let rising = order.map(Worth::centipawns);
        assert!(rising.is_sorted(), "{rising:?}");
        assert!(Worth::Mate(1).centipawns() > Worth::Mate(2).centipawns());
    }

    #[test]
    fn files_name_the_unit() {
        let text = serde_json::to_string(&[Worth::Cp(-31), Worth::Mate(3)]).expect("plain data");
        assert_eq!(text, r#"[{"cp":-31},{"mate":3}]"#);
        assert_eq!(Worth::Cp(-31).to_string(), "-0.31");
    }
}
