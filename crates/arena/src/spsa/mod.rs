//! Tuning by simultaneous perturbation (SPSA, Spall 1992): all parameters are shaken at once, the shaken engines play
//! each other, and the result says which way to go. `vedette spsa` is its face.

#[cfg(feature = "tune")]
pub mod games;
pub mod parameter;
pub mod tuner;
