//! Tuning by simultaneous perturbation (SPSA, Spall 1992): all parameters are perturbed at once, the two perturbed
//! engines play each other, and the result gives the direction of the step.

#[cfg(feature = "tune")]
mod games;
mod parameter;
mod tuner;

#[cfg(feature = "tune")]
pub use games::{play_pair, tuned_params};
pub use parameter::{TunedParameter, read_parameters};
pub use tuner::{Gains, SpsaIteration, Tuner};
