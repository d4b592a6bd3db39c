//! Reads network files for commands; every error starts with the path.

use std::error::Error;
use std::path::Path;

use nnue::{AnyNetwork, Label};
use support::files::read_limited;

/// Reads a quantised or a float network.
pub fn load_any(path: &Path) -> Result<(AnyNetwork, Label), String> {
    AnyNetwork::read(&bytes(path)?).map_err(|error| with_path(path, &error))
}

/// More than the largest network needs.
const MAX_BYTES: u64 = 64 << 20;

/// The bytes of a file.
pub fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    read_limited(path, MAX_BYTES).map_err(|error| with_path(path, &error))
}

fn with_path(path: &Path, error: &dyn Error) -> String {
    format!("{}: {error}", path.display())
}
