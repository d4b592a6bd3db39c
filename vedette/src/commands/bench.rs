//! `vedette bench`: the search's signature and its speed.

use std::error::Error;
use std::io::{self, Write};

use crate::cli::evaluation::EvaluationArguments;
use crate::jobs;

#[derive(clap::Args)]
pub struct Arguments {
    /// Search each position to this depth
    #[arg(default_value_t = engine::BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=i64::from(engine::MAX_DEPTH)))]
    depth: u32,
    #[command(flatten)]
    evaluation: EvaluationArguments,
}

/// Searches fixed positions with one thread; the last line is `N nodes N nps`.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let (evaluation, _) = arguments.evaluation.evaluation()?;
    jobs::bench(arguments.depth, evaluation, &mut |line| writeln!(io::stdout(), "{line}"))
}
