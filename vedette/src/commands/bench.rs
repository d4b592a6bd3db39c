//! `vedette bench`: the search's signature and its speed.

use std::error::Error;
use std::io::{self, Write};

use chess::Game;
use uci::{Bench, BenchLimit};

use crate::cli::evaluation::EvaluationArguments;
use crate::jobs;

/// The arguments of Stockfish's `bench`, in its order.
#[derive(clap::Args)]
pub struct Arguments {
    /// Use a hash table of this many MiB
    #[arg(default_value_t = Bench::default().hash_mb, value_parser = hash)]
    hash: usize,
    /// Use N threads
    #[arg(value_name = "N", default_value_t = Bench::default().threads, value_parser = threads)]
    threads: usize,
    /// Limit each search to this depth, or to what TYPE says
    #[arg(default_value_t = Bench::default().limit, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Search the positions of this file (FEN or EPD, one a line), or the fixed ones
    #[arg(default_value_t = Bench::default().file)]
    file: String,
    /// What LIMIT counts: depth, nodes, movetime (ms) or mate; or count leaf nodes (perft), or evaluate (eval)
    #[arg(value_name = "TYPE", default_value = BenchLimit::default().name(), value_parser = kind)]
    kind: BenchLimit,
    #[command(flatten)]
    evaluation: EvaluationArguments,
}

fn hash(text: &str) -> Result<usize, String> {
    in_range(text, &engine::HASH_MB)
}

fn threads(text: &str) -> Result<usize, String> {
    in_range(text, &engine::THREADS)
}

fn in_range(text: &str, range: &std::ops::RangeInclusive<usize>) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected {}..={}", range.start(), range.end()))
}

fn kind(text: &str) -> Result<BenchLimit, String> {
    let kind = BenchLimit::ALL.into_iter().find(|kind| kind.name() == text);
    kind.ok_or_else(|| format!("expected {}", BenchLimit::ALL.map(BenchLimit::name).join(", ")))
}

/// Searches positions; the totals go to stderr, and the last line on stdout is `N nodes N nps`.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let (evaluation, _) = arguments.evaluation.evaluation()?;
    let &Arguments { hash: hash_mb, threads, limit, kind, .. } = arguments;
    let bench = Bench { hash_mb, threads, limit, file: arguments.file.clone(), kind };
    jobs::bench(&bench, evaluation, &Game::default(), &mut |line| writeln!(io::stdout(), "{line}"))
}
