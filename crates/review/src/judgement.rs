//! How good a move was, in one word.

use serde::{Deserialize, Serialize};

/// How good a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// There was no other.
    Forced,
    /// The engine's own choice.
    Best,
    /// Not the best, but nearly.
    Good,
    /// It cost at least 5 percent of winning chances.
    Inaccuracy,
    /// It cost at least 10 percent.
    Mistake,
    /// It cost at least 15 percent.
    Blunder,
}

impl Judgement {
    /// What a loss of winning chances in percent is called.
    pub fn of_loss(loss: f64) -> Judgement {
        if loss >= 15.0 {
            Judgement::Blunder
        } else if loss >= 10.0 {
            Judgement::Mistake
        } else if loss >= 5.0 {
            Judgement::Inaccuracy
        } else {
            Judgement::Good
        }
    }

    /// Whether the move is worth a remark.
    pub fn is_error(self) -> bool {
        self >= Judgement::Inaccuracy
    }

    /// As people read it.
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

    /// The sign behind the move.
    pub const fn sign(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
            _ => "",
        }
    }

    /// The numeric glyph of PGN.
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
    fn a_loss_has_its_name_from_five_ten_and_fifteen_percent_on() {
        use Judgement::{Blunder, Good, Inaccuracy, Mistake};
        let named = [0.0, 4.99, 5.0, 9.99, 10.0, 14.99, 15.0, 100.0].map(Judgement::of_loss);
        assert_eq!(named, [Good, Good, Inaccuracy, Inaccuracy, Mistake, Mistake, Blunder, Blunder]);
        assert_eq!(named.map(Judgement::is_error), [false, false, true, true, true, true, true, true]);
        let signs = [Good, Inaccuracy, Mistake, Blunder].map(|one| (one.sign(), one.glyph()));
        assert_eq!(signs, [("", None), ("?!", Some(6)), ("?", Some(2)), ("??", Some(4))]);
    }
}
