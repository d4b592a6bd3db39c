//! The trainer: reads packed games, learns a network from them, and writes it as a net file.

pub mod backend;
pub mod data;
pub mod example;
pub mod inputs;
pub mod loss;
pub mod optimizer;
pub mod parameters;
pub mod random;
pub mod recipe;
pub mod schedule;
pub mod shuffle;
