//! Fitting the weights of the classical evaluation to games: `vedette tune` is its face.
//!
//! [`generate`] plays games and keeps quiet positions with their results; [`source`] reads such positions, or
//! takes them from PGN; [`examples`] turns each into the features that the evaluation itself records; [`fit`]
//! finds the weights that predict the results best.

pub mod engine_thinker;
pub mod examples;
pub mod fit;
pub mod generate;
mod model;
pub mod sample;
pub mod source;
