//! Reads a network from a file, for `EvalFile` and for commands that take one.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use nnue::{FileError, Label, Network};
use support::files::read_limited;

/// Far more than the widest network needs, so that no other file, such as an endless device, fills the
/// memory.
const MAX_BYTES: u64 = 64 << 20;

/// Why a network cannot be loaded.
#[derive(Debug)]
pub struct NetworkFileError {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    Io(io::Error),
    Format(FileError),
}

impl fmt::Display for NetworkFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.reason {
            Reason::Io(error) => error.fmt(f),
            Reason::Format(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NetworkFileError {}

/// Loads a quantised network.
///
/// # Errors
/// If the file cannot be read, or is not a network that the engine can use.
pub fn load_network(path: &Path) -> Result<(Network, Label), NetworkFileError> {
    let failed = |reason| NetworkFileError { path: path.to_owned(), reason };
    let bytes = read_limited(path, MAX_BYTES).map_err(|error| failed(Reason::Io(error)))?;
    Network::read(&bytes).map_err(|error| failed(Reason::Format(error)))
}
