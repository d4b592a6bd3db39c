//! The trainer: reads packed games, trains a network on them, and writes it as a network file.
//!
//! [`Recipe`](recipe::Recipe) says what to do, [`Training`](training::Training) does it, a
//! [`Backend`](backend::Backend) computes the steps on a CPU or GPU. Shape and quantisation of the network are defined
//! in the crate `nnue`.

pub mod backend;
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
