//! Crashes and hangs.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a search has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineError {
    /// It could not be started, or sent no `uciok` or `readyok`.
    Start,
    Crash,
    /// No answer, not even after `stop`.
    Hang,
    /// It crashed or hung too often to be restarted.
    GivenUp,
    /// Ctrl-C.
    Interrupted,
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "engine failed to start",
            Self::Crash => "engine crashed",
            Self::Hang => "engine hung",
            Self::GivenUp => "too many crashes and hangs",
            Self::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for EngineError {}

/// A crash, a hang or a failed start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Incident {
    #[serde(alias = "trouble")]
    pub error: EngineError,
    /// The error, and the engine's first line on stderr.
    #[serde(alias = "words")]
    pub message: String,
    /// The last lines of the protocol log.
    pub transcript: Vec<String>,
    /// UCI commands that reproduce it.
    pub repro: Vec<String>,
}

pub(crate) const IS_READY: &str = "isready";

impl Incident {
    /// Whether `uciok` came and `readyok` did not.
    pub fn is_unready(&self) -> bool {
        self.repro.last().is_some_and(|line| line == IS_READY)
    }
}
