//! Training data: self-play on the CPU, dataset tools, and the fit of the classical evaluation.

pub mod data;
pub mod selfplay;
pub mod tune;
