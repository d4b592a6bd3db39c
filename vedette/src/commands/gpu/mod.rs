//! `vedette gpu …`: commands that run the device code, in which one warp of a GPU plays one game. With `--device cpu` the same code
//! runs on the CPU.
//!
//! They are not options of `selfplay`, `match`, `sprt`, `spsa` and `perft`, since those have other subjects: the engine's own search
//! (or any UCI engine) instead of the device search, and `--device cpu` would mean either.

mod matches;
mod matchup;
mod perft;
mod pipeline;
mod players;
mod selfplay;
mod sprt;
mod spsa;
mod verify;

use std::error::Error;

use gpu::games::MAX_NODES;
use gpu::{Device, DeviceContext};

use crate::cli::format::grouped;
use crate::cli::values::{parse_pairs, parse_positive};

#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Generate training games, thousands in parallel
    Selfplay(selfplay::Arguments),
    /// Play a match between networks or search parameters
    Match(matches::Arguments),
    /// Play a match until an SPRT decides it
    Sprt(sprt::Arguments),
    /// Tune search parameters with SPSA
    Spsa(spsa::Arguments),
    /// Count the leaf nodes of the legal move tree
    Perft(perft::Arguments),
    /// Play games on the GPU and on the CPU and compare them bit for bit
    Verify(verify::Arguments),
    /// Train a network from random weights: self-play, training, match, repeat
    Loop(pipeline::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    match &arguments.command {
        Command::Selfplay(arguments) => selfplay::run(arguments),
        Command::Match(arguments) => matches::run(arguments),
        Command::Sprt(arguments) => sprt::run(arguments),
        Command::Spsa(arguments) => spsa::run(arguments),
        Command::Perft(arguments) => perft::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Loop(arguments) => pipeline::run(arguments),
    }
}

/// Of a match: results take a byte of device memory each.
const MAX_GAMES: u64 = 1_000_000_000;

fn parse_games(text: &str) -> Result<u64, String> {
    let games = parse_pairs(text)?;
    let error = || format!("expected at most {} games", grouped(MAX_GAMES));
    (games <= MAX_GAMES).then_some(games).ok_or_else(error)
}

fn parse_nodes(text: &str) -> Result<u32, String> {
    let nodes = parse_positive(text)?;
    let error = || format!("expected at most {MAX_NODES} nodes");
    u32::try_from(nodes).ok().filter(|_| nodes <= MAX_NODES).ok_or_else(error)
}

#[derive(clap::Args)]
pub struct DeviceArguments {
    /// Run on a GPU, or on a slow emulation on the CPU with the same results
    #[arg(long, value_name = "cuda[:N]|cpu", default_value = "cuda")]
    device: Device,
}

impl DeviceArguments {
    fn open(&self) -> Result<DeviceContext, Box<dyn Error>> {
        Ok(DeviceContext::open(self.device)?)
    }
}
