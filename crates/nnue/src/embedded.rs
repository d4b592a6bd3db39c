//! The built-in network: `nets/vedette.nnue`, or the file in `EVALFILE` at build time. Without either there is none.

use std::sync::{Arc, OnceLock};

use crate::file::{FileError, Label};
use crate::network::Network;

/// The path of the shipped network in the repository.
pub const SHIPPED: &str = "nets/vedette.nnue";

/// A network and its label.
pub type Embedded = (Arc<Network>, Label);

/// The bytes of the file that `build.rs` found.
const BYTES: Option<&[u8]> = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The built-in network, if there is one. It is read once and shared.
///
/// # Errors
/// If the built-in file cannot be read.
pub fn embedded() -> Result<Option<Embedded>, FileError> {
    static NETWORK: OnceLock<Result<Option<Embedded>, FileError>> = OnceLock::new();
    let read = || {
        let Some(bytes) = BYTES else { return Ok(None) };
        Network::read(bytes).map(|(network, label)| Some((Arc::new(network), label)))
    };
    NETWORK.get_or_init(read).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_network_is_valid() {
        let network = embedded().expect("the file is whole and fits this version");
        assert_eq!(network.is_some(), BYTES.is_some());
    }
}
