//! Wald's sequential probability ratio test: bounds, decision, expected length.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::counts::{Distribution, Pentanomial, Trinomial};
use super::elo::{NORMALISED_ELO_PER_T, elo_to_score};
use super::likelihood::{bayesian_llr, logistic_llr, normalized_llr};

/// The Elo scale of the hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Normalized Elo.
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
    /// The Elo of `BayesElo`, single games only.
    Bayesian,
}

impl FromStr for EloModel {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        match text {
            "normalized" | "normalised" => Ok(Self::Normalized),
            "logistic" => Ok(Self::Logistic),
            "bayesian" => Ok(Self::Bayesian),
            _ => Err(SprtError::Model(text.to_owned())),
        }
    }
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
            Self::Bayesian => "bayesian",
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum SprtError {
    /// Not a known Elo model.
    Model(String),
    /// Hypotheses must be numbers, and the second one the stronger.
    EloOrder(f64, f64),
    /// Error rates must be positive and together below one.
    ErrorRates(f64, f64),
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(model) => {
                write!(f, "unknown Elo model '{model}' (normalized, logistic or bayesian)")
            }
            Self::EloOrder(elo0, elo1) => write!(f, "elo0={elo0} must be below elo1={elo1}, both finite"),
            Self::ErrorRates(alpha, beta) => {
                write!(f, "alpha={alpha} and beta={beta} must be above 0 and together below 1")
            }
        }
    }
}

impl std::error::Error for SprtError {}

/// The LLRs at which a test ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtBounds {
    /// At or below: H0 is accepted.
    pub lower: f64,
    /// At or above: H1 is accepted.
    pub upper: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The first engine is not better by `elo0`.
    AcceptH0,
    /// The first engine is better by at least `elo0`, likely by `elo1`.
    AcceptH1,
    /// More games are needed.
    Continue,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// Expected number of games to the decision.
    pub games: f64,
    /// Probability of accepting H1.
    pub pass: f64,
}

/// A sequential test of "the difference is `elo0`" against "the difference is `elo1`".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// A test as read from a file, not validated yet.
#[derive(Deserialize)]
struct Unchecked {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

impl TryFrom<Unchecked> for Sprt {
    type Error = SprtError;

