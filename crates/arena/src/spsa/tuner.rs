//! The tuner: chooses perturbations, and updates the parameters from the results.
//!
//! Steps follow Spall's gain sequences as fishtest and `OpenBench` use them: `C_end` is the perturbation and `R_end` the
//! ratio of step to squared perturbation in the last iteration.

use serde::{Deserialize, Serialize};

use super::parameter::TunedParameter;
use support::random::Random;

/// The gain sequence; the defaults are Spall's recommendation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gains {
    /// Exponent of the steps.
    pub alpha: f64,
    /// Exponent of the perturbations.
    pub gamma: f64,
    /// Stability constant A, as a share of the iterations.
    pub stability: f64,
}

impl Default for Gains {
    fn default() -> Self {
        Self { alpha: 0.602, gamma: 0.101, stability: 0.1 }
    }
}

/// A tuning run. It can be saved between iterations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuner {
    parameters: Vec<TunedParameter>,
    /// Their initial values.
    #[serde(default)]
    start: Vec<f64>,
    gains: Gains,
    iterations: u64,
    given_out: u64,
    finished: u64,
    seed: u64,
}

/// One iteration: two sets of values that play each other.
#[derive(Clone, Debug, PartialEq)]
pub struct SpsaIteration {
    /// From 1.
    pub number: u64,
    /// The sign of each perturbation: +1 or −1.
    flips: Vec<i8>,
    pub plus: Vec<f64>,
    pub minus: Vec<f64>,
}

impl Tuner {
    pub fn new(parameters: Vec<TunedParameter>, iterations: u64, gains: Gains, seed: u64) -> Self {
        let start = parameters.iter().map(|parameter| parameter.value).collect();
        Self { parameters, start, gains, iterations, given_out: 0, finished: 0, seed }
    }

    /// The parameters with their current values.
    pub fn parameters(&self) -> &[TunedParameter] {
        &self.parameters
    }

    /// The parameters with their initial values, those that moved most relative to `C_end` first.
    pub fn drift(&self) -> Vec<(&TunedParameter, f64)> {
        let mut moved: Vec<_> = self.parameters.iter().zip(self.start.iter().copied()).collect();
        let distance =
            |(parameter, start): &(&TunedParameter, f64)| (parameter.value - start).abs() / parameter.c_end;
        moved.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
        moved
    }

    /// Finished and total iterations.
    pub fn progress(&self) -> (u64, u64) {
        (self.finished, self.iterations)
    }

    /// Repeats iterations that were not finished, after an interruption.
    pub fn resume(&mut self) {
        self.given_out = self.finished;
    }

    /// Perturbation and step of a parameter in an iteration.
    fn sizes(&self, parameter: &TunedParameter, number: u64) -> (f64, f64) {
        let (last, now) = (self.iterations as f64, number as f64);
        let stability = self.gains.stability * last;
        let perturbation = parameter.c_end * (last / now).powf(self.gains.gamma);
        let last_gain = parameter.r_end * parameter.c_end * parameter.c_end;
        let gain = last_gain * ((stability + last) / (stability + now)).powf(self.gains.alpha);
        (perturbation, gain / perturbation)
    }

    /// The next iteration; `None` after the last.
    pub fn next_iteration(&mut self) -> Option<SpsaIteration> {
        if self.given_out >= self.iterations {
            return None;
        }
        self.given_out += 1;
        let number = self.given_out;
        let mut random = Random::new(self.seed ^ number.wrapping_mul(support::random::STEP));
        let flips: Vec<i8> =
            self.parameters.iter().map(|_| if random.unit() < 0.5 { 1 } else { -1 }).collect();
        let mut perturbed = |sign: f64| -> Vec<f64> {
            let values = self.parameters.iter().zip(&flips).map(|(parameter, &flip)| {
                let (perturbation, _) = self.sizes(parameter, number);
                let value = (parameter.value + sign * f64::from(flip) * perturbation)
                    .clamp(parameter.min, parameter.max);
                // Stochastic rounding, so that small perturbations are not lost.
                if parameter.is_integer { (value + random.unit()).floor().min(parameter.max) } else { value }
            });
            values.collect()
        };
        let (plus, minus) = (perturbed(1.0), perturbed(-1.0));
        Some(SpsaIteration { number, flips, plus, minus })
    }

