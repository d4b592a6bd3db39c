//! Elo and normalized Elo with error bars, and LOS.

use serde::{Deserialize, Serialize};

use super::counts::Distribution;
use super::normal::{normal_cdf, normal_quantile};

/// Normalized Elo per standard deviation of one game (800 / ln 10), so that both scales agree without draws. See M. Van den Bergh, "Normalized Elo",
/// <https://www.cantate.be/Fishtest/normalized_elo.pdf>.
pub const NORMALISED_ELO_PER_T: f64 = 347.435_585_522_601_46;

/// Elo difference at which the expected score is `score`; infinite at 0 and 1.
pub fn score_to_elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Expected score at an Elo difference.
pub fn elo_to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The estimated difference in strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Points per game.
    pub score: f64,
    /// Logistic Elo difference.
    pub elo: f64,
    /// Half the width of its 95 % confidence interval; NaN if all results are equal.
    pub elo_error: f64,
    /// Normalized Elo difference.
    pub nelo: f64,
    /// Half the width of its 95 % confidence interval.
    pub nelo_error: f64,
    /// Likelihood of superiority of the first engine.
    pub los: f64,
}

impl Estimate {
    /// `None` without results.
    pub fn from_distribution(distribution: &Distribution) -> Option<Self> {
        if distribution.samples() == 0.0 {
            return None;
        }
        let quantile = normal_quantile(0.975);
        let score = distribution.mean();
        let error_of_mean = (distribution.variance() / distribution.samples()).sqrt();
        let low = (score - quantile * error_of_mean).clamp(0.0, 1.0);
        let high = (score + quantile * error_of_mean).clamp(0.0, 1.0);
        let advantage = score - 0.5;
        // If all results are equal there is no variance: only the sign is known.
        let in_deviations = |deviation: f64| {
            if deviation > 0.0 {
                advantage / deviation
            } else if advantage == 0.0 {
                0.0
            } else {
                advantage.signum() * f64::INFINITY
            }
        };
        Some(Self {
            score,
            elo: score_to_elo(score),
            elo_error: if error_of_mean > 0.0 {
                (score_to_elo(high) - score_to_elo(low)) / 2.0
            } else {
                f64::NAN
            },
            nelo: in_deviations(distribution.deviation_per_game()) * NORMALISED_ELO_PER_T,
            nelo_error: quantile * NORMALISED_ELO_PER_T / distribution.games().sqrt(),
            los: normal_cdf(in_deviations(error_of_mean)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pentanomial, Trinomial};
    use super::*;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() <= 0.006, "{value} expected {expected}");
    }

    /// Figures of fastchess's test suite (`app/tests/elo_test.cpp`).
    #[test]
    fn game_estimates_as_in_fastchess() {
        let estimate = |wins, losses, draws| {
            Estimate::from_distribution(&Trinomial { losses, draws, wins }.distribution()).expect("games")
        };
        let first = estimate(76, 89, 123);
        near(first.nelo, -20.76);
        near(first.nelo_error, 40.13);
        near(first.los * 100.0, 15.53);
        let second = estimate(136, 96, 111);
        near(second.nelo, 49.77);
        near(second.nelo_error, 36.77);
        near(second.elo, 40.70);
        near(second.elo_error, 30.43);
        near(second.los * 100.0, 99.60);
        near(estimate(34, 356, 0).nelo, -508.44);
    }

    /// Figures of fastchess's test suite (`app/tests/elo_test.cpp`).
    #[test]
    fn pair_estimates_as_in_fastchess() {
        let check = |counts, nelo, nelo_error, elo, elo_error| {
            let estimate =
                Estimate::from_distribution(&Pentanomial { counts }.distribution()).expect("pairs");
            near(estimate.nelo, nelo);
            near(estimate.nelo_error, nelo_error);
            near(estimate.elo, elo);
            near(estimate.elo_error, elo_error);
        };
        check([34, 54, 63, 64, 75], 57.94, 28.28, 55.58, 27.65);
        check([332, 433, 498, 333, 334], -9.17, 10.96, -8.64, 10.33);
        check([7895, 8757, 5685, 568, 9999], -19.01, 2.65, -21.04, 2.95);
    }

    #[test]
    fn equal_results() {
        let draws = Trinomial { draws: 20, ..Trinomial::default() }.distribution();
        let estimate = Estimate::from_distribution(&draws).expect("games");
        assert_eq!((estimate.elo, estimate.los), (0.0, 0.5));
        assert!(estimate.elo.is_sign_positive(), "not -0.00");
        assert!(estimate.elo_error.is_nan(), "no error bar: {}", estimate.elo_error);
        let wins = Trinomial { wins: 3, ..Trinomial::default() }.distribution();
        let estimate = Estimate::from_distribution(&wins).expect("games");
        assert_eq!((estimate.elo, estimate.los), (f64::INFINITY, 1.0));
        assert!(Estimate::from_distribution(&Trinomial::default().distribution()).is_none());
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-700.0, -3.5, 0.0, 12.0, 400.0] {
            assert!((score_to_elo(elo_to_score(elo)) - elo).abs() < 1e-9);
        }
        near(elo_to_score(400.0) * 11.0, 10.0);
    }
}
