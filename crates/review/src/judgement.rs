//! Move judgements.

use serde::{Deserialize, Serialize};

/// How good a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// The only legal move.
    Forced,
    /// The engine's choice.
    Best,
    /// Cost less than 5 percent of winning chances.
    Good,
    /// Cost at least 5 percent.
    Inaccuracy,
    /// Cost at least 10 percent.
    Mistake,
    /// Cost at least 15 percent.
    Blunder,
}

impl Judgement {
    /// The loss in percent from which a move is an inaccuracy.
    pub const INACCURACY: f64 = 5.0;

    /// The judgement of a loss of winning chances, in percent.
    pub fn of_loss(loss: f64) -> Judgement {
        if loss >= 15.0 {
            Judgement::Blunder
        } else if loss >= 10.0 {
            Judgement::Mistake
        } else if loss >= Self::INACCURACY {
            Judgement::Inaccuracy
        } else {
            Judgement::Good
        }
    }

    pub fn is_error(self) -> bool {
        self >= Judgement::Inaccuracy
    }

    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Forced => "forced",
            Judgement::Best => "best",
            Judgement::Good => "good",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }

    /// `?!`, `?` or `??`.
    pub const fn symbol(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
            _ => "",
        }
    }

    /// The NAG of PGN.
    pub const fn glyph(self) -> Option<u8> {
        match self {
            Judgement::Inaccuracy => Some(6),
            Judgement::Mistake => Some(2),
            Judgement::Blunder => Some(4),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgement_thresholds() {
        use Judgement::{Blunder, Good, Inaccuracy, Mistake};
        let named = [0.0, 4.99, 5.0, 9.99, 10.0, 14.99, 15.0, 100.0].map(Judgement::of_loss);
        assert_eq!(named, [Good, Good, Inaccuracy, Inaccuracy, Mistake, Mistake, Blunder, Blunder]);
        assert_eq!(named.map(Judgement::is_error), [false, false, true, true, true, true, true, true]);
        let signs = [Good, Inaccuracy, Mistake, Blunder].map(|one| (one.symbol(), one.glyph()));
        assert_eq!(signs, [("", None), ("?!", Some(6)), ("?", Some(2)), ("??", Some(4))]);
    }
}
