//! How sure a verdict is: computed from a count of failures, from the mean of samples or from two groups of samples, or
//! fixed where nothing can be computed.

use serde::{Deserialize, Serialize};

use super::samples::{binomial_tail, mean};
use stats::{normal_cdf, normal_quantile};

/// How sure a verdict is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// From 0 to 1: 1 minus the p-value where there is one, else a fixed level.
    pub level: f64,
    /// The p-value, the interval, or what a fixed level rests on.
    pub basis: String,
}

/// The greatest computed level: floating point has no room for smaller p-values.
const MAX_LEVEL: f64 = 0.999_999;

/// The least computed level of a failure: below it the same would too often be seen in a sound engine.
pub const SIGNIFICANT: f64 = 0.95;

/// How often a single trial fails in an engine without the fault (at most) and in one with it (at least). Both were set
/// from measurements of engines without and with known bugs.
#[derive(Clone, Copy, Debug)]
pub struct TrialRates {
    pub sound: f64,
    pub faulty: f64,
}

/// On which side of a bound the mean is said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundSide {
    Above,
    Below,
}

impl BoundSide {
    pub const fn above_if(above: bool) -> Self {
        if above { Self::Above } else { Self::Below }
    }
}

impl Confidence {
    /// A level that is not computed.
    pub fn fixed(level: f64, rests_on: &str) -> Self {
        Self { level: level.clamp(0.0, 1.0), basis: format!("{rests_on}; fixed level") }
    }

    pub fn is_significant(&self) -> bool {
        self.level >= SIGNIFICANT
    }

    /// Never 100 %.
    #[must_use]
    pub fn capped(self) -> Self {
        Self { level: self.level.clamp(0.0, MAX_LEVEL), ..self }
    }

    pub fn percent(&self) -> String {
        if self.level >= 0.995 { "> 99 %".to_owned() } else { format!("{:.0} %", 100.0 * self.level) }
    }

    /// Of a failure with this many failed trials, or of a pass in spite of them.
    pub fn of_failures(failed: usize, trials: usize, rates: TrialRates, fails: bool) -> Self {
        if fails {
            let p = binomial_tail(failed, trials, rates.sound);
            let basis = format!(
                "{}: at least {failed} of {trials} if the true rate were {:.1} %",
                p_value(p),
                100.0 * rates.sound
            );
            return Self { level: 1.0 - p, basis };
        }
        let p = 1.0 - binomial_tail(failed + 1, trials, rates.faulty);
        let basis = format!(
            "{}: at most {failed} of {trials} if the true rate were {:.0} %",
            p_value(p),
            100.0 * rates.faulty
        );
        Self { level: 1.0 - p, basis }
    }

    /// That the true mean of these samples is on this side of the bound.
    pub fn of_mean(values: &[f64], bound: f64, side: BoundSide) -> Self {
        let spread = Spread::of(values);
        Self::of_distance(mean(values) - bound, spread, side, &format!("{} samples", values.len()))
    }

    /// That the means of two groups differ by more, or by less, than a bound.
    pub fn of_difference(first: &[f64], second: &[f64], bound: f64, side: BoundSide) -> Self {
        let spread = Spread::of_difference(first, second);
        let basis = format!("{} and {} samples", first.len(), second.len());
        Self::of_distance(mean(first) - mean(second) - bound, spread, side, &basis)
    }

    fn of_distance(distance: f64, spread: Option<Spread>, side: BoundSide, samples: &str) -> Self {
        let towards = if side == BoundSide::Above { distance } else { -distance };
        // Without a standard error either side is as likely.
        let p = spread.map_or(0.5, |spread| student_tail(towards / spread.error.max(1e-9), spread.freedom));
        Self { level: 1.0 - p, basis: format!("{}: t-test against the threshold, {samples}", p_value(p)) }
    }

    /// Where the verdict needs both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if other.level < self.level { other } else { self }
    }

    /// Where either is enough for the verdict.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if other.level > self.level { other } else { self }
    }

    /// The same p-value with another text.
    #[must_use]
    pub fn because(self, text: &str) -> Self {
        Self { basis: format!("{}: {text}", p_value(1.0 - self.level)), ..self }
    }

    /// Limited by how far the wall clock can be trusted.
    #[must_use]
    pub fn at_most(self, (trust, why): (f64, String)) -> Self {
        if trust < self.level { Self { level: trust, basis: format!("{}; {why}", self.basis) } } else { self }
    }
}

/// The margin of error of a mean at 95 %; none for fewer than two samples.
pub fn margin_of_error(values: &[f64]) -> Option<f64> {
    Spread::of(values).map(Spread::of_95)
}

/// The same for the difference between the means of two groups.
pub fn margin_of_difference(first: &[f64], second: &[f64]) -> Option<f64> {
    Spread::of_difference(first, second).map(Spread::of_95)
}

/// Standard error of a mean, and its degrees of freedom.
#[derive(Clone, Copy)]
struct Spread {
    error: f64,
    freedom: f64,
}

impl Spread {
    fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        if count < 2.0 {
            return None;
        }
        let average = mean(values);
        let squares: f64 = values.iter().map(|value| (value - average).powi(2)).sum();
        Some(Self { error: (squares / (count - 1.0) / count).sqrt(), freedom: count - 1.0 })
    }

    /// Of the difference of two means (Welch-Satterthwaite).
    fn of_difference(first: &[f64], second: &[f64]) -> Option<Self> {
        let (one, two) = (Self::of(first)?, Self::of(second)?);
        let error = one.error.hypot(two.error);
        let share = |spread: Self| (spread.error / error).powi(4) / spread.freedom;
        let freedom = if error > 0.0 { 1.0 / (share(one) + share(two)) } else { one.freedom + two.freedom };
        Some(Self { error, freedom })
    }

    fn of_95(self) -> f64 {
        student_quantile(0.025, self.freedom) * self.error
    }
}