    /// Updates the parameters; `result` is wins minus losses of the first engine.
    pub fn finish(&mut self, iteration: &SpsaIteration, result: f64) {
        for index in 0..self.parameters.len() {
            let (_, step) = self.sizes(&self.parameters[index], iteration.number);
            let flip = f64::from(iteration.flips.get(index).copied().unwrap_or(0));
            let parameter = &mut self.parameters[index];
            parameter.value = (parameter.value + step * result * flip).clamp(parameter.min, parameter.max);
        }
        self.finished += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::elo_to_score;

    fn parameter(line: &str) -> TunedParameter {
        line.parse().expect(line)
    }

    /// By the definitions of `C_end` and `R_end`.
    #[test]
    fn last_iteration_uses_c_end_and_r_end() {
        let tuner = Tuner::new(vec![parameter("x, float, 5, 0, 10, 0.5, 0.002")], 1000, Gains::default(), 1);
        let (perturbation, step) = tuner.sizes(&tuner.parameters[0], 1000);
        assert!((perturbation - 0.5).abs() < 1e-12);
        assert!((step / perturbation - 0.002).abs() < 1e-12);
        let (first_perturbation, first_step) = tuner.sizes(&tuner.parameters[0], 1);
        assert!(first_perturbation > perturbation && first_step > step);
    }

    #[test]
    fn values_stay_in_range() {
        let line = "x, int, 10, 0, 10, 4, 0.002";
        let mut tuner = Tuner::new(vec![parameter(line)], 200, Gains::default(), 9);
        while let Some(iteration) = tuner.next_iteration() {
            for value in iteration.plus.iter().chain(&iteration.minus) {
                assert!((0.0..=10.0).contains(value) && value.fract().abs() < f64::EPSILON, "{value}");
            }
            tuner.finish(&iteration, 8.0);
        }
        assert_eq!(tuner.progress(), (200, 200));
    }

    /// Simulated engines whose strength decreases with the distance from an optimum.
    #[test]
    fn finds_the_optimum_of_noisy_matches() {
        let optimum = [70.0, 0.3];
        let lines = ["a, int, 40, 0, 100, 5, 0.02", "b, float, 0.8, 0, 1, 0.05, 0.02"];
        let mut tuner = Tuner::new(lines.map(parameter).to_vec(), 4000, Gains::default(), 3);
        let strength = |values: &[f64]| {
            let a = (values[0] - optimum[0]) / 100.0;
            let b = values[1] - optimum[1];
            -800.0 * (a * a + b * b)
        };
        let mut random = Random::new(17);
        while let Some(iteration) = tuner.next_iteration() {
            let expected = elo_to_score(strength(&iteration.plus) - strength(&iteration.minus));
            let result: f64 = (0..16).map(|_| if random.unit() < expected { 1.0 } else { -1.0 }).sum();
            tuner.finish(&iteration, result);
        }
        let values: Vec<f64> = tuner.parameters().iter().map(|parameter| parameter.value).collect();
        assert!((values[0] - optimum[0]).abs() < 8.0 && (values[1] - optimum[1]).abs() < 0.08, "{values:?}");
    }

    #[test]
    fn drift_is_sorted() {
        let lines =
            ["a, float, 50, 0, 100, 50, 0.1", "b, float, 50, 0, 100, 1, 0.5", "c, int, 5, 0, 9, 1, 0.001"];
        let mut tuner = Tuner::new(lines.map(parameter).to_vec(), 10, Gains::default(), 1);
        let iteration = tuner.next_iteration().expect("first");
        tuner.finish(&iteration, 4.0);
        let drift = tuner.drift();
        let names: Vec<&str> = drift.iter().map(|(parameter, _)| parameter.name.as_str()).collect();
        // `a` has moved ten times as far as `b` in its own unit, but a fifth as far relative to C_end.
        assert_eq!(names, ["b", "a", "c"]);
        assert!((drift[0].1 - 50.0).abs() < f64::EPSILON && (drift[2].1 - 5.0).abs() < f64::EPSILON);
    }

    #[test]
    fn interrupted_run_resumes() {
        let mut tuner =
            Tuner::new(vec![parameter("x, float, 5, 0, 10, 0.5, 0.002")], 10, Gains::default(), 1);
        let first = tuner.next_iteration().expect("first");
        tuner.finish(&first, 1.0);
        let lost = tuner.next_iteration().expect("second");
        let text = serde_json::to_string(&tuner).expect("plain data");
        let mut again: Tuner = serde_json::from_str(&text).expect("plain data");
        again.resume();
        assert_eq!(again.next_iteration(), Some(lost));
    }
}
