//! `vedette net`: inspects, compares and converts network files.

mod compare;
mod export;
mod import;
mod info;

use std::error::Error;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Show shape, description, hash and weight ranges
    Info(info::Arguments),
    /// Compare the evaluations of two networks
    Compare(compare::Arguments),
    /// Convert a network to JSON or text, or quantise a float network
    Export(export::Arguments),
    /// Convert a network trained with bullet
    Import(import::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    match &arguments.action {
        Action::Info(arguments) => info::run(arguments),
        Action::Compare(arguments) => compare::run(arguments),
        Action::Export(arguments) => export::run(arguments),
        Action::Import(arguments) => import::run(arguments),
    }
}
