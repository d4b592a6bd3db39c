//! All parameters of a network in one list, for optimizer and checkpoints.
//!
//! It concatenates the network's lists, each in the order of the shape. Every list is a [`ParameterGroup`] with limits of its
//! own; groups of layers that the network does not have are empty.

use std::ops::Range;

use nnue::FloatNetwork;
use nnue::shape::{Head, LISTS, OUTPUT_BUCKETS, SECOND_INPUTS, SECOND_LAYER, Shape};

use crate::inputs::PERSPECTIVES;
use crate::random;

/// Parameters with common limits.
#[derive(Clone, PartialEq, Debug)]
pub struct ParameterGroup {
    pub range: Range<usize>,
    /// Maximum absolute value.
    pub limit: f32,
    /// The integer for 1.0.
    pub one: f32,
}

impl ParameterGroup {
    /// Rounds to what the quantised network can hold.
    #[inline(always)]
    pub fn round(&self, parameters: &mut [f32]) {
        for parameter in parameters {
            *parameter = (*parameter * self.one).round_ties_even() / self.one;
        }
    }
}

/// Indices into [`groups`].
pub const FEATURE_WEIGHTS: usize = 0;
pub const FEATURE_BIAS: usize = 1;
pub const FIRST_WEIGHTS: usize = 2;
pub const FIRST_BIAS: usize = 3;
pub const SECOND_WEIGHTS: usize = 4;
pub const SECOND_BIAS: usize = 5;
pub const OUTPUT_WEIGHTS: usize = 6;
pub const OUTPUT_BIAS: usize = 7;

/// Weights and biases of the features, of the first and the second layer, and of the output.
pub fn groups(shape: Shape) -> [ParameterGroup; LISTS] {
    let mut begin = 0;
    shape.lists().map(|list| {
        let range = begin..begin + list.count;
        begin = range.end;
        ParameterGroup { range, limit: list.limit, one: list.one as f32 }
    })
}

pub fn count(shape: Shape) -> usize {
    groups(shape)[OUTPUT_BIAS].range.end
}

pub fn flatten(network: &FloatNetwork) -> Vec<f32> {
    network.lists().into_iter().flatten().copied().collect()
}

///
/// # Panics
/// If the list does not have the shape's length.
pub fn unflatten(shape: Shape, list: &[f32]) -> FloatNetwork {
    assert_eq!(list.len(), count(shape), "the list has the length of the shape");
    FloatNetwork::from_lists(shape, groups(shape).map(|group| list[group.range].to_vec()))
}

/// Mean number of pieces in self-play games: how many inputs a unit sums.
const USUAL_MEN: f64 = 18.0;

/// Initial random weights: units of the features and of the second layer in the middle of their range, sums of the first
/// layer around 0; the same for all king buckets and output buckets.
pub fn initial(shape: Shape, seed: u64) -> FloatNetwork {
    let groups = groups(shape);
    // Draws from a sequence of the seed; those of one bucket are repeated for the others.
    let weights = |group: usize, sequence: u64, deviation: f64, buckets: usize| -> Vec<f32> {
        let ParameterGroup { range, limit, .. } = &groups[group];
        let period = (range.len() / buckets).max(1);
        let draw = |index| random::normal(random::bits(seed, sequence), index as u64) * deviation;
        (0..range.len()).map(|index| (draw(index % period) as f32).clamp(-limit, *limit)).collect()
    };
    let biases = |group: usize, bias: f32| vec![bias; groups[group].range.len()];
    let fan_in = |inputs: usize| 1.0 / (inputs as f64).sqrt();
    let output_inputs = match shape.head() {
        Head::Single => PERSPECTIVES * shape.hidden(),
        Head::Layered => SECOND_LAYER,
    };
    FloatNetwork {
        shape,
        feature_weights: weights(FEATURE_WEIGHTS, 0, 0.25 / USUAL_MEN.sqrt(), shape.king_buckets()),
        feature_bias: biases(FEATURE_BIAS, 0.5),
        first_weights: weights(FIRST_WEIGHTS, 2, fan_in(shape.hidden()), OUTPUT_BUCKETS),
        first_bias: biases(FIRST_BIAS, 0.0),
        second_weights: weights(SECOND_WEIGHTS, 3, fan_in(SECOND_INPUTS), OUTPUT_BUCKETS),
        second_bias: biases(SECOND_BIAS, 0.5),
        output_weights: weights(OUTPUT_WEIGHTS, 1, fan_in(output_inputs), OUTPUT_BUCKETS),
        output_bias: biases(OUTPUT_BIAS, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_round_trip() {
        let single = Shape::new(128).unwrap().with_king_buckets(4).unwrap();
        for shape in [single, single.with_head(Head::Layered).unwrap()] {
            let network = initial(shape, 5);
            assert!(network.is_complete());
            let list = flatten(&network);
            assert_eq!(list.len(), count(shape));
            assert_eq!(unflatten(shape, &list), network);
        }
    }

    #[test]
    fn initial_weights_depend_on_the_seed() {
        for head in Head::ALL {
            let shape = Shape::new(128).unwrap().with_head(head).unwrap();
            let network = initial(shape, 1);
            assert!(network.is_complete());
            assert_eq!(network.beyond_limits(), 0);
            assert_ne!(network, initial(shape, 2));
        }
    }

    /// Trainings of earlier versions can be repeated bit for bit.
    #[test]
    fn initial_weights_of_single_layer_networks_stay() {
        let network = initial(Shape::new(64).unwrap(), 1);
        let sum = |list: &[f32]| {
            list.iter().enumerate().map(|(at, x)| f64::from(*x) * (at % 97) as f64).sum::<f64>()
        };
        let sums =
            [&network.feature_weights, &network.output_weights].map(|list| format!("{:.4}", sum(list)));
        assert_eq!(sums, ["-1000.1534", "-216.7439"]);
    }
}
