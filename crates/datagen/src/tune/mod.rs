//! Fits the weights of the classical evaluation to games, for `vedette tune`.
//!
//! [`generate`] plays games and keeps quiet positions with their results; [`source`] reads such positions, or
//! extracts them from PGN; [`examples`] turns each into the features that the evaluation records; [`fit`]
//! fits the weights.

pub mod engine_thinker;
pub mod examples;
pub mod fit;
pub mod generate;
mod model;
pub mod sample;
pub mod source;
