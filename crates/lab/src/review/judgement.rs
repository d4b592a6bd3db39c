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
