//! Exercise 7: tuning an evaluation.
//!
//! What is a knight worth? Nobody knows, but games do: from positions and the results of their games, the values can be
//! computed that predict the results best (Texel tuning). It is the smallest example of how Vedette's own evaluations are
//! made: the classical one by `vedette tune`, the network by `vedette train`.
//!
//! - An evaluation is a weighted sum: the difference in pawns times a weight, plus the difference in knights times another,
//!   and so on for bishops, rooks and queens.
//! - A score becomes a prediction of the result between 0 and 1 by the sigmoid `1 / (1 + 10^(-score / 400))`.
//! - The *loss* is the mean squared difference of prediction and result.
//! - The *gradient* says for each weight how the loss changes with it. A step against it makes the loss smaller.
//!
//! The samples are made up: positions of random games, with results that follow from values which only the check knows.
//! Your weights must find them.
//!
//! Look at a real one: `vedette tune --help`, and the loss curves in `docs/training.md`. The studio's network view shows what
//! a network has learned about a position, and its microscope where a search used it: the static evaluation of every node.

use chess::Position;

/// By role from pawn to queen.
pub type Weights = [f64; 5];

/// A position and the expected result of its game for White: 1 for a win, 0.5 for a draw.
#[derive(Clone, Debug)]
pub struct Sample {
    /// White's pawns, knights, bishops, rooks and queens minus Black's.
    pub features: [f64; 5],
    pub result: f64,
}

/// The features of a position: White's pieces minus Black's, by role from pawn to queen.
///
/// `position.count(Color::White, Role::Pawn)` is the number of white pawns, and `Role::ALL` begins with the five roles.
pub fn features(position: &Position) -> [f64; 5] {
    todo!("the differences in material of {position}")
}

/// The prediction for features: the sigmoid of their weighted sum.
pub fn predict(weights: &Weights, features: &[f64; 5]) -> f64 {
    todo!("1 / (1 + 10^(-score / 400)) for {weights:?} and {features:?}")
}

/// The mean squared error of the predictions.
pub fn loss(weights: &Weights, samples: &[Sample]) -> f64 {
    todo!("the mean of (prediction - result)² over {} samples with {weights:?}", samples.len())
}

/// The derivative of the loss by each weight.
///
/// Hint: the derivative of the sigmoid p by the score is `p (1 - p) ln 10 / 400`, and the derivative of the score by a weight
/// is its feature. The rest is the chain rule.
pub fn gradient(weights: &Weights, samples: &[Sample]) -> Weights {
    todo!(
        "the mean of 2 (p - result) p (1 - p) ln 10 / 400 · feature over {} samples with {weights:?}",
        samples.len()
    )
}

/// Gradient descent: `steps` times a step of `rate` times the gradient, downhill, from `start`.
pub fn tune(start: Weights, samples: &[Sample], steps: u32, rate: f64) -> Weights {
    todo!("{steps} steps of {rate} from {start:?} on {} samples", samples.len())
}
