//! The checkpoint of a training, in one file.
//!
//! Layout: magic, length of the header, header (TOML), three lists of `f32`, hash of all that; little-endian.

use std::fmt;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use support::files;

use crate::backend::State;
use crate::curve::LossPoint;
use crate::example::Example;
use crate::parameters;
use crate::random;
use crate::recipe::Recipe;

const MAGIC: [u8; 8] = *b"VEDTRN\x1A\x01";
const HASH_BYTES: usize = 8;
const LENGTH_BYTES: usize = 8;

#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    pub header: Header,
    pub state: State,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    pub step: u64,
    pub data: Fingerprint,
    pub recipe: Recipe,
    #[serde(default)]
    pub points: Vec<LossPoint>,
}

/// Identifies the data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fingerprint {
    pub training: usize,
    pub validation: usize,
    /// Of a sample of the training set; 32 bits, since TOML's integers are signed.
    pub hash: u32,
}

impl Fingerprint {
    pub fn of(training: &[Example], validation: &[Example]) -> Self {
        /// Enough to detect other games or another order; hashing all would take as long as reading them.
        const SAMPLE: usize = 10_000;
        let stride = (training.len() / SAMPLE).max(1);
        let hash =
            training.iter().step_by(stride).fold(0, |hash, example| random::mix(hash ^ example.hash()));
        Self { training: training.len(), validation: validation.len(), hash: hash as u32 }
    }
}

#[derive(Debug)]
pub enum CheckpointError {
    Io(io::Error),
    NotACheckpoint,
    Damaged,
    OtherRecipe,
    OtherData,
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Io(error) => error.fmt(f),
            CheckpointError::NotACheckpoint => f.write_str("not a training checkpoint"),
            CheckpointError::Damaged => f.write_str("the checkpoint is damaged"),
            CheckpointError::OtherRecipe => f.write_str("the checkpoint has another recipe"),
            CheckpointError::OtherData => f.write_str("the checkpoint has other training data"),
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
    /// Replaces the file atomically.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        Ok(files::replace(path, &self.to_bytes())?)
    }

    ///
    /// # Errors
    /// If it is not a complete checkpoint.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        Self::from_bytes(&files::read_limited(path, files::CONTENT_LIMIT)?)
    }

    /// Checks that it belongs to this recipe and data.
    ///
    /// # Errors
    /// If either differs.
    pub fn check(&self, recipe: &Recipe, data: Fingerprint) -> Result<(), CheckpointError> {
        if self.header.recipe != *recipe {
            return Err(CheckpointError::OtherRecipe);
        }
        if self.header.data != data {
            return Err(CheckpointError::OtherData);
        }
        Ok(())
    }

    /// The content of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
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

    /// Reads the content of a file.
    ///
    /// # Errors
    /// If it is not a complete checkpoint.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
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
        // The hash is correct, so an unreadable header is another version's.
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

/// Writes the hash of a file that was changed, so that tests reach the content.
#[doc(hidden)]
pub fn reseal(bytes: &mut [u8]) {
    if let Some(end) = bytes.len().checked_sub(HASH_BYTES) {
        let hash = hash(&bytes[..end]).to_le_bytes();
        bytes[end..].copy_from_slice(&hash);
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
        let point =
            LossPoint { positions: 5, training_loss: 0.1, validation_loss: None, learning_rate: 0.001 };
        let data = Fingerprint { training: 10, validation: 2, hash: u32::MAX };
        Checkpoint { header: Header { step: 77, data, recipe, points: vec![point; 2] }, state }
    }

    #[test]
    fn checkpoint_round_trips() {
        let checkpoint = checkpoint();
        assert_eq!(Checkpoint::from_bytes(&checkpoint.to_bytes()).unwrap(), checkpoint);
    }

    #[test]
    fn damage_is_detected() {
        let bytes = checkpoint().to_bytes();
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
    fn other_recipe_or_data_is_rejected() {
        let checkpoint = checkpoint();
        let Header { recipe, data, .. } = checkpoint.header.clone();
        assert!(checkpoint.check(&recipe, data).is_ok());
        let changed = Recipe { seed: 2, ..recipe.clone() };
        assert!(matches!(checkpoint.check(&changed, data), Err(CheckpointError::OtherRecipe)));
        let other = Fingerprint { hash: 1, ..data };
        assert!(matches!(checkpoint.check(&recipe, other), Err(CheckpointError::OtherData)));
    }
}
