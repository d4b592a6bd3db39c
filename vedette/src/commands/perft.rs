//! `vedette perft`: counts the leaf nodes of the legal move tree.

use std::error::Error;
use std::io::Write;

use chess::{FenRepairs, Position};
use serde_json::json;

use crate::cli::json::JsonArguments;
use crate::cli::stderr::stderr;
use crate::cli::values::parse_fen;
use crate::jobs::{self, MAX_PERFT_DEPTH};

#[derive(clap::Args)]
pub struct Arguments {
    /// Count to this depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Start from this position: FEN, X-FEN or Shredder-FEN [default: startpos]
    #[arg(long, value_name = "FEN", value_parser = parse_fen)]
    fen: Option<(Position, FenRepairs)>,
    /// Print the count of each root move
    #[arg(long)]
    divide: bool,
    /// Use N threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Use a hash table of this many MiB
    #[arg(long, value_name = "MIB", default_value_t = 0)]
    hash: usize,
    /// Print castling moves as king takes rook
    #[arg(long)]
    chess960: bool,
    #[command(flatten)]
    json: JsonArguments,
}

/// Counts; the last line is `nodes N time MS nps N`.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let json = arguments.json.open()?;
    let mut text = arguments.json.text();
    let (position, repairs) = arguments.fen.unwrap_or_else(|| (Position::startpos(), FenRepairs::default()));
    // They change what is counted.
    if repairs != FenRepairs::default() {
        stderr!("vedette: --fen: {repairs}");
    }
    let perft = jobs::PerftJob {
        depth: arguments.depth,
        divide: arguments.divide,
        chess960: arguments.chess960,
        threads: arguments.threads.into(),
        hash: arguments.hash,
    };
    let report = perft.run(&position, &mut |line| writeln!(text, "{line}"))?;
    json.finish(|| {
        let moves = report.moves.iter().map(|(mv, nodes)| json!({"move": mv, "nodes": nodes}));
        json!({
            "schema": "vedette-perft/1", "fen": position.to_fen(), "depth": arguments.depth,
            "moves": arguments.divide.then(|| moves.collect::<Vec<_>>()),
            "nodes": report.nodes, "seconds": report.time.as_secs_f64(),
            "nps": jobs::nodes_per_second(report.nodes, report.time) as u64,
        })
    })
}
