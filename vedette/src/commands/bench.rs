//! `vedette bench`: a signature of the search, and its speed.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use engine::evaluation::Evaluation;

use crate::{errand, network_file};

/// How to bench.
#[derive(clap::Args)]
pub struct Arguments {
    /// Plies to search each position
    #[arg(default_value_t = engine::BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=i64::from(engine::MAX_DEPTH)))]
    depth: u32,
    /// Judge positions by rules and weights, not by a network
    #[arg(long, conflicts_with = "network")]
    classical: bool,
    /// Judge positions by the network in this file [default: the one inside the program, if there is one]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

/// Searches fixed positions with one thread; the last line is `N nodes N nps`.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let evaluation = match &arguments.network {
        Some(path) => Evaluation::Network(Arc::new(network_file::load(path)?.0)),
        None if arguments.classical => Evaluation::Classical,
        None => Evaluation::default(),
    };
    errand::bench(arguments.depth, evaluation, &mut |line| writeln!(io::stdout(), "{line}"))
}
