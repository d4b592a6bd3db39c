//! The loss: the distance of the network's win probability from a mix of search score and game result.

use nnue::shape::SCALE;

use crate::example::Example;

/// Win probability.
fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The loss function of one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// Centipawns of the sigmoid: a score of one `scale` is 73 %.
    pub scale: f32,
    /// Exponent of the error; 2 is the squared error.
    pub power: f32,
    /// Weight of the game's result in the target; the rest is the search score.
    pub wdl_weight: f32,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Graded {
    pub loss: f32,
    /// Derivative by the network's output.
    pub slope: f32,
}

impl Loss {
    /// The network's output scale in units of the sigmoid's.
    pub fn steepness(&self) -> f32 {
        SCALE as f32 / self.scale
    }

    /// The target of an example.
    pub fn target(&self, example: &Example) -> f32 {
        self.wdl_weight * example.points() + (1.0 - self.wdl_weight) * sigmoid(example.score() / self.scale)
    }

    /// The loss of an output (1.0 is the network's scale in centipawns) for a target.
    pub fn grade(&self, output: f32, target: f32) -> Graded {
        let steepness = self.steepness();
        let expected = sigmoid(output * steepness);
        let error = expected - target;
        let distance = error.abs();
        // The derivative's exponent; the usual one needs no `powf`.
        let squared = (self.power - 2.0).abs() < f32::EPSILON;
        let lower = if squared { distance } else { distance.powf(self.power - 1.0) };
        Graded {
            loss: lower * distance,
            slope: self.power * lower.copysign(error) * expected * (1.0 - expected) * steepness,
        }
    }
}

/// The scale at which win probabilities of scores fit the results of their games best (logistic regression); `None` if
/// results do not depend on scores.
pub fn fitted_scale(examples: &[Example]) -> Option<f64> {
    const STEPS: usize = 50;
    /// Beyond this many centipawns, no scale is worth the name.
    const MAX: f64 = 100_000.0;
    let mut steepness = 1.0 / f64::from(SCALE);
    for _ in 0..STEPS {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for example in examples {
            let score = f64::from(example.score());
            let expected = 1.0 / (1.0 + (-steepness * score).exp());
            slope += (f64::from(example.points()) - expected) * score;
            curvature += expected * (1.0 - expected) * score * score;
        }
        // Newton's method; a step is limited, since the sigmoid is flat far from the solution.
        let step = slope / curvature;
        if !step.is_finite() {
            return None;
        }
        steepness = (steepness + step).clamp(steepness / 4.0, steepness * 4.0);
        if step.abs() < 1e-9 * steepness {
            break;
        }
    }
    let scale = 1.0 / steepness;
    (1.0..MAX).contains(&scale).then_some(scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;
    use chess::Position;
    use record::packed::{PackedResult, Sample};

    fn examples(count: u64, win: impl Fn(u64, f64) -> PackedResult) -> Vec<Example> {
        let position = Position::startpos();
        let example = |index: u64| {
            let score = (random::normal(2, index) * 300.0) as i16;
            let result = win(index, score.into());
            Example::new(&Sample { position, mv: None, score, result, index: 0 })
        };
        (0..count).map(example).collect()
    }

    #[test]
    fn scale_of_results_is_found() {
        for scale in [60.0, 185.0, 900.0] {
            // Two draws, so that there are draws as well, and the expected points are the chance.
            let examples = examples(40_000, |index, score| {
                let chance = 1.0 / (1.0 + (-score / scale).exp());
                match [3, 4].map(|seed| random::unit(seed, index) < chance) {
                    [true, true] => PackedResult::WhiteWins,
                    [false, false] => PackedResult::BlackWins,
                    _ => PackedResult::Draw,
                }
            });
            let found = fitted_scale(&examples).unwrap();
            assert!((found / scale - 1.0).abs() < 0.05, "{scale}: {found}");
        }
    }

    #[test]
    fn results_without_relation_to_scores_have_no_scale() {
        assert_eq!(fitted_scale(&[]), None);
        assert_eq!(fitted_scale(&examples(1000, |_, _| PackedResult::Draw)), None);
        // The lower the score, the better.
        let inverted =
            examples(
                1000,
                |_, score| {
                    if score > 0.0 { PackedResult::BlackWins } else { PackedResult::WhiteWins }
                },
            );
        assert_eq!(fitted_scale(&inverted), None);
    }

    #[test]
    fn slope_is_the_derivative() {
        for power in [2.0, 2.5] {
            let loss = Loss { scale: 300.0, power, wdl_weight: 0.5 };
            for (output, target) in [(0.3, 0.9), (-1.2, 0.1), (2.0, 0.4), (0.0, 0.5)] {
                let step = 1e-2;
                let numeric = (loss.grade(output + step, target).loss
                    - loss.grade(output - step, target).loss)
                    / (2.0 * step);
                let slope = loss.grade(output, target).slope;
                assert!((slope - numeric).abs() < 1e-3, "{power} {output} {target}: {slope} {numeric}");
            }
        }
    }

    #[test]
    fn perfect_prediction_has_no_loss() {
        let loss = Loss { scale: SCALE as f32, power: 2.5, wdl_weight: 0.0 };
        let graded = loss.grade(0.75, sigmoid(0.75));
        assert_eq!(graded, Graded { loss: 0.0, slope: 0.0 });
    }
}
