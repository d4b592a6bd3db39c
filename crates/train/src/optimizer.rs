//! `AdamW` with weight clipping: no
//! parameter beyond what the quantised network can hold.

use serde::{Deserialize, Serialize};

use crate::parameters::ParameterGroup;

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Optimizer {
    /// Decay of the first moment.
    pub beta1: f32,
    /// Decay of the second moment.
    pub beta2: f32,
    /// Relative to the learning rate.
    pub weight_decay: f32,
}

impl Default for Optimizer {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, weight_decay: 0.01 }
    }
}

/// Epsilon. Gradients are sums over a batch, so it is far below
/// any that matters.
pub const EPSILON: f32 = 1e-8;

/// The constants of one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Update {
    pub beta1: f32,
    pub beta2: f32,
    /// Learning rate with bias correction.
    pub rate: f32,
    /// Bias correction of the root of the second moment.
    pub root_scale: f32,
    /// Factor of weight decay.
    pub keep: f32,
    /// Whether the forward pass uses quantised parameters.
    pub quantise: bool,
}

impl Optimizer {
    /// Steps count from 1.
    pub fn update(&self, step: u64, rate: f64, quantise: bool) -> Update {
        let power = i32::try_from(step).unwrap_or(i32::MAX);
        let correction = |beta: f32| 1.0 - f64::from(beta).powi(power);
        Update {
            beta1: self.beta1,
            beta2: self.beta2,
            rate: (rate / correction(self.beta1)) as f32,
            root_scale: (1.0 / correction(self.beta2)).sqrt() as f32,
            keep: (1.0 - rate * f64::from(self.weight_decay)) as f32,
            quantise,
        }
    }
}

/// A slice of one group of parameters with its optimizer state.
pub struct Stretch<'a> {
    /// In full precision.
    pub weights: &'a mut [f32],
    /// Of the forward pass.
    pub used: &'a mut [f32],
    pub first_moments: &'a mut [f32],
    pub second_moments: &'a mut [f32],
    pub gradients: &'a [f32],
}

impl Update {
    #[inline(always)]
    pub fn apply(&self, group: &ParameterGroup, stretch: &mut Stretch) {
        let Stretch { weights, used, first_moments, second_moments, gradients } = stretch;
        let moments = first_moments.iter_mut().zip(second_moments.iter_mut());
        for (((weight, used), (first, second)), &gradient) in
            weights.iter_mut().zip(used.iter_mut()).zip(moments).zip(gradients.iter())
        {
            *first = self.beta1 * *first + (1.0 - self.beta1) * gradient;
            *second = self.beta2 * *second + (1.0 - self.beta2) * gradient * gradient;
            let step = self.rate * *first / (second.sqrt() * self.root_scale + EPSILON);
            *weight = (*weight * self.keep - step).max(-group.limit).min(group.limit);
            *used = *weight;
        }
        if self.quantise {
            group.round(used);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(limit: f32) -> ParameterGroup {
        ParameterGroup { range: 0..1, limit, one: 64.0 }
    }

    fn after(steps: u64, limit: f32, quantise: bool, gradient: impl Fn(f32) -> f32) -> (f32, f32) {
        let (mut weight, mut used, mut first, mut second) = ([1.0], [1.0], [0.0], [0.0]);
        let optimizer = Optimizer { weight_decay: 0.0, ..Optimizer::default() };
        for step in 1..=steps {
            let gradients = [gradient(used[0])];
            let mut stretch = Stretch {
                weights: &mut weight,
                used: &mut used,
                first_moments: &mut first,
                second_moments: &mut second,
                gradients: &gradients,
            };
            optimizer.update(step, 0.01, quantise).apply(&group(limit), &mut stretch);
        }
        (weight[0], used[0])
    }

    #[test]
    fn first_step_has_the_learning_rate() {
        for gradient in [1e-3, 5.0, 1e6] {
            let (weight, _) = after(1, 2.0, false, |_| gradient);
            assert!((weight - 0.99).abs() < 1e-5, "{gradient}: {weight}");
        }
    }

    #[test]
    fn minimum_is_found() {
        let (weight, _) = after(500, 2.0, false, |weight| weight - 0.3);
        assert!((weight - 0.3).abs() < 0.01, "{weight}");
    }

    #[test]
    fn weights_are_clipped_and_quantised() {
        assert_eq!(after(200, 1.1, false, |_| -1.0), (1.1, 1.1));
        let (weight, used) = after(7, 2.0, true, |_| 1.0);
        assert!((used * 64.0).fract().abs() < 1e-6 && (used - weight).abs() <= 0.5 / 64.0);
        assert!((weight * 64.0).fract().abs() > 1e-3, "the exact weight is kept: {weight}");
    }

    #[test]
    fn weights_decay_without_gradient() {
        let update = Optimizer { weight_decay: 0.5, ..Optimizer::default() }.update(1, 0.1, false);
        assert!((update.keep - 0.95).abs() < 1e-6);
    }
}
