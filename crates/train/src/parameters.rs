//! All parameters of a network in one list, for optimizer and checkpoints.
//!
//! It concatenates the network's four lists, each in the order of the shape. Every list is
//! a [`Group`] with limits of its own.

use std::ops::Range;

use nnue::FloatNetwork;
use nnue::shape::{
    FEATURE_WEIGHT_LIMIT, OUTPUT_BIAS_LIMIT, OUTPUT_BUCKETS, OUTPUT_ONE, OUTPUT_WEIGHT_LIMIT, PIECE_SQUARES,
    SUM_ONE, Shape, UNIT_ONE,
};

use crate::inputs::PERSPECTIVES;
use crate::random;

/// Parameters with common limits.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    pub range: Range<usize>,
    /// Maximum absolute value.
    pub limit: f32,
    /// The integer for 1.0.
    pub one: f32,
}

impl Group {
    /// Rounds to what the quantised network can hold.
    #[inline(always)]
    pub fn round(&self, parameters: &mut [f32]) {
        for parameter in parameters {
            *parameter = (*parameter * self.one).round_ties_even() / self.one;
        }
    }
}

/// Feature weights, biases, output weights, output biases.
pub fn groups(shape: Shape) -> [Group; 4] {
    let mut begin = 0;
    [
        (shape.feature_weights(), FEATURE_WEIGHT_LIMIT, UNIT_ONE),
        (shape.hidden(), FEATURE_WEIGHT_LIMIT, UNIT_ONE),
        (shape.output_weights(), OUTPUT_WEIGHT_LIMIT, OUTPUT_ONE),
        (OUTPUT_BUCKETS, OUTPUT_BIAS_LIMIT, SUM_ONE),
    ]
    .map(|(count, limit, one)| {
        let range = begin..begin + count;
        begin = range.end;
        Group { range, limit, one: one as f32 }
    })
}

pub fn count(shape: Shape) -> usize {
    groups(shape)[3].range.end
}

pub fn flatten(network: &FloatNetwork) -> Vec<f32> {
    let lists =
        [&network.feature_weights, &network.feature_bias, &network.output_weights, &network.output_bias];
    lists.into_iter().flatten().copied().collect()
}

///
/// # Panics
/// If the list does not have the shape's length.
pub fn unflatten(shape: Shape, list: &[f32]) -> FloatNetwork {
    assert_eq!(list.len(), count(shape), "the list has the length of the shape");
    let [feature_weights, feature_bias, output_weights, output_bias] =
        groups(shape).map(|group| list[group.range].to_vec());
    FloatNetwork { feature_weights, feature_bias, output_weights, output_bias, ..FloatNetwork::zero(shape) }
}

/// Mean number of pieces in self-play games: how many inputs a unit sums.
const USUAL_MEN: f64 = 18.0;

/// Initial random weights: units in the middle of their range, the same for all king buckets and
/// output buckets.
pub fn initial(shape: Shape, seed: u64) -> FloatNetwork {
    let hidden = shape.hidden();
    let deviation = [0.25 / USUAL_MEN.sqrt(), 1.0 / ((PERSPECTIVES * hidden) as f64).sqrt()];
    let draw = |list: u64, index: usize| {
        (random::normal(random::bits(seed, list), index as u64) * deviation[list as usize]) as f32
    };
    let output_weights = (0..shape.output_weights()).map(|index| {
        draw(1, index % (PERSPECTIVES * hidden)).clamp(-OUTPUT_WEIGHT_LIMIT, OUTPUT_WEIGHT_LIMIT)
    });
    FloatNetwork {
        feature_weights: (0..shape.feature_weights())
            .map(|index| draw(0, index % (PIECE_SQUARES * hidden)))
            .collect(),
        feature_bias: vec![0.5; hidden],
        output_weights: output_weights.collect(),
        output_bias: vec![0.0; OUTPUT_BUCKETS],
        ..FloatNetwork::zero(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_round_trip() {
        let network = initial(Shape::new(64).unwrap().with_king_buckets(4).unwrap(), 5);
        let list = flatten(&network);
        assert_eq!(list.len(), count(network.shape));
        assert_eq!(unflatten(network.shape, &list), network);
    }

    #[test]
    fn initial_weights_depend_on_the_seed() {
        let shape = Shape::new(128).unwrap();
        let network = initial(shape, 1);
        assert!(network.is_complete());
        assert_eq!(network.beyond_limits(), 0);
        assert_ne!(network, initial(shape, 2));
    }
}