    fn try_from(test: Unchecked) -> Result<Self, SprtError> {
        Self::new(test.elo0, test.elo1, test.alpha, test.beta, test.model)
    }
}

impl Sprt {
    /// A test that accepts H1 with probability `alpha` when H0 holds, and H0 with probability `beta` when H1 holds.
    ///
    /// # Errors
    /// The hypotheses are in the wrong order, or the error rates are invalid.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Self, SprtError> {
        let rates_fit = alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0;
        if !rates_fit {
            return Err(SprtError::ErrorRates(alpha, beta));
        }
        let ordered = elo0 < elo1 && elo0.is_finite() && elo1.is_finite();
        if !ordered {
            return Err(SprtError::EloOrder(elo0, elo1));
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// `elo0` and `elo1`.
    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    pub fn model(&self) -> EloModel {
        self.model
    }

    /// Wald's bounds for the error rates.
    pub fn bounds(&self) -> SprtBounds {
        SprtBounds {
            lower: (self.beta / (1.0 - self.alpha)).ln(),
            upper: ((1.0 - self.beta) / self.alpha).ln(),
        }
    }

    /// LLR of game pairs; the Bayesian model, which has none, falls back to normalized Elo.
    pub fn llr_of_pairs(&self, pairs: Pentanomial) -> f64 {
        self.llr(&pairs.distribution())
    }

    /// LLR of single games.
    pub fn llr_of_games(&self, games: Trinomial) -> f64 {
        if self.model == EloModel::Bayesian {
            return if games.games() == 0 { 0.0 } else { bayesian_llr(games, self.elo0, self.elo1) };
        }
        self.llr(&games.distribution())
    }

    fn llr(&self, distribution: &Distribution) -> f64 {
        if distribution.samples() == 0.0 {
            return 0.0;
        }
        match self.model {
            EloModel::Logistic => logistic_llr(distribution, self.elo0, self.elo1),
            EloModel::Normalized | EloModel::Bayesian => normalized_llr(distribution, self.elo0, self.elo1),
        }
    }

    pub fn decide(&self, llr: f64) -> Decision {
        let bounds = self.bounds();
        if llr >= bounds.upper {
            Decision::AcceptH1
        } else if llr <= bounds.lower {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }

    /// The rest of a test at `llr` if results continue as in `observed`; `None` without enough results.
    pub fn forecast(&self, llr: f64, observed: &Distribution) -> Option<Forecast> {
        if observed.samples() < 2.0 || observed.variance() == 0.0 {
            return None;
        }
        let t = (observed.mean() - 0.5) / observed.variance().sqrt();
        let (t0, t1) = self.hypotheses_as_t(observed.deviation_per_game(), observed.games_per_sample());
        Some(self.walk(llr, t, t0, t1, observed.games_per_sample()))
    }

    /// A whole test if the true difference is `elo` (in the test's Elo model) and the standard deviation of one game is
    /// `deviation` (½·√(1 − draw ratio) between equal engines), played in pairs.
    pub fn expected(&self, elo: f64, deviation: f64) -> Forecast {
        const GAMES_IN_PAIR: f64 = 2.0;
        let (t0, t1) = self.hypotheses_as_t(deviation, GAMES_IN_PAIR);
        let t = self.as_t(elo, deviation, GAMES_IN_PAIR);
        self.walk(0.0, t, t0, t1, GAMES_IN_PAIR)
    }

    fn hypotheses_as_t(&self, deviation: f64, games_per_sample: f64) -> (f64, f64) {
        (self.as_t(self.elo0, deviation, games_per_sample), self.as_t(self.elo1, deviation, games_per_sample))
    }

    /// An Elo difference in standard deviations of one sample.
    fn as_t(&self, elo: f64, deviation: f64, games_per_sample: f64) -> f64 {
        let per_game = match self.model {
            EloModel::Logistic => (elo_to_score(elo) - 0.5) / deviation,
            EloModel::Normalized => elo / NORMALISED_ELO_PER_T,
            EloModel::Bayesian => {
                // drawelo from the win rate between equal engines.
                let won = 2.0 * deviation * deviation;
                let draw_elo = 400.0 * ((1.0 - won) / won).log10();
                (elo_to_score(elo - draw_elo) - elo_to_score(-elo - draw_elo)) / 2.0 / deviation
            }
        };
        per_game * games_per_sample.sqrt()
    }

    /// The LLR is a Brownian motion with drift (t1 − t0)·(t − (t0 + t1)/2) and variance (t1 − t0)² per sample; its exit
    /// point and time have a closed form.
    fn walk(&self, start: f64, t: f64, t0: f64, t1: f64, games_per_sample: f64) -> Forecast {
        let bounds = self.bounds();
        let start = start.clamp(bounds.lower, bounds.upper);
        let drift = (t1 - t0) * (t - f64::midpoint(t0, t1));
        let variance = (t1 - t0) * (t1 - t0);
        let (below, width) = (start - bounds.lower, bounds.upper - bounds.lower);
        let pull = 2.0 * drift / variance;
        let (pass, samples) = if (pull * width).abs() < 1e-6 {
            (below / width, below * (width - below) / variance)
        } else {
            // Of the two equal forms, the one in which no exponential overflows.
            let pass = if pull > 0.0 {
                (-pull * below).exp_m1() / (-pull * width).exp_m1()
            } else {
                (pull * (width - below)).exp() * (pull * below).exp_m1() / (pull * width).exp_m1()
            };
            (pass, (pass * width - below) / drift)
        };
        Forecast { games: samples * games_per_sample, pass }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::random::Random;

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} expected {expected}");
    }

    #[test]
    fn bounds_are_walds() {
        let bounds = Sprt::new(0.0, 2.0, 0.05, 0.05, EloModel::Normalized).expect("valid").bounds();
        near(bounds.upper, 2.944439, 1e-6);
        near(bounds.lower, -2.944439, 1e-6);
        let bounds = Sprt::new(0.0, 2.0, 0.05, 0.1, EloModel::Normalized).expect("valid").bounds();
        near(bounds.upper, 18f64.ln(), 1e-12);
        near(bounds.lower, (0.1f64 / 0.95).ln(), 1e-12);
    }

    #[test]
    fn invalid_tests_are_rejected() {
        assert!(Sprt::new(2.0, 0.0, 0.05, 0.05, EloModel::Normalized).is_err());
        assert!(Sprt::new(0.0, 2.0, 0.0, 0.05, EloModel::Normalized).is_err());
        assert!(Sprt::new(0.0, 2.0, 0.6, 0.5, EloModel::Normalized).is_err());
        assert!(Sprt::new(f64::NAN, 2.0, 0.05, 0.05, EloModel::Normalized).is_err());
        assert!(Sprt::new(0.0, f64::INFINITY, 0.05, 0.05, EloModel::Normalized).is_err());
        assert!(Sprt::new(f64::NEG_INFINITY, 0.0, 0.05, 0.05, EloModel::Normalized).is_err());
        assert!(
            serde_json::from_str::<Sprt>(
                r#"{"elo0":5,"elo1":0,"alpha":0.05,"beta":0.05,"model":"logistic"}"#
            )
            .is_err()
        );
        assert!("elo".parse::<EloModel>().is_err());
    }

    /// `BayesElo` counts without draws as common Elo does, and where half of the games are drawn, near equality, 4/3 of it:
    /// 4x/(1 + x)² with x = 10^(-drawelo/400) = 1/3.
    #[test]
    fn bayesian_elo_test_lengths() {
        let games = |model, elo1, deviation| {
            Sprt::new(0.0, elo1, 0.05, 0.05, model).expect("valid").expected(0.0, deviation).games
        };
        let common = games(EloModel::Logistic, 5.0, 0.5);
        near(games(EloModel::Bayesian, 5.0, 0.5) / common, 1.0, 1e-9);
        let half_drawn = 0.125f64.sqrt();
        let common = games(EloModel::Logistic, 3.75, half_drawn);
        near(games(EloModel::Bayesian, 5.0, half_drawn) / common, 1.0, 1e-3);
    }

    /// Wald's classical results: at H1 a test passes with 1 − beta, at H0 with alpha, and between them, halfway, with
    /// one half when alpha = beta; the mean length at a bound is A-B-weighted drift (Wald 1947, section 3.5).
    #[test]
    fn expected_length_equals_walds_formulas() {
        let test = Sprt::new(0.0, 10.0, 0.05, 0.05, EloModel::Normalized).expect("valid");
        near(test.expected(10.0, 0.4).pass, 0.95, 1e-9);
        near(test.expected(0.0, 0.4).pass, 0.05, 1e-9);
        near(test.expected(5.0, 0.4).pass, 0.5, 1e-9);
        let step = 10.0 / NORMALISED_ELO_PER_T;
        let bound = 19f64.ln();
        near(test.expected(5.0, 0.4).games, bound * bound / (step * step), 1e-3);
        near(test.expected(10.0, 0.4).games, 0.9 * bound / (step * step / 2.0), 1e-3);
    }

    #[test]
    fn forecast_at_the_bound() {
        let test = Sprt::new(0.0, 10.0, 0.05, 0.05, EloModel::Logistic).expect("valid");
        let pairs = Pentanomial { counts: [12, 180, 410, 215, 18] };
        let forecast = test.forecast(test.bounds().upper, &pairs.distribution()).expect("enough pairs");
        near(forecast.games, 0.0, 1e-9);
        near(forecast.pass, 1.0, 1e-9);
        assert!(test.forecast(0.0, &Pentanomial::default().distribution()).is_none());
    }

    /// Hopeless results: the probability of passing is 0, not the quotient of two infinities.
    #[test]
    fn forecast_of_one_sided_results() {
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let test = Sprt::new(0.0, 5.0, 0.05, 0.05, model).expect("valid");
            for mut counts in [[57, 1, 2, 0, 0], [2000, 1, 0, 0, 0], [0, 0, 1, 1, 0]] {
                let at =
                    |counts| test.forecast(-1.2, &Pentanomial { counts }.distribution()).expect("results");
                let lost = at(counts);
                assert!(lost.games > 0.0 && lost.games.is_finite(), "{lost:?}");
                assert!((0.0..=1.0).contains(&lost.pass), "{lost:?}");
                counts.reverse();
                let won = at(counts);
                assert!(won.games.is_finite() && (0.0..=1.0).contains(&won.pass), "{won:?}");
            }
        }
        let test = Sprt::new(0.0, 5.0, 0.05, 0.05, EloModel::Normalized).expect("valid");
        let mild = test.forecast(0.0, &Pentanomial { counts: [20, 60, 100, 50, 18] }.distribution());
        let mirrored = test.forecast(0.0, &Pentanomial { counts: [18, 50, 100, 60, 20] }.distribution());
        assert!(mild.expect("results").pass < mirrored.expect("results").pass);
    }

