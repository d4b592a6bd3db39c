//! `vedette bench`: a signature of the search, and its speed.

use std::error::Error;
use std::io::{self, Write};

use crate::errand;

/// How to bench.
#[derive(clap::Args)]
pub struct Arguments {
    /// Plies to search each position
    #[arg(default_value_t = engine::BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=i64::from(engine::MAX_DEPTH)))]
    depth: u32,
}

/// Searches fixed positions with one thread; the last line is `N nodes N nps`.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    errand::bench(arguments.depth, &mut |line| writeln!(io::stdout(), "{line}"))
}
