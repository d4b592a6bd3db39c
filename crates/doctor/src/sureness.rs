//! How sure a verdict is, where that can be computed: from a count of failures, from the mean of samples, from two groups of
//! samples. The checks give it to their findings.

use super::samples::{binomial_tail, mean};
use stats::{normal_cdf, normal_quantile};

/// How seldom chance alone would lead to a verdict, and how that was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Sureness {
    /// From 0 to 1.
    pub level: f64,
    /// The p-value in words.
    pub basis: String,
}

/// How often a single try fails in an engine in which nothing of the kind is wrong, and in one in which it is. Both are set
/// by hand, from what sound engines and engines with a known bug do.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// In a sound engine, at the most.
    pub sound: f64,
    /// In a faulty one, at the least.
    pub faulty: f64,
}

/// On which side of a bound the verdict says a mean is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Above it.
    Above,
    /// Below it.
    Below,
}

impl Side {
    /// `Above` if that is so.
    pub const fn above_if(above: bool) -> Self {
        if above { Self::Above } else { Self::Below }
    }
}

impl Sureness {
    /// Of an alarm by so many failures, or of a sound verdict in spite of them.
    pub fn of_failures(failed: usize, asked: usize, rates: Rates, alarm: bool) -> Self {
        if alarm {
            let p = binomial_tail(failed, asked, rates.sound);
            let basis = format!(
                "{}: {failed} or more of {asked} by chance, where {:.1} % fail in a sound engine",
                told(p),
                100.0 * rates.sound
            );
            return Self { level: 1.0 - p, basis };
        }
        let p = 1.0 - binomial_tail(failed + 1, asked, rates.faulty);
        let basis = format!(
            "{}: no more than {failed} of {asked} by chance, where {:.0} % fail in a faulty engine",
            told(p),
            100.0 * rates.faulty
        );
        Self { level: 1.0 - p, basis }
    }

    /// That the mean of what these samples are drawn from lies on this side of a bound.
    pub fn of_mean(values: &[f64], bound: f64, side: Side) -> Self {
        let spread = Spread::of(values);
        Self::of_distance(mean(values) - bound, spread, side, &format!("{} samples", values.len()))
    }

    /// That the means of two groups differ by more or by less than a bound.
    pub fn of_difference(first: &[f64], second: &[f64], bound: f64, side: Side) -> Self {
        let spread = Spread::of_difference(first, second);
        let basis = format!("{} and {} samples", first.len(), second.len());
        Self::of_distance(mean(first) - mean(second) - bound, spread, side, &basis)
    }

    fn of_distance(distance: f64, spread: Option<Spread>, side: Side, samples: &str) -> Self {
        let towards = if side == Side::Above { distance } else { -distance };
        // Where nothing is known of the error, either side is as good as the other.
        let p = spread.map_or(0.5, |spread| student_tail(towards / spread.error.max(1e-9), spread.freedom));
        Self { level: 1.0 - p, basis: format!("{}: the other side of the bound, {samples}", told(p)) }
    }

    /// The less sure of two, both of which the verdict needs.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if other.level < self.level { other } else { self }
    }

    /// The surer of two, each of which is enough.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if other.level > self.level { other } else { self }
    }

    /// The same with other words behind the p-value.
    #[must_use]
    pub fn because(self, words: &str) -> Self {
        Self { basis: format!("{}: {words}", told(1.0 - self.level)), ..self }
    }

    /// No surer than the clock can be trusted.
    #[must_use]
    pub fn at_most(self, (trust, why): (f64, String)) -> Self {
        if trust < self.level { Self { level: trust, basis: format!("{}; {why}", self.basis) } } else { self }
    }
}

/// The error of 95 % of a mean; none of fewer than two samples, which do not show it.
pub fn error_of_95(values: &[f64]) -> Option<f64> {
    Spread::of(values).map(Spread::of_95)
}

/// The error of 95 % of the difference between the means of two groups; none where a group has fewer than two samples.
pub fn error_of_difference(first: &[f64], second: &[f64]) -> Option<f64> {
    Spread::of_difference(first, second).map(Spread::of_95)
}

/// How far from the truth a mean may be.
#[derive(Clone, Copy)]
struct Spread {
    /// Its standard error.
    error: f64,
    /// The degrees of freedom from which that is known.
    freedom: f64,
}

impl Spread {
    /// Of the mean of these.
    fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        if count < 2.0 {
            return None;
        }
        let average = mean(values);
        let squares: f64 = values.iter().map(|value| (value - average).powi(2)).sum();
        Some(Self { error: (squares / (count - 1.0) / count).sqrt(), freedom: count - 1.0 })
    }

    /// Of the difference of two means, by Welch and Satterthwaite: groups of unlike spread are known no better than the one that
    /// spreads more.
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

