//! Fits the weights of the classical evaluation to games, for `vedette tune`.
//!
//! [`source`] reads quiet positions with the results of their games; [`examples`] turns each into the features that the
//! evaluation records; [`fit`] fits the weights.

pub mod examples;
pub mod fit;
mod model;
pub mod sample;
pub mod source;