/// The upper tail of Student's t, by Wallace's normal approximation. A library's exact tail differs in the third digit, and the
/// thresholds were set with this one.
fn student_tail(t: f64, freedom: f64) -> f64 {
    let t = t.clamp(-1e9, 1e9);
    let size = wallace(freedom) * (freedom * (t * t / freedom).ln_1p()).sqrt();
    1.0 - normal_cdf(size.copysign(t))
}

/// The inverse of [`student_tail`] for tails of at most 0.5. A third too large with one degree of freedom, within 4 % with two
/// or more.
fn student_quantile(tail: f64, freedom: f64) -> f64 {
    let size = normal_quantile(1.0 - tail) / wallace(freedom);
    (freedom * (size * size / freedom).exp_m1()).sqrt()
}

fn wallace(freedom: f64) -> f64 {
    (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0)
}

fn p_value(p: f64) -> String {
    if p < 0.0005 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_level_is_certain() {
        let computed = |level| Confidence { level, basis: String::new() }.capped();
        assert!(computed(1.0).level > 0.999 && computed(1.0).level < 1.0);
        let percent = [1.0, 0.995, 0.994, 0.5].map(|level| computed(level).percent());
        assert_eq!(percent, ["> 99 %", "> 99 %", "99 %", "50 %"]);
        assert_eq!(Confidence::fixed(1.0, "no uciok").percent(), "> 99 %");
    }

    const RATES: TrialRates = TrialRates { sound: 0.05, faulty: 0.5 };

    #[test]
    fn confidence_grows_with_samples() {
        let fails = |failed, asked| Confidence::of_failures(failed, asked, RATES, true).level;
        assert!((fails(1, 1) - 0.95).abs() < 1e-12);
        assert!(fails(2, 4) > fails(1, 2) && fails(20, 40) > fails(2, 4));
        let sound = |asked| Confidence::of_failures(0, asked, RATES, false).level;
        assert!((sound(1) - 0.5).abs() < 1e-12 && (sound(4) - 0.9375).abs() < 1e-12);
    }

    #[test]
    fn mean_against_bound() {
        let level = |values: &[f64], side| Confidence::of_mean(values, 10.0, side).level;
        assert!(level(&[12.0, 13.0, 12.5, 12.2], BoundSide::Above) > 0.99);
        assert!(level(&[12.0, 13.0, 12.5, 12.2], BoundSide::Below) < 0.01);
        assert!((level(&[5.0, 15.0], BoundSide::Above) - 0.5).abs() < 1e-9);
        assert!((level(&[50.0], BoundSide::Above) - 0.5).abs() < 1e-9, "one sample has no standard error");
        // Student's t of 2 with 4 degrees of freedom has a tail of 0.058.
        assert!((student_tail(2.0, 4.0) - 0.058).abs() < 0.001);
        assert!((student_tail(-2.0, 4.0) - 0.942).abs() < 0.001);
    }

    #[test]
    fn difference_beyond_noise() {
        let level = |first: &[f64], second: &[f64]| {
            Confidence::of_difference(first, second, 0.0, BoundSide::Above).level
        };
        assert!(level(&[3.0, 3.1, 2.9], &[1.0, 1.1, 0.9]) > 0.99);
        assert!(level(&[1.0, 5.0], &[0.5, 4.5]) < 0.7);
        assert!((level(&[9.0], &[1.0, 1.1]) - 0.5).abs() < 1e-9, "one sample has no standard error");
    }

    #[test]
    fn welch_degrees_of_freedom() {
        let freedom = |first: &[f64], second: &[f64]| Spread::of_difference(first, second).map(|s| s.freedom);
        let near = |value: Option<f64>, wanted: f64| value.is_some_and(|value| (value - wanted).abs() < 0.01);
        let wide = [10.0, 20.0, 30.0];
        assert!(near(freedom(&wide, &wide), 4.0));
        assert!(near(freedom(&wide, &[1.0, 1.0, 1.1, 1.0, 1.1, 1.0]), 2.0));
        assert!(near(freedom(&[1.0, 1.0], &[2.0, 2.0, 2.0]), 3.0), "no spread at all");
        assert_eq!(freedom(&wide, &[1.0]), None);
    }

    #[test]
    fn margin_shrinks_with_samples() {
        // Student's table for 95 %; Wallace's approximation is a little wider.
        for (freedom, t) in [(2.0, 4.303), (4.0, 2.776), (11.0, 2.201), (100.0, 1.984)] {
            let quantile = student_quantile(0.025, freedom);
            assert!(quantile > t - 0.001 && quantile < 1.05 * t, "{freedom}: {quantile}");
            assert!((student_tail(quantile, freedom) - 0.025).abs() < 1e-9, "the inverse");
        }
        let three = margin_of_error(&[9.0, 10.0, 11.0]).expect("three");
        assert!((three * 3.0_f64.sqrt() - 4.475).abs() < 0.01, "{three}");
        assert_eq!(margin_of_error(&[9.0]), None);
        let difference = margin_of_difference(&[9.0, 10.0, 11.0], &[5.0, 5.0, 5.0]).expect("enough samples");
        assert!((difference - three).abs() < 1e-9);
    }
}
