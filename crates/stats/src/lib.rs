//! Statistics of match results: Elo with error bars, likelihood ratios, SPRT, ratings.
//!
//! Results are counted as single games ([`Trinomial`]) or as game pairs ([`Pentanomial`]). From either follow an
//! [`Estimate`] of the Elo difference and the log-likelihood ratio of an [`Sprt`]; [`rate`] gives the ratings of a
//! tournament.
//!
//! ```
//! use stats::{Decision, EloModel, Estimate, Pentanomial, Sprt};
//!
//! let pairs = Pentanomial { counts: [12, 180, 410, 215, 18] };
//! let estimate = Estimate::from_distribution(&pairs.distribution()).expect("there are results");
//! assert_eq!(format!("{:.1} +/- {:.1}", estimate.elo, estimate.elo_error), "9.8 +/- 9.2");
//!
//! let test = Sprt::new(0.0, 5.0, 0.05, 0.05, EloModel::Normalized)?;
//! assert_eq!(test.decide(test.llr_of_pairs(pairs)), Decision::Continue);
//! # Ok::<(), stats::SprtError>(())
//! ```

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
