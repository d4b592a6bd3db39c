//! The data of a training, in memory: examples to learn from, and others to judge by.

mod load;

pub use load::{GAMES, LoadError, Loading, load};

use crate::example::Example;

/// Examples in two sets. A game's positions are all in the same one, since they resemble each other.
#[derive(Clone, Default, Debug)]
pub struct Data {
    /// What is learned from.
    pub training: Vec<Example>,
    /// What is kept validation to judge by.
    pub validation: Vec<Example>,
    /// How many games they come from.
    pub games: u64,
    /// Stretches of the files that were no games and were skipped.
    pub damaged: usize,
}

impl Data {
    fn append(&mut self, mut other: Data) {
        self.training.append(&mut other.training);
        self.validation.append(&mut other.validation);
        self.games += other.games;
        self.damaged += other.damaged;
    }
}
