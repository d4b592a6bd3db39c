//! A match on disk: its definition and all finished games, so that it can go on after an interruption.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::config::MatchConfig;
use super::summary::GameSummary;

/// Version of the file format.
const VERSION: u32 = 1;

/// What is saved of a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedMatch {
    version: u32,
    /// What is played.
    pub config: MatchConfig,
    /// Games that are over.
    pub finished: Vec<GameSummary>,
}

/// Why a saved match cannot be read or written.
#[derive(Debug)]
pub enum SaveError {
    /// The file cannot be read or written.
    File(PathBuf, std::io::Error),
    /// The file is no saved match, or one of another version.
    Content(PathBuf, String),
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Content(path, reason) => write!(f, "{} is no saved match: {reason}", path.display()),
        }
    }
}

impl std::error::Error for SaveError {}

impl SavedMatch {
    /// A match and its finished games.
    pub fn new(config: MatchConfig, finished: Vec<GameSummary>) -> Self {
        Self { version: VERSION, config, finished }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or is no saved match.
    pub fn load(path: &Path) -> Result<Self, SaveError> {
        let text = std::fs::read_to_string(path).map_err(|error| SaveError::File(path.to_owned(), error))?;
        let content = |reason: String| SaveError::Content(path.to_owned(), reason);
        let saved: Self = serde_json::from_str(&text).map_err(|error| content(error.to_string()))?;
        if saved.version != VERSION {
            return Err(content(format!("version {} instead of {VERSION}", saved.version)));
        }
        let engines = saved.config.engines.len();
        if saved.finished.iter().any(|game| game.white >= engines || game.black >= engines) {
            return Err(content("a game names an engine that is not there".to_owned()));
        }
        Ok(saved)
    }

    /// Writes a file. It is replaced in one step: an interruption leaves the old one.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), SaveError> {
        let failed = |error| SaveError::File(path.to_owned(), error);
        let text = serde_json::to_vec(self)
            .map_err(|error| SaveError::Content(path.to_owned(), error.to_string()))?;
        let mut draft = path.as_os_str().to_owned();
        draft.push(".part");
        std::fs::write(&draft, text).map_err(failed)?;
        std::fs::rename(&draft, path).map_err(failed)
    }
}
