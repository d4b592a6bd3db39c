//! Schedules of a training: the learning rate and the WDL weight.

use serde::{Deserialize, Serialize};

/// The weight of results in the target.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "a number, or { from = a number, to = a number }")]
pub enum WdlSchedule {
    Constant(f64),
    /// Linear over the training.
    Line {
        from: f64,
        to: f64,
    },
}

impl WdlSchedule {
    /// The weight after a fraction (0 to 1) of the training.
    pub fn at(self, share: f64) -> f64 {
        match self {
            WdlSchedule::Constant(value) => value,
            WdlSchedule::Line { from, to } => from + (to - from) * share,
        }
    }

    pub fn ends(self) -> [f64; 2] {
        [self.at(0.0), self.at(1.0)]
    }
}

/// Linear warm-up, then cosine decay.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearningRate {
    pub peak: f64,
    /// The last rate relative to the peak.
    pub end: f64,
    /// Fraction of the training.
    pub warm_up: f64,
}

impl Default for LearningRate {
    fn default() -> Self {
        Self { peak: 0.001, end: 0.01, warm_up: 0.03 }
    }
}

impl LearningRate {
    /// The rate of a step, counted from 0.
    pub fn at(&self, step: u64, steps: u64) -> f64 {
        let share = step as f64 / steps.max(1) as f64;
        let rise = ((step + 1) as f64 / (self.warm_up * steps as f64).max(1.0)).min(1.0);
        let fall = f64::midpoint(1.0, (std::f64::consts::PI * share).cos());
        self.peak * rise * (self.end + (1.0 - self.end) * fall)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "these numbers are exact")]
mod tests {
    use super::*;

    #[test]
    fn rate_rises_then_falls() {
        let rate = LearningRate { peak: 0.002, end: 0.1, warm_up: 0.1 };
        let rates: Vec<f64> = (0..1000).map(|step| rate.at(step, 1000)).collect();
        assert!(rates[..90].windows(2).all(|pair| pair[0] < pair[1]));
        assert!(rates[101..].windows(2).all(|pair| pair[0] > pair[1]));
        assert!(rates.iter().all(|&rate| rate < 0.002));
        assert!((rates[999] - 0.0002).abs() < 1e-6);
    }

    #[test]
    fn wdl_weight_is_a_number_or_linear() {
        #[derive(Deserialize)]
        struct Holder {
            blend: WdlSchedule,
        }
        let read = |text: &str| toml::from_str::<Holder>(text).map(|holder| holder.blend);
        assert_eq!(read("blend = 0.25").unwrap().ends(), [0.25, 0.25]);
        assert_eq!(read("blend = { from = 0.25, to = 0.75 }").unwrap().at(0.5), 0.5);
        assert!(read("blend = 'much'").unwrap_err().to_string().contains("a number, or"));
    }
}
