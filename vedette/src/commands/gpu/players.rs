//! Networks and parameters on the command line: who plays.

use std::error::Error;
use std::path::{Path, PathBuf};

use gpu::player::Player;
use nnue::{FloatNetwork, shape::Shape};

use crate::cli::network_file;

/// A parameter of the search with its value, as `name=value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    name: String,
    value: i32,
}

/// Reads `name=value`.
pub fn parse_setting(text: &str) -> Result<Setting, String> {
    let parts = text.split_once('=').and_then(|(name, value)| Some((name, value.trim().parse().ok()?)));
    let (name, value) = parts.ok_or_else(|| format!("'{text}' is not a parameter such as name=12"))?;
    Ok(Setting { name: name.trim().to_owned(), value })
}

/// A network from a file, of integers or of floating-point weights, or the one inside the program; with the name it is
/// known by.
pub fn network(path: Option<&Path>) -> Result<(nnue::Network, String), Box<dyn Error>> {
    let (network, label) = if let Some(path) = path {
        let (network, label) = network_file::load_any(path)?;
        (network.into_integers(), label)
    } else {
        let embedded = nnue::embedded()?.ok_or("there is no network inside this program: name a file")?;
        (embedded.0.as_ref().clone(), embedded.1)
    };
    Ok((network, format!("network {:016x}", label.hash)))
}

/// The player with a network and some parameters of its own.
pub fn player(path: Option<&Path>, settings: &[Setting]) -> Result<(Player, String), Box<dyn Error>> {
    let (network, name) = network(path)?;
    let mut player = Player::new(network);
    for Setting { name, value } in settings {
        player.set(name, *value)?;
    }
    let own: Vec<String> = settings.iter().map(|Setting { name, value }| format!("{name}={value}")).collect();
    Ok((player, if own.is_empty() { name } else { format!("{name} with {}", own.join(" ")) }))
}

/// The network of a command that needs one but does not care which: a file, or random weights.
#[derive(clap::Args)]
pub struct AnyNetworkArguments {
    /// Network that judges positions [default: the one inside the program, or random weights]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

impl AnyNetworkArguments {
    /// The player and its name.
    pub fn player(&self) -> Result<(Player, String), Box<dyn Error>> {
        /// Hidden units of random weights.
        const HIDDEN: usize = 256;
        if self.network.is_none() && nnue::embedded()?.is_none() {
            let network = FloatNetwork::random(Shape::new(HIDDEN)?, 1).quantise();
            return Ok((Player::new(network), "random weights".to_owned()));
        }
        player(self.network.as_deref(), &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_names_and_numbers() {
        let setting = parse_setting("a_b = -12").unwrap();
        assert_eq!((setting.name.as_str(), setting.value), ("a_b", -12));
        for wrong in ["", "a", "a=", "a=x", "a=1.5"] {
            assert!(parse_setting(wrong).is_err(), "{wrong}");
        }
    }
}
