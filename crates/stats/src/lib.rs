//! The mathematics of match results: counts, Elo, likelihood ratios and sequential tests.
//! The arena feeds it while a match runs; `vedette sprt` uses it alone.

mod counts;
mod elo;
mod likelihood;
mod normal;
mod ratings;
mod sprt;

pub use counts::{Distribution, Pentanomial, Trinomial};
pub use elo::{Estimate, NORMALISED_ELO_PER_T, elo_to_score, score_to_elo};
pub use likelihood::{bayesian_llr, logistic_llr, normalized_llr};
pub use normal::{normal_cdf, normal_quantile};
pub use ratings::{Rating, rate};
pub use sprt::{Decision, EloModel, Forecast, Sprt, SprtBounds, SprtError};
