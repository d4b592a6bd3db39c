//! Reads networks from files, for options and commands; what is wrong with one is told with its name.

use std::error::Error;
use std::fs;
use std::path::Path;

use nnue::{AnyNetwork, Label, Network};

/// A network that the engine can use.
pub fn load(path: &Path) -> Result<(Network, Label), String> {
    Network::read(&bytes(path)?).map_err(|error| named(path, &error))
}

/// A network of either kind.
pub fn load_any(path: &Path) -> Result<(AnyNetwork, Label), String> {
    AnyNetwork::read(&bytes(path)?).map_err(|error| named(path, &error))
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| named(path, &error))
}

fn named(path: &Path, error: &dyn Error) -> String {
    format!("{}: {error}", path.display())
}
