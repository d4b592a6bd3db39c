//! `vedette perft`: count the games that begin in a position.

use std::error::Error;
use std::io::{self, Write};

use chess::{FenRepairs, Position};

use crate::cli::stderr::stderr;
use crate::jobs::{self, MAX_PERFT_DEPTH};

/// What to count, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// Half moves to look ahead
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Position to start from: FEN, X-FEN or Shredder-FEN [default: the initial position]
    #[arg(long)]
    fen: Option<String>,
    /// Show the count of every first move
    #[arg(long)]
    divide: bool,
    /// Threads to count with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Mebibytes to remember counts in
    #[arg(long, value_name = "MB", default_value_t = 0)]
    hash: usize,
    /// Write castling as king takes rook
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

/// Reads the position; what had to be mended is told, because another position is counted then.
fn read_fen(fen: &str) -> Result<Position, Box<dyn Error>> {
    let (position, repairs) =
        Position::from_fen_with_repairs(fen).map_err(|error| format!("--fen: {error}"))?;
    if repairs != FenRepairs::default() {
        stderr!("vedette: --fen: {repairs}");
    }
    Ok(position)
}
