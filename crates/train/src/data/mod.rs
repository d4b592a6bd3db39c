//! The training and the validation set, in memory.

mod load;

pub use load::{LoadError, Loading, load};

use crate::example::Example;

/// All positions of a game are in the same set, since they are alike.
#[derive(Clone, Default, Debug)]
pub struct Data {
    pub training: Vec<Example>,
    pub validation: Vec<Example>,
    pub games: u64,
    /// Damaged sections of the files, which were skipped.
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
