//! Experiments on engines: matches, statistics, opening books, test suites.

pub mod arena;
pub mod openings;
pub mod random;
pub mod statistics;
pub mod syzygy;
pub mod tune;
pub mod uci_scorer;
pub mod words;
