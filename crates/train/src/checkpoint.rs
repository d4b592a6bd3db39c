//! A training that can go on later: everything it has learned and where it is, in one file.
//!
//! Layout: magic, length of the header, header (TOML), three lists of 32-bit floating-point numbers, hash of all that;
//! little-endian throughout.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use support::files;

use crate::backend::State;
use crate::curve::Point;
use crate::example::Example;
use crate::parameters;
use crate::random;
use crate::recipe::Recipe;

const MAGIC: [u8; 8] = *b"VEDTRN\x1A\x01";
const HASH_BYTES: usize = 8;
const LENGTH_BYTES: usize = 8;

/// A training in the middle.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// Where it stands.
    pub header: Header,
    /// What it has learned.
    pub state: State,
}

/// Where a training stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Steps taken.
    pub step: u64,
    /// What tells whether the data is the same.
    pub data: Fingerprint,
    /// The recipe.
    pub recipe: Recipe,
    /// How the loss fell so far.
    #[serde(default)]
    pub points: Vec<Point>,
}

/// What tells one set of data from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Positions to learn from.
    pub training: usize,
    /// Positions kept validation.
    pub validation: usize,
    /// Hash of some of the former, in 32 bits since TOML's numbers have a sign.
    pub hash: u32,
}

impl Fingerprint {
    /// Of examples to learn from and examples kept validation.
    pub fn of(training: &[Example], validation: &[Example]) -> Self {
        /// Enough to notice other games or another order; hashing all would take as long as reading them.
        const LOOKED_AT: usize = 10_000;
        let stride = (training.len() / LOOKED_AT).max(1);
        let hash =
            training.iter().step_by(stride).fold(0, |hash, example| random::mix(hash ^ example.hash()));
        Self { training: training.len(), validation: validation.len(), hash: hash as u32 }
    }
}

/// Why a checkpoint cannot be used.
#[derive(Debug)]
pub enum CheckpointError {
    /// It could not be read or written.
    Io(io::Error),
    /// It is something else.
    NotACheckpoint,
    /// It was cut off or changed.
    Damaged,
    /// Its training followed another recipe.
    OtherRecipe,
    /// Its training learned from other data.
    OtherData,
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Io(error) => error.fmt(f),
            CheckpointError::NotACheckpoint => f.write_str("not a checkpoint of a training"),
            CheckpointError::Damaged => f.write_str("the checkpoint is damaged"),
            CheckpointError::OtherRecipe => f.write_str("the checkpoint belongs to another recipe"),
            CheckpointError::OtherData => f.write_str("the checkpoint's training learned from other data"),
        }
    }
}

impl std::error::Error for CheckpointError {}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        CheckpointError::Io(error)
    }
}

impl Checkpoint {
    /// Writes the file. Whoever interrupts it leaves the old one in place.
    ///
    /// # Errors
    /// If the disk is full, and the like.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        Ok(files::replace(path, &self.bytes())?)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is no whole checkpoint.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        Self::from_bytes(&fs::read(path)?)
    }

    /// Makes sure that a training with this recipe and data may go on from here.
    ///
    /// # Errors
    /// If either is another.
    pub fn check(&self, recipe: &Recipe, data: Fingerprint) -> Result<(), CheckpointError> {
        if self.header.recipe != *recipe {
            return Err(CheckpointError::OtherRecipe);
        }
        if self.header.data != data {
            return Err(CheckpointError::OtherData);
        }
        Ok(())
    }

    fn bytes(&self) -> Vec<u8> {
        let header = toml::to_string(&self.header).unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header.as_bytes());
        for list in [&self.state.weights, &self.state.first_moments, &self.state.second_moments] {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(hash(&bytes).to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let Some(rest) = bytes.strip_prefix(&MAGIC) else { return Err(CheckpointError::NotACheckpoint) };
        let damaged = || CheckpointError::Damaged;
        let (body, written) = rest.split_last_chunk::<HASH_BYTES>().ok_or_else(damaged)?;
        if hash(&bytes[..bytes.len() - HASH_BYTES]) != u64::from_le_bytes(*written) {
            return Err(CheckpointError::Damaged);
        }
        let (length, body) = body.split_first_chunk::<LENGTH_BYTES>().ok_or_else(damaged)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| damaged())?;
        let (header, lists) = body.split_at_checked(length).ok_or_else(damaged)?;
        let header = str::from_utf8(header).map_err(|_| damaged())?;
        // The hash fits, so a header that cannot be read is another version's.
        let header: Header = toml::from_str(header).map_err(|_| CheckpointError::NotACheckpoint)?;
        let shape = header.recipe.shape().map_err(|_| damaged())?;
        let (words, rest) = lists.as_chunks::<4>();
        let count = parameters::count(shape);
        if words.len() != 3 * count || !rest.is_empty() {
            return Err(CheckpointError::Damaged);
        }
        let list = |index: usize| {
            words[index * count..][..count].iter().map(|&word| f32::from_le_bytes(word)).collect()
        };
        let state = State { weights: list(0), first_moments: list(1), second_moments: list(2) };
        Ok(Self { header, state })
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let words =
        words.iter().map(|&word| u64::from_le_bytes(word)).chain(rest.iter().map(|&byte| byte.into()));
    words.fold(bytes.len() as u64, |hash, word| random::mix(hash.rotate_left(5) ^ word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let text = "name = 'a'\nnetwork.hidden = 64\ntraining.epochs = 2\ndata.files = ['x']";
        let recipe = Recipe::read(text).unwrap();
        let network = parameters::initial(recipe.shape().unwrap(), 3);
        let mut state = State::new(parameters::flatten(&network));
        state.first_moments[7] = 0.1;
        state.second_moments[9] = 1e-30;
        let point = Point { positions: 5, training_loss: 0.1, validation_loss: None, learning_rate: 0.001 };
        let data = Fingerprint { training: 10, validation: 2, hash: u32::MAX };
        Checkpoint { header: Header { step: 77, data, recipe, points: vec![point; 2] }, state }
    }

    #[test]
    fn what_is_written_is_read() {
        let checkpoint = checkpoint();
        assert_eq!(Checkpoint::from_bytes(&checkpoint.bytes()).unwrap(), checkpoint);
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = checkpoint().bytes();
        for place in [8, 20, 500, bytes.len() / 2, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[place] ^= 4;
            assert!(matches!(Checkpoint::from_bytes(&changed), Err(CheckpointError::Damaged)), "{place}");
        }
        for length in [8, 9, 30, bytes.len() - 4] {
            assert!(
                matches!(Checkpoint::from_bytes(&bytes[..length]), Err(CheckpointError::Damaged)),
                "{length}"
            );
        }
        assert!(matches!(Checkpoint::from_bytes(b"PNG"), Err(CheckpointError::NotACheckpoint)));
    }

    #[test]
    fn another_recipe_or_other_data_is_refused() {
        let checkpoint = checkpoint();
        let Header { recipe, data, .. } = checkpoint.header.clone();
        assert!(checkpoint.check(&recipe, data).is_ok());
        let changed = Recipe { seed: 2, ..recipe.clone() };
        assert!(matches!(checkpoint.check(&changed, data), Err(CheckpointError::OtherRecipe)));
        let other = Fingerprint { hash: 1, ..data };
        assert!(matches!(checkpoint.check(&recipe, other), Err(CheckpointError::OtherData)));
    }
}
