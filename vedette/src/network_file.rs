//! Reads networks from files, for options and commands; what is wrong with one is told with its name.

use std::error::Error;
use std::fs::File;
use std::io::Read;
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

/// Far more than the widest network needs: nothing else, such as a device that never ends, fills the memory.
const MOST_BYTES: u64 = 64 << 20;

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    read.map(|_| bytes).map_err(|error| named(path, &error))
}

fn named(path: &Path, error: &dyn Error) -> String {
    format!("{}: {error}", path.display())
}
