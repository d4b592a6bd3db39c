//! The network that was built into the program: `nets/vedette.nnue`, or the file that `EVALFILE` named when
//! the program was built. Without either the program has none.

use std::sync::{Arc, OnceLock};

use crate::file::{FileError, Label};
use crate::network::Network;

/// Where the repository keeps the network that it ships.
pub const SHIPPED: &str = "nets/vedette.nnue";

/// A network, and what its file says about it.
pub type Embedded = (Arc<Network>, Label);

/// What `build.rs` found: the bytes of the file.
const BYTES: Option<&[u8]> = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The network inside the program, if there is one. It is read once, and shared from then on.
///
/// # Errors
/// If the program was built with a file that cannot be used.
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
    fn the_embedded_network_can_be_used() {
        let network = embedded().expect("the file is whole and fits this version");
        assert_eq!(network.is_some(), BYTES.is_some());
    }
}
