//! Statistics of a network's weights.

use crate::file::AnyNetwork;
use crate::float::FloatNetwork;
use crate::shape::{Head, List};

/// The weights of one layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Layer {
    /// Minimum and maximum.
    pub range: (f32, f32),
    /// Mean magnitude.
    pub mean_size: f32,
    /// Weights at the limit, clipped by the trainer.
    pub at_limit: usize,
    /// The largest size of a weight.
    pub limit: f32,
}

impl Layer {
    fn of(weights: &[f32], limit: f32) -> Layer {
        let least = weights.iter().copied().fold(f32::INFINITY, f32::min);
        let greatest = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sizes: f64 = weights.iter().map(|weight| f64::from(weight.abs())).sum();
        Layer {
            range: (least, greatest),
            mean_size: (sizes / weights.len().max(1) as f64) as f32,
            at_limit: weights.iter().filter(|weight| weight.abs() >= limit).count(),
            limit,
        }
    }
}

/// Weight statistics of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Survey {
    /// Weights of the features.
    pub features: Layer,
    /// Biases of the units.
    pub bias: Layer,
    /// Weights of the first and of the second layer, if the network is layered.
    pub layers: Option<[Layer; 2]>,
    /// Weights of the outputs.
    pub outputs: Layer,
    /// Dead units: no weight from an input or to the next layer after quantisation.
    pub idle_units: usize,
}

impl Survey {
    /// Computes the statistics.
    pub fn of(network: &AnyNetwork) -> Survey {
        match network {
            AnyNetwork::Integer(network) => Survey::of_float(&network.to_float()),
            AnyNetwork::Float(network) => Survey::of_float(network),
        }
    }

    fn of_float(network: &FloatNetwork) -> Survey {
        let shape = network.shape;
        let lists = shape.lists();
        let [features, bias, first, _, second, _, outputs, _] = lists.map(|list| list.limit);
        // A unit of a layered network is an input of the first layer together with another one.
        let (next, next_list, inputs) = match shape.head() {
            Head::Single => (&network.output_weights, lists[6], shape.hidden()),
            Head::Layered => (&network.first_weights, lists[2], shape.hidden() / 2),
        };
        let is_idle = |&unit: &usize| {
            column_is_nothing(&network.feature_weights, lists[0], unit, shape.hidden())
                || column_is_nothing(next, next_list, unit % inputs, inputs)
        };
        Survey {
            features: Layer::of(&network.feature_weights, features),
            bias: Layer::of(&network.feature_bias, bias),
            layers: (shape.head() == Head::Layered).then(|| {
                [Layer::of(&network.first_weights, first), Layer::of(&network.second_weights, second)]
            }),
            outputs: Layer::of(&network.output_weights, outputs),
            idle_units: (0..shape.hidden()).filter(is_idle).count(),
        }
    }
}

/// Whether the weights of a column are 0 after quantisation.
fn column_is_nothing(weights: &[f32], list: List, column: usize, columns: usize) -> bool {
    let nothing = 0.5 / list.one as f32;
    weights.iter().skip(column).step_by(columns).all(|weight| weight.abs() < nothing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    #[test]
    fn dead_units_and_clipped_weights_are_counted() {
        let mut network = FloatNetwork::random(Shape::new(64).unwrap(), 9);
        network.feature_weights[7] = 5.0;
        network.feature_weights.iter_mut().skip(11).step_by(64).for_each(|weight| *weight = 0.0);
        network.output_weights.iter_mut().skip(20).step_by(64).for_each(|weight| *weight = 0.0);
        let rounded = AnyNetwork::Integer(network.quantise());
        for network in [AnyNetwork::Float(network), rounded] {
            let survey = Survey::of(&network);
            assert_eq!(survey.idle_units, 2);
            assert_eq!((survey.features.at_limit, survey.bias.at_limit, survey.outputs.at_limit), (1, 0, 0));
            assert!(survey.features.range.0 < -0.29 && survey.features.range.1 >= survey.features.limit);
            assert_eq!(survey.layers, None);
            assert!((survey.outputs.mean_size - 0.1).abs() < 0.02, "{survey:?}");
        }
    }

    #[test]
    fn idle_units_of_layered_networks() {
        let shape = Shape::new(128).unwrap().with_head(Head::Layered).unwrap();
        let mut network = FloatNetwork::random(shape, 9);
        network.feature_weights.iter_mut().skip(3).step_by(128).for_each(|weight| *weight = 0.0);
        // The input of units 5 and 69, of both sides.
        network.first_weights.iter_mut().skip(5).step_by(64).for_each(|weight| *weight = 0.0);
        network.second_weights[0] = 9.0;
        let rounded = AnyNetwork::Integer(network.quantise());
        for network in [AnyNetwork::Float(network), rounded] {
            let survey = Survey::of(&network);
            assert_eq!(survey.idle_units, 3);
            let [first, second] = survey.layers.unwrap();
            assert_eq!((first.at_limit, second.at_limit, second.limit), (0, 1, 3.0));
        }
    }
}
