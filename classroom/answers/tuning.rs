//! Answers to exercise 7.

use chess::{Color, Position, Role};

/// By role from pawn to queen.
pub type Weights = [f64; 5];

/// A position and the expected result of its game for White: 1 for a win, 0.5 for a draw.
#[derive(Clone, Debug)]
pub struct Sample {
    /// White's pawns, knights, bishops, rooks and queens minus Black's.
    pub features: [f64; 5],
    pub result: f64,
}

/// The features of a position.
pub fn features(position: &Position) -> [f64; 5] {
    std::array::from_fn(|index| {
        let count = |color: Color| f64::from(position.count(color, Role::ALL[index]));
        count(Color::White) - count(Color::Black)
    })
}

/// The prediction for features.
pub fn predict(weights: &Weights, features: &[f64; 5]) -> f64 {
    let score: f64 = weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
    1.0 / (1.0 + 10_f64.powf(-score / 400.0))
}

/// The mean squared error of the predictions.
pub fn loss(weights: &Weights, samples: &[Sample]) -> f64 {
    let errors = samples.iter().map(|sample| predict(weights, &sample.features) - sample.result);
    errors.map(|error| error * error).sum::<f64>() / samples.len() as f64
}

/// The derivative of the loss by each weight.
pub fn gradient(weights: &Weights, samples: &[Sample]) -> Weights {
    let mut sums = [0.0; 5];
    for sample in samples {
        let p = predict(weights, &sample.features);
        let by_score = 2.0 * (p - sample.result) * p * (1.0 - p) * std::f64::consts::LN_10 / 400.0;
        sums.iter_mut().zip(sample.features).for_each(|(sum, feature)| *sum += by_score * feature);
    }
    sums.map(|sum| sum / samples.len() as f64)
}

/// Gradient descent.
pub fn tune(start: Weights, samples: &[Sample], steps: u32, rate: f64) -> Weights {
    let mut weights = start;
    for _ in 0..steps {
        let slope = gradient(&weights, samples);
        weights.iter_mut().zip(slope).for_each(|(weight, slope)| *weight -= rate * slope);
    }
    weights
}
