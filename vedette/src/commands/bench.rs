//! `vedette bench`: the search's signature and its speed.

use std::error::Error;
use std::io::Write;

use chess::Game;
use serde_json::json;
use uci::{BenchCommand, BenchLimit};

use crate::cli::evaluation::EvaluationArguments;
use crate::cli::json::JsonArguments;
use crate::{identity, jobs};

/// The arguments of Stockfish's `bench`, in its order.
#[derive(clap::Args)]
pub struct Arguments {
    /// Use a hash table of this many MiB
    #[arg(default_value_t = BenchCommand::default().hash_mb, value_parser = hash)]
    hash: usize,
    /// Use this many threads
    #[arg(value_name = "THREADS", default_value_t = BenchCommand::default().threads, value_parser = threads)]
    threads: usize,
    /// Limit each search to this depth, or in the unit of TYPE
    #[arg(default_value_t = BenchCommand::default().limit, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Search the positions of this file (FEN or EPD, one per line), or `default` for the built-in ones
    #[arg(default_value_t = BenchCommand::default().file)]
    file: String,
    /// Set the unit of LIMIT: depth, nodes, movetime (ms), mate, perft or eval
    #[arg(value_name = "TYPE", default_value = BenchLimit::default().name(), value_parser = kind)]
    kind: BenchLimit,
    #[command(flatten)]
    evaluation: EvaluationArguments,
    #[command(flatten)]
    json: JsonArguments,
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
    let json = arguments.json.open()?;
    let mut text = arguments.json.text();
    let (evaluation, name) = arguments.evaluation.evaluation()?;
    let &Arguments { hash: hash_mb, threads, limit, kind, .. } = arguments;
    let bench = BenchCommand { hash_mb, threads, limit, file: arguments.file.clone(), kind };
    let report = jobs::bench(&bench, evaluation, &Game::default(), &mut |line| writeln!(text, "{line}"))?;
    json.finish(|| {
        let positions = report.positions.iter().map(|(fen, nodes)| json!({"fen": fen, "nodes": nodes}));
        json!({
            "schema": "vedette-bench/1", "engine": identity::NAME, "evaluation": name,
            "hash": hash_mb, "threads": threads, "limit": limit, "type": kind.name(), "file": bench.file,
            "positions": positions.collect::<Vec<_>>(),
            "nodes": report.nodes, "seconds": report.time.as_secs_f64(),
            "nps": jobs::nodes_per_second(report.nodes, report.time) as u64,
        })
    })
}
