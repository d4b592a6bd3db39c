//! From a score to the chances of winning, drawing and losing.

use crate::Score;

/// The score at which a win is as likely as not, in centipawns.
const EVEN_CHANCE: f64 = 190.0;
/// How many centipawns change the odds by a factor of e.
const SCALE: f64 = 75.0;

/// Chances in thousandths to win, draw and lose; their sum is 1000.
pub fn chances(score: Score) -> [u16; 3] {
    let win = |centipawns: f64| 1000.0 / (1.0 + ((EVEN_CHANCE - centipawns) / SCALE).exp());
    let centipawns = f64::from(score.0.clamp(-4000, 4000));
    let (win, loss) = (win(centipawns).round() as u16, win(-centipawns).round() as u16);
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_follow_the_score() {
        for cp in (-33_000..33_000).step_by(17) {
            let [win, draw, loss] = chances(Score(cp));
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(chances(Score(-cp)), [loss, draw, win]);
        }
        assert!(chances(Score(0))[1] > 700);
        assert_eq!(chances(Score::mate_in(3))[0], 1000);
    }
}
