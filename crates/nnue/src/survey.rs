//! Statistics of a network's weights.

use crate::file::AnyNetwork;
use crate::float::FloatNetwork;
use crate::shape::{FEATURE_WEIGHT_LIMIT, OUTPUT_WEIGHT_LIMIT, UNIT_ONE};

/// The weights of one layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Layer {
    /// Minimum and maximum.
    pub range: (f32, f32),
    /// Mean magnitude.
    pub mean_size: f32,
    /// Weights at the limit, clipped by the trainer.
    pub at_limit: usize,
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
    /// Weights of the outputs.
    pub outputs: Layer,
    /// Dead units: no input or no output weight after quantisation.
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
        let hidden = network.shape.hidden();
        let nothing = 0.5 / UNIT_ONE as f32;
        let column_is_nothing = |weights: &[f32], unit: usize| {
            weights.iter().skip(unit).step_by(hidden).all(|weight| weight.abs() < nothing)
        };
        let is_idle = |&unit: &usize| {
            column_is_nothing(&network.feature_weights, unit)
                || column_is_nothing(&network.output_weights, unit)
        };
        Survey {
            features: Layer::of(&network.feature_weights, FEATURE_WEIGHT_LIMIT),
            bias: Layer::of(&network.feature_bias, FEATURE_WEIGHT_LIMIT),
            outputs: Layer::of(&network.output_weights, OUTPUT_WEIGHT_LIMIT),
            idle_units: (0..hidden).filter(is_idle).count(),
        }
    }
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
            assert!(survey.features.range.0 < -0.29 && survey.features.range.1 >= FEATURE_WEIGHT_LIMIT);
            assert!((survey.outputs.mean_size - 0.1).abs() < 0.02, "{survey:?}");
        }
    }
}
