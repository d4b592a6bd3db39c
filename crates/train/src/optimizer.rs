//! `AdamW` with limits: steps of about equal length for every parameter, decay apart from the gradient, and no
//! parameter beyond what the quantised network can hold.

use serde::{Deserialize, Serialize};

use crate::parameters::Group;

/// What stays the same through a training.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Optimizer {
    /// How much of the mean gradient is kept from step to step.
    pub beta1: f32,
    /// How much of the mean squared gradient is kept from step to step.
    pub beta2: f32,
    /// How strongly weights are drawn to zero, as a share of the learning rate.
    pub weight_decay: f32,
}

impl Default for Optimizer {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, weight_decay: 0.01 }
    }
}

/// Keeps the division finite where a parameter has no gradient. Gradients are sums over a batch, so it is far below
/// any that counts.
pub const EPSILON: f32 = 1e-8;

/// The numbers of one step, with everything that does not depend on the parameter worked out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Update {
    /// How much of the mean gradient is kept.
    pub beta1: f32,
    /// How much of the mean squared gradient is kept.
    pub beta2: f32,
    /// Length of the step, corrected for means that begin at zero.
    pub rate: f32,
    /// What the root of the mean squared gradient is multiplied by, for the same correction.
    pub root_scale: f32,
    /// What a parameter is multiplied by before it is moved.
    pub keep: f32,
    /// Whether the network computes with parameters rounded to their integers.
    pub quantise: bool,
}

impl Optimizer {
    /// The numbers of a step; the first step is 1.
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

/// Parameters of one group, or a stretch of it, with all that belongs to them.
pub struct Stretch<'a> {
    /// The parameters as they are learned.
    pub weights: &'a mut [f32],
    /// The parameters as the network computes with them.
    pub used: &'a mut [f32],
    /// Mean gradients.
    pub first_moments: &'a mut [f32],
    /// Mean squared gradients.
    pub second_moments: &'a mut [f32],
    /// Gradients of this step.
    pub gradients: &'a [f32],
}

impl Update {
    /// Moves parameters by one step.
    #[inline(always)]
    pub fn apply(&self, group: &Group, stretch: &mut Stretch) {
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

    fn group(limit: f32) -> Group {
        Group { range: 0..1, limit, one: 64.0 }
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
    fn the_first_step_has_the_length_of_the_rate() {
        for gradient in [1e-3, 5.0, 1e6] {
            let (weight, _) = after(1, 2.0, false, |_| gradient);
            assert!((weight - 0.99).abs() < 1e-5, "{gradient}: {weight}");
        }
    }

    #[test]
    fn the_lowest_point_is_found() {
        let (weight, _) = after(500, 2.0, false, |weight| weight - 0.3);
        assert!((weight - 0.3).abs() < 0.01, "{weight}");
    }

    #[test]
    fn limits_hold_and_quantised_weights_are_multiples() {
        assert_eq!(after(200, 1.1, false, |_| -1.0), (1.1, 1.1));
        let (weight, used) = after(7, 2.0, true, |_| 1.0);
        assert!((used * 64.0).fract().abs() < 1e-6 && (used - weight).abs() <= 0.5 / 64.0);
        assert!((weight * 64.0).fract().abs() > 1e-3, "the exact weight is kept: {weight}");
    }

    #[test]
    fn decay_draws_to_zero_without_gradient() {
        let update = Optimizer { weight_decay: 0.5, ..Optimizer::default() }.update(1, 0.1, false);
        assert!((update.keep - 0.95).abs() < 1e-6);
    }
}
