//! Win, draw and loss probabilities of a score. `vedette data audit` fits the curves to games; docs/network.md
//! shows how to do it again for another network.

use crate::Score;
use crate::evaluation::EvaluationKind;
use uci::Wdl;

/// The probability of a win is `1 / (1 + exp((even - score) / scale))`.
struct Curve {
    /// The score with a win probability of 50 %, in centipawns.
    even: f64,
    /// Centipawns that change the odds by a factor of e.
    scale: f64,
}

impl Curve {
    /// The curve of this evaluation.
    const fn of(kind: EvaluationKind) -> Curve {
        match kind {
            EvaluationKind::Network => Curve { even: 102.0, scale: 74.0 },
            EvaluationKind::Classical => Curve { even: 190.0, scale: 75.0 },
        }
    }

    /// The probability of a win, in permille.
    fn win(&self, centipawns: f64) -> u16 {
        (1000.0 / (1.0 + ((self.even - centipawns) / self.scale).exp())).round() as u16
    }
}

impl EvaluationKind {
    /// Win, draw and loss probabilities for a score of this evaluation, in permille; their sum is 1000.
    pub fn wdl(self, score: Score) -> Wdl {
        let curve = Curve::of(self);
        let centipawns = f64::from(score.0.clamp(-4000, 4000));
        let (win, loss) = (curve.win(centipawns), curve.win(-centipawns));
        Wdl { win, draw: 1000 - win - loss, loss }
    }
}

/// Win, draw and loss probabilities for a score of the default evaluation, in permille; their sum is 1000.
pub fn wdl(score: Score) -> Wdl {
    EvaluationKind::default().wdl(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up_and_follow_the_score() {
        for kind in EvaluationKind::ALL {
            for cp in (-33_000..33_000).step_by(17) {
                let wdl = kind.wdl(Score(cp));
                assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
                assert_eq!(kind.wdl(Score(-cp)), -wdl);
            }
            let even = kind.wdl(Score::ZERO);
            assert!(even.draw > even.win, "{}", kind.name());
            assert_eq!(kind.wdl(Score::mate_in(3)).win, 1000);
        }
    }
}
