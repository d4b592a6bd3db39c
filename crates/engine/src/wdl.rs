//! From a score to the chances of winning, drawing and losing. `vedette data audit` fits the curves to games;
//! docs/network.md tells how to do it again for another network.

use crate::Score;
use crate::evaluation::EvaluationKind;

/// The chance of winning is `1 / (1 + exp((even - score) / scale))`.
struct Curve {
    /// The score at which a win is as likely as not, in centipawns.
    even: f64,
    /// How many centipawns change the odds by a factor of e.
    scale: f64,
}

impl Curve {
    /// The curve of scores that come from this evaluation.
    const fn of(kind: EvaluationKind) -> Curve {
        match kind {
            EvaluationKind::Network => Curve { even: 104.0, scale: 70.0 },
            EvaluationKind::Classical => Curve { even: 190.0, scale: 75.0 },
        }
    }

    /// The chance of winning, in thousandths.
    fn win(&self, centipawns: f64) -> u16 {
        (1000.0 / (1.0 + ((self.even - centipawns) / self.scale).exp())).round() as u16
    }
}

impl EvaluationKind {
    /// Chances in thousandths to win, draw and lose with this score by this evaluation; their sum is 1000.
    pub fn chances(self, score: Score) -> [u16; 3] {
        let curve = Curve::of(self);
        let centipawns = f64::from(score.0.clamp(-4000, 4000));
        let (win, loss) = (curve.win(centipawns), curve.win(-centipawns));
        [win, 1000 - win - loss, loss]
    }
}

/// Chances in thousandths to win, draw and lose with this score by the evaluation that is the default; their sum
/// is 1000.
pub fn chances(score: Score) -> [u16; 3] {
    EvaluationKind::default().chances(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_follow_the_score() {
        for kind in EvaluationKind::ALL {
            for cp in (-33_000..33_000).step_by(17) {
                let [win, draw, loss] = kind.chances(Score(cp));
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(kind.chances(Score(-cp)), [loss, draw, win]);
            }
            let [win, draw, _] = kind.chances(Score::ZERO);
            assert!(draw > win, "{}", kind.name());
            assert_eq!(kind.chances(Score::mate_in(3))[0], 1000);
        }
    }
}
