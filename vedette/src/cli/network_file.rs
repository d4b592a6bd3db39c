//! Reads network files for commands; every error starts with the path.

use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use nnue::{AnyNetwork, Label};

/// Reads a quantised or a float network.
pub fn load_any(path: &Path) -> Result<(AnyNetwork, Label), String> {
    AnyNetwork::read(&bytes(path)?).map_err(|error| with_path(path, &error))
}

/// More than the largest network needs; an endless device must not fill the memory.
const MAX_BYTES: u64 = 64 << 20;

/// The bytes of a file, up to more than the largest network has.
pub fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    read.map(|_| bytes).map_err(|error| with_path(path, &error))
}

fn with_path(path: &Path, error: &dyn Error) -> String {
    format!("{}: {error}", path.display())
}
