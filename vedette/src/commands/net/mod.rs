//! `vedette net`: looks into network files, compares networks, and turns them into text.

mod compare;
mod export;
mod info;

use std::error::Error;

/// What to do with networks.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    errand: Errand,
}

#[derive(clap::Subcommand)]
enum Errand {
    /// Tell what a file holds: shape, description, hash, ranges of the weights
    Info(info::Arguments),
    /// Tell how far two networks agree about positions
    Compare(compare::Arguments),
    /// Write a network as text or JSON, or one of floating point as the engine reads it
    Export(export::Arguments),
}

/// Does it.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    match &arguments.errand {
        Errand::Info(arguments) => info::run(arguments),
        Errand::Compare(arguments) => compare::run(arguments),
        Errand::Export(arguments) => export::run(arguments),
    }
}
