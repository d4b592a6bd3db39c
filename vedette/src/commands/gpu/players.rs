//! Networks and search parameters on the command line.

use std::error::Error;
use std::path::{Path, PathBuf};

use gpu::NetworkPlayer;
use nnue::{FloatNetwork, shape::Shape};

use crate::cli::network_file;

/// `NAME=VALUE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    name: String,
    value: i32,
}

pub fn parse_setting(text: &str) -> Result<Setting, String> {
    let parts = text.split_once('=').and_then(|(name, value)| Some((name, value.trim().parse().ok()?)));
    let (name, value) = parts.ok_or_else(|| format!("invalid parameter '{text}': expected NAME=VALUE"))?;
    Ok(Setting { name: name.trim().to_owned(), value })
}

/// A quantised or floating-point network from a file, or the built-in one, with its name. It is one that a GPU can use.
pub fn network(path: Option<&Path>) -> Result<(nnue::Network, String), Box<dyn Error>> {
    let (network, label) = if let Some(path) = path {
        let (network, label) = network_file::load_any(path)?;
        (network.into_integers(), label)
    } else {
        let embedded = nnue::embedded()?.ok_or("no built-in network: give a file")?;
        (embedded.0.as_ref().clone(), embedded.1)
    };
    gpu::check_network(&network).map_err(|error| match path {
        Some(path) => format!("{}: {error}", path.display()),
        None => format!("the built-in network: {error}: give a file"),
    })?;
    Ok((network, format!("network {:016x}", label.hash)))
}

pub fn player(path: Option<&Path>, settings: &[Setting]) -> Result<(NetworkPlayer, String), Box<dyn Error>> {
    let (network, name) = network(path)?;
    let mut player = NetworkPlayer::new(network);
    for Setting { name, value } in settings {
        player.set(name, *value)?;
    }
    let own: Vec<String> = settings.iter().map(|Setting { name, value }| format!("{name}={value}")).collect();
    Ok((player, if own.is_empty() { name } else { format!("{name} with {}", own.join(" ")) }))
}

/// For commands to which any network will do.
#[derive(clap::Args)]
pub struct AnyNetworkArguments {
    /// Use this network [default: built-in, or random weights]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

impl AnyNetworkArguments {
    pub fn player(&self) -> Result<(NetworkPlayer, String), Box<dyn Error>> {
        /// Hidden units of random weights.
        const HIDDEN: usize = 256;
        if self.network.is_none() && nnue::embedded()?.is_none() {
            let network = FloatNetwork::random(Shape::new(HIDDEN)?, 1).quantise();
            return Ok((NetworkPlayer::new(network), "random weights".to_owned()));
        }
        player(self.network.as_deref(), &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_parsed() {
        let setting = parse_setting("a_b = -12").unwrap();
        assert_eq!((setting.name.as_str(), setting.value), ("a_b", -12));
        for wrong in ["", "a", "a=", "a=x", "a=1.5"] {
            assert!(parse_setting(wrong).is_err(), "{wrong}");
        }
    }
}