    /// Plays simulated matches between engines whose pair results follow `law`; returns the share that accepts H1 and
    /// the mean number of games.
    fn simulate(test: Sprt, law: [f64; 5], matches: u32, seed: u64) -> (f64, f64) {
        let mut random = Random::new(seed);
        let (mut passed, mut games) = (0, 0);
        for _ in 0..matches {
            let mut pairs = Pentanomial::default();
            loop {
                let mut u = random.unit();
                let outcome = law.iter().position(|p| {
                    u -= p;
                    u < 0.0
                });
                pairs.add(outcome.unwrap_or(4) as u8);
                games += 2;
                match test.decide(test.llr_of_pairs(pairs)) {
                    Decision::Continue => {}
                    Decision::AcceptH0 => break,
                    Decision::AcceptH1 => {
                        passed += 1;
                        break;
                    }
                }
            }
        }
        (f64::from(passed) / f64::from(matches), f64::from(games) / f64::from(matches))
    }

    /// A law of pairs near the usual one whose normalised Elo is `nelo`.
    fn law_with_nelo(nelo: f64) -> [f64; 5] {
        let shifted = |shift: f64| [0.03, 0.22 - shift, 0.5, 0.22 + shift, 0.03];
        let (mut low, mut high) = (-0.2, 0.2);
        for _ in 0..60 {
            let shift = 0.5 * (low + high);
            let law = shifted(shift);
            let mean: f64 = law.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
            let variance: f64 =
                law.iter().enumerate().map(|(i, p)| p * (i as f64 / 4.0 - mean).powi(2)).sum();
            let got = (mean - 0.5) / (2.0 * variance).sqrt() * NORMALISED_ELO_PER_T;
            if got < nelo { low = shift } else { high = shift }
        }
        shifted(0.5 * (low + high))
    }

    /// 1,500 simulated tests: the rate may exceed the promise by chance alone, three deviations = 1.7 %.
    #[test]
    fn false_positive_rate_is_alpha() {
        let test = Sprt::new(0.0, 50.0, 0.05, 0.05, EloModel::Normalized).expect("valid");
        let (passed, _) = simulate(test, law_with_nelo(0.0), 1500, 1);
        assert!(passed < 0.067, "{passed}");
        assert!(passed > 0.015, "{passed}: the test would be needlessly long");
    }

    #[test]
    fn false_negative_rate_is_beta() {
        let test = Sprt::new(0.0, 50.0, 0.05, 0.05, EloModel::Normalized).expect("valid");
        let (passed, games) = simulate(test, law_with_nelo(50.0), 1500, 2);
        assert!(passed > 0.933, "{passed}");
        let expected = test.expected(50.0, 0.3).games;
        assert!((games / expected - 1.0).abs() < 0.25, "{games} games, {expected} expected");
    }
}
