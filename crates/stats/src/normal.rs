//! The standard normal distribution, for error bars and LOS.
//!
//! Not `statrs`: its last digits differ (the distribution function by up to 1e-10 relative in the tails, the quantile by up
//! to 2e-14), and saved results should not change with a library.

use std::f64::consts::{PI, SQRT_2};

/// Probability that a standard normal variable is at most `x`.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * complementary_error_function(-x / SQRT_2)
}

/// The `x` with `normal_cdf(x) == p`; infinite at the ends, NaN outside `0..=1`.
pub fn normal_quantile(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    // Bisection: slow, but exact and called rarely.
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if normal_cdf(middle) < p { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// `erfc`: the power series of `erf` near zero, a continued fraction in the tails, where the series cancels.
fn complementary_error_function(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - complementary_error_function(-x);
    }
    if x < 2.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..100 {
            term *= -x * x / f64::from(n);
            let step = term / f64::from(2 * n + 1);
            sum += step;
            if step.abs() < 1e-17 * sum.abs() {
                break;
            }
        }
        return 1.0 - 2.0 / PI.sqrt() * sum;
    }
    let mut fraction = x;
    for n in (1..=120).rev() {
        fraction = x + 0.5 * f64::from(n) / fraction;
    }
    (-x * x).exp() / (PI.sqrt() * fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from Abramowitz and Stegun, tables 26.1 and 26.5.
    #[test]
    fn cdf_equals_published_values() {
        for (x, p) in [(0.0, 0.5), (1.0, 0.841344746069), (2.0, 0.977249868052), (3.0, 0.998650101968)] {
            assert!((normal_cdf(x) - p).abs() < 1e-12, "{x}: {}", normal_cdf(x));
            assert!((normal_cdf(-x) - (1.0 - p)).abs() < 1e-12);
        }
        assert!((normal_cdf(-6.0) / 9.865_876_450_377e-10 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn quantile_inverts_cdf() {
        assert!((normal_quantile(0.975) - 1.959963984540).abs() < 1e-10);
        assert!((normal_quantile(0.05) + 1.644853626951).abs() < 1e-10);
        assert!(normal_quantile(0.0).is_infinite() && normal_quantile(0.0) < 0.0);
        assert!(normal_quantile(1.5).is_nan());
    }
}
