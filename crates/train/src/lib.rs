//! The trainer: reads packed games, learns a network from them, and writes it as a net file.
//!
//! [`Recipe`](recipe::Recipe) says what to do, [`Training`](training::Training) does it, a
//! [`Backend`](backend::Backend) does the arithmetic. The network's shape and the meaning of its integers are those of
//! the crate `nnue`; nothing of that is written down here.

pub mod backend;
pub mod chart;
pub mod checkpoint;
pub mod curve;
pub mod data;
pub mod example;
pub mod export;
pub mod inputs;
pub mod loss;
pub mod optimizer;
pub mod parameters;
pub mod plan;
pub mod random;
pub mod recipe;
pub mod run;
pub mod schedule;
pub mod shuffle;
pub mod training;
