//! Exercises: from counting bits to principal variation search. `classroom/README.md` is the way through them.
//!
//! Each module has functions with `todo!()` in them, and a check in `tests/` with the same name.

pub mod toolbox;

#[cfg_attr(feature = "answers", path = "../answers/alpha_beta.rs")]
pub mod alpha_beta;
#[cfg_attr(feature = "answers", path = "../answers/mate_distance.rs")]
pub mod mate_distance;
#[cfg_attr(feature = "answers", path = "../answers/minimax.rs")]
pub mod minimax;
#[cfg_attr(feature = "answers", path = "../answers/perft.rs")]
pub mod perft;
#[cfg_attr(feature = "answers", path = "../answers/popcount.rs")]
pub mod popcount;
#[cfg_attr(feature = "answers", path = "../answers/pvs.rs")]
pub mod pvs;
#[cfg_attr(feature = "answers", path = "../answers/tuning.rs")]
pub mod tuning;
