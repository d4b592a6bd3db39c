//! Training data: self-play on the CPU, dataset tools, and the fit of the classical evaluation.
//!
//! | module | command | holds |
//! |---|---|---|
//! | [`selfplay`] | `vedette selfplay` | games as a function of a [`SelfPlayPlan`](selfplay::SelfPlayPlan) and their number |
//! | [`data`] | `vedette data` | statistics, filters, shuffling, splitting, conversion of game files |
//! | [`tune`] | `vedette tune` | weights of the classical evaluation, fitted to results |

pub mod data;
pub mod selfplay;
pub mod tune;