/// The upper tail of Student's distribution, by Wallace's approximation with the normal one.
fn student_tail(t: f64, freedom: f64) -> f64 {
    let t = t.clamp(-1e9, 1e9);
    let size = wallace(freedom) * (freedom * (t * t / freedom).ln_1p()).sqrt();
    1.0 - normal_cdf(size.copysign(t))
}

/// The `t` above which this tail lies, at most a half: the inverse of [`student_tail`]. With one degree of freedom it is a third
/// too large, with two or more right to four parts in a hundred.
fn student_quantile(tail: f64, freedom: f64) -> f64 {
    let size = normal_quantile(1.0 - tail) / wallace(freedom);
    (freedom * (size * size / freedom).exp_m1()).sqrt()
}

fn wallace(freedom: f64) -> f64 {
    (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0)
}

fn told(p: f64) -> String {
    if p < 0.0005 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: Rates = Rates { sound: 0.05, faulty: 0.5 };

    #[test]
    fn more_samples_make_a_verdict_surer() {
        let alarm = |failed, asked| Sureness::of_failures(failed, asked, RATES, true).level;
        assert!((alarm(1, 1) - 0.95).abs() < 1e-12);
        assert!(alarm(2, 4) > alarm(1, 2) && alarm(20, 40) > alarm(2, 4));
        let sound = |asked| Sureness::of_failures(0, asked, RATES, false).level;
        assert!((sound(1) - 0.5).abs() < 1e-12 && (sound(4) - 0.9375).abs() < 1e-12);
    }

    #[test]
    fn a_mean_is_sure_by_its_distance_in_errors() {
        let level = |values: &[f64], side| Sureness::of_mean(values, 10.0, side).level;
        assert!(level(&[12.0, 13.0, 12.5, 12.2], Side::Above) > 0.99);
        assert!(level(&[12.0, 13.0, 12.5, 12.2], Side::Below) < 0.01);
        assert!((level(&[5.0, 15.0], Side::Above) - 0.5).abs() < 1e-9);
        assert!((level(&[50.0], Side::Above) - 0.5).abs() < 1e-9, "one sample has no error");
        // Student's t of 2 with 4 degrees of freedom has a tail of 0.058.
        assert!((student_tail(2.0, 4.0) - 0.058).abs() < 0.001);
        assert!((student_tail(-2.0, 4.0) - 0.942).abs() < 0.001);
    }

    #[test]
    fn two_groups_are_told_apart_only_beyond_their_noise() {
        let level =
            |first: &[f64], second: &[f64]| Sureness::of_difference(first, second, 0.0, Side::Above).level;
        assert!(level(&[3.0, 3.1, 2.9], &[1.0, 1.1, 0.9]) > 0.99);
        assert!(level(&[1.0, 5.0], &[0.5, 4.5]) < 0.7);
        assert!((level(&[9.0], &[1.0, 1.1]) - 0.5).abs() < 1e-9, "one sample has no error");
    }

    #[test]
    fn unlike_groups_are_known_no_better_than_the_one_that_spreads_more() {
        let freedom = |first: &[f64], second: &[f64]| Spread::of_difference(first, second).map(|s| s.freedom);
        let near = |value: Option<f64>, wanted: f64| value.is_some_and(|value| (value - wanted).abs() < 0.01);
        let wide = [10.0, 20.0, 30.0];
        assert!(near(freedom(&wide, &wide), 4.0));
        assert!(near(freedom(&wide, &[1.0, 1.0, 1.1, 1.0, 1.1, 1.0]), 2.0));
        assert!(near(freedom(&[1.0, 1.0], &[2.0, 2.0, 2.0]), 3.0), "no spread at all");
        assert_eq!(freedom(&wide, &[1.0]), None);
    }

    #[test]
    fn few_samples_have_a_wider_error_than_many() {
        // Student's table for 95 %; Wallace's approximation is a little wider.
        for (freedom, t) in [(2.0, 4.303), (4.0, 2.776), (11.0, 2.201), (100.0, 1.984)] {
            let quantile = student_quantile(0.025, freedom);
            assert!(quantile > t - 0.001 && quantile < 1.05 * t, "{freedom}: {quantile}");
            assert!((student_tail(quantile, freedom) - 0.025).abs() < 1e-9, "the inverse");
        }
        let three = error_of_95(&[9.0, 10.0, 11.0]).expect("three");
        assert!((three * 3.0_f64.sqrt() - 4.475).abs() < 0.01, "{three}");
        assert_eq!(error_of_95(&[9.0]), None);
        let difference = error_of_difference(&[9.0, 10.0, 11.0], &[5.0, 5.0, 5.0]).expect("told");
        assert!((difference - three).abs() < 1e-9);
    }
}
