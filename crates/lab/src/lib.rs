//! Experiments on engines: matches, statistics, opening books, test suites.

pub mod arena;
pub mod random;
pub mod statistics;
