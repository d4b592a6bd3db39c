//! Experiments on engines: matches, statistics, opening books, test suites.

pub mod arena;
pub mod data;
pub mod doctor;
pub mod openings;
pub mod random;
pub mod review;
pub mod selfplay;
pub mod spsa;
pub mod statistics;
pub mod suite;
pub mod syzygy;
pub mod trace;
pub mod tune;
pub mod words;
pub mod worth;
