//! The evaluation in floating point, and its gradient by the weights. It follows
//! `engine::evaluation::EvaluationRecord::value` step by step, without its rounding.

use engine::evaluation::{FEATURES, FULL_PHASE, FULL_SCALE, Tapered, endgame_curve, middlegame_curve};

use super::examples::{Count, TuningExample};

/// A number for each weight: middlegame and endgame of every feature.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Vector(pub Box<[[f64; 2]; FEATURES]>);

impl Vector {
    pub fn zero() -> Vector {
        Vector(Box::new([[0.0; 2]; FEATURES]))
    }

    /// From integer centipawns.
    pub fn from_weights(weights: &[Tapered; FEATURES]) -> Vector {
        let mut vector = Vector::zero();
        for (to, from) in vector.0.iter_mut().zip(weights) {
            *to = [from.middlegame().into(), from.endgame().into()];
        }
        vector
    }

    /// To integer centipawns.
    pub fn to_weights(&self) -> [Tapered; FEATURES] {
        let round = |value: f64| value.round().clamp(-9999.0, 9999.0) as i32;
        std::array::from_fn(|feature| {
            let [middlegame, endgame] = self.0[feature];
            Tapered::new(round(middlegame), round(endgame))
        })
    }

    pub fn add(&mut self, other: &Vector) {
        for (to, from) in self.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            *to += from;
        }
    }

    fn dot(&self, counts: &[Count]) -> [f64; 2] {
        let mut sum = [0.0; 2];
        for &Count { feature, count } in counts {
            let weight = &self.0[usize::from(feature)];
            sum[0] += weight[0] * f64::from(count);
            sum[1] += weight[1] * f64::from(count);
        }
        sum
    }

    fn add_times(&mut self, counts: &[Count], factor: [f64; 2]) {
        for &Count { feature, count } in counts {
            let to = &mut self.0[usize::from(feature)];
            to[0] += factor[0] * f64::from(count);
            to[1] += factor[1] * f64::from(count);
        }
    }
}

/// A value in centipawns for the side to move, and what is needed for its gradient.
pub(super) struct Value {
    pub centipawns: f64,
    /// Weights of middlegame and endgame.
    shares: [f64; 2],
    /// Derivatives of the danger curves, ours and theirs, middlegame and endgame.
    slopes: [[f64; 2]; 2],
}

/// The value of an example.
pub(super) fn value(example: &TuningExample, weights: &Vector) -> Value {
    let mut sum = weights.dot(example.plain);
    let mut slopes = [[0.0; 2]; 2];
    for ((units, slopes), sign) in example.units.iter().zip(&mut slopes).zip([1.0, -1.0]) {
        let units = weights.dot(units);
        let (middlegame, endgame) = (middlegame_curve(units[0]), endgame_curve(units[1]));
        sum[0] += sign * middlegame.0;
        sum[1] += sign * endgame.0;
        *slopes = [sign * middlegame.1, sign * endgame.1];
    }
    let scale = example.scales[usize::from(sum[1] < 0.0)] / f64::from(FULL_SCALE);
    let phase = example.phase / f64::from(FULL_PHASE);
    let shares = [phase, scale * (1.0 - phase)];
    Value { centipawns: sum[0] * shares[0] + sum[1] * shares[1] + example.drive, shares, slopes }
}

/// Adds `factor` times the gradient.
pub(super) fn add_gradient(example: &TuningExample, value: &Value, factor: f64, gradient: &mut Vector) {
    let shares = value.shares.map(|share| share * factor);
    gradient.add_times(example.plain, shares);
    for (units, slopes) in example.units.iter().zip(value.slopes) {
        gradient.add_times(units, [shares[0] * slopes[0], shares[1] * slopes[1]]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::examples::TuningExamples;
    use crate::tune::sample::TuningPosition;
    use chess::Position;
    use engine::evaluation::{Evaluator, WEIGHTS};
    use record::pgn::GameResult;
    use support::random::Random;

    fn random_examples() -> (TuningExamples, Vec<Position>) {
        let mut random = Random::new(5);
        let (mut examples, mut positions) = (TuningExamples::default(), Vec::new());
        for _ in 0..30 {
            let mut position = Position::startpos();
            for _ in 0..150 {
                if position.outcome().is_some() {
                    break;
                }
                let moves = position.legal_moves();
                position = position.after(moves[random.below(moves.len())]);
                examples.push(&TuningPosition { position, score: None, result: GameResult::Draw });
                positions.push(position);
            }
        }
        (examples, positions)
    }

    /// The evaluation rounds four times (two danger values for each side, scaling, tapering), each time by
    /// less than a centipawn.
    #[test]
    fn model_matches_evaluation() {
        let (examples, positions) = random_examples();
        let weights = Vector::from_weights(&WEIGHTS);
        let mut evaluator = Evaluator::new();
        assert!(examples.len() > 2_000);
        for (index, position) in positions.iter().enumerate() {
            let difference =
                value(&examples.get(index), &weights).centipawns - f64::from(evaluator.evaluate(position));
            assert!(difference.abs() < 3.0, "{difference} in {position:?}");
        }
    }

    #[test]
    fn gradient_matches_finite_differences() {
        let (examples, _) = random_examples();
        let weights = Vector::from_weights(&WEIGHTS);
        let mut random = Random::new(9);
        for index in (0..examples.len()).step_by(37) {
            let example = examples.get(index);
            let here = value(&example, &weights);
            let mut gradient = Vector::zero();
            add_gradient(&example, &here, 1.0, &mut gradient);
            for _ in 0..40 {
                let (feature, phase) = (random.below(FEATURES), random.below(2));
                let mut moved = weights.clone();
                moved.0[feature][phase] += 1e-5;
                let slope = (value(&example, &moved).centipawns - here.centipawns) / 1e-5;
                assert!((slope - gradient.0[feature][phase]).abs() < 1e-2, "feature {feature}");
            }
        }
    }
}
