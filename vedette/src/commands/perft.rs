//! `vedette perft`: counts the leaf nodes of the legal move tree.

use std::error::Error;
use std::io::{self, Write};

use chess::{FenRepairs, Position};

use crate::cli::stderr::stderr;
use crate::jobs::{self, MAX_PERFT_DEPTH};

#[derive(clap::Args)]
pub struct Arguments {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Start from this position: FEN, X-FEN or Shredder-FEN [default: startpos]
    #[arg(long)]
    fen: Option<String>,
    /// Print the count of each root move
    #[arg(long)]
    divide: bool,
    /// Use N threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Use a hash table of this many MiB
    #[arg(long, value_name = "MB", default_value_t = 0)]
    hash: usize,
    /// Print castling moves as king takes rook
    #[arg(long)]
    chess960: bool,
}

/// Counts; the last line is `nodes N time MS nps N`.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let position = match &arguments.fen {
        Some(fen) => read_fen(fen)?,
        None => Position::startpos(),
    };
    let perft = jobs::Perft {
        depth: arguments.depth,
        divide: arguments.divide,
        chess960: arguments.chess960,
        threads: arguments.threads.into(),
        hash: arguments.hash,
    };
    perft.run(&position, &mut |line| writeln!(io::stdout(), "{line}"))
}

/// Reads the position. Repairs are printed, because they change what is counted.
fn read_fen(fen: &str) -> Result<Position, Box<dyn Error>> {
    let (position, repairs) =
        Position::from_fen_with_repairs(fen).map_err(|error| format!("--fen: {error}"))?;
    if repairs != FenRepairs::default() {
        stderr!("vedette: --fen: {repairs}");
    }
    Ok(position)
}
