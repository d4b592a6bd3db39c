//! `vedette gpu …`: self-play, matches, tests and training where one warp of a GPU plays one game. With
//! `--device lane` the same code runs on one lane of the CPU.

mod duel;
mod generations;
mod matches;
mod perft;
mod players;
mod selfplay;
mod sprt;
mod spsa;
mod verify;

use std::error::Error;

use gpu::games::MOST_NODES;
use gpu::machine::MachineName;
use gpu::venue::Venue;

use crate::cli::format::grouped;
use crate::cli::values::{parse_pairs, parse_positive};

/// What to do on a GPU.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Play games to train a network with, thousands at once
    Selfplay(selfplay::Arguments),
    /// Two networks, or two sets of parameters, play pairs of games
    Match(matches::Arguments),
    /// A match that ends as soon as it is decided
    Sprt(sprt::Arguments),
    /// Tune the parameters of the search by games
    Spsa(spsa::Arguments),
    /// Count the leaves of the tree of legal moves
    Perft(perft::Arguments),
    /// Play games on the GPU and on the CPU and compare them to the last bit
    Verify(verify::Arguments),
    /// From random weights to a network: play, train, match, keep or reject, again
    Loop(generations::Arguments),
}

/// Runs it.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    match &arguments.command {
        Command::Selfplay(arguments) => selfplay::run(arguments),
        Command::Match(arguments) => matches::run(arguments),
        Command::Sprt(arguments) => sprt::run(arguments),
        Command::Spsa(arguments) => spsa::run(arguments),
        Command::Perft(arguments) => perft::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Loop(arguments) => generations::run(arguments),
    }
}

/// The most games of a match: the result of each takes a byte of the device's memory from the beginning.
const MOST_GAMES: u64 = 1_000_000_000;

/// A number of games of a match.
fn parse_games(text: &str) -> Result<u64, String> {
    let games = parse_pairs(text)?;
    let told = || format!("{} games at most are played in a match", grouped(MOST_GAMES));
    (games <= MOST_GAMES).then_some(games).ok_or_else(told)
}

/// Nodes for a move, as a device counts them.
fn parse_nodes(text: &str) -> Result<u32, String> {
    let nodes = parse_positive(text)?;
    let told = || format!("a search on a device has at most {MOST_NODES} nodes");
    u32::try_from(nodes).ok().filter(|_| nodes <= MOST_NODES).ok_or_else(told)
}

/// Who runs the device code.
#[derive(clap::Args)]
pub struct DeviceArguments {
    /// Who plays: a GPU by its number, or one lane of the CPU, which is slow and plays the same games
    #[arg(long, value_name = "cuda[:N]|lane", default_value = "cuda")]
    device: MachineName,
}

impl DeviceArguments {
    /// The machine, ready for games.
    fn venue(&self) -> Result<Venue, Box<dyn Error>> {
        Ok(Venue::new(self.device.open()?)?)
    }
}
