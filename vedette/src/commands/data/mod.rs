//! `vedette data`: tools for training data.

mod audit;
mod export;
mod filter;
mod rescore;
mod shuffle;
mod split;

use std::error::Error;
use std::path::PathBuf;

use datagen::data::DataError;
use datagen::data::source::Reading;
use record::packed::Filter;

use crate::cli::progress::ProgressLine;
use crate::cli::stderr::stderr;

/// Input and output of a tool that writes one file.
#[derive(clap::Args)]
struct FileArguments {
    /// Read games from these files
    #[arg(required = true, value_name = "FILE")]
    input: Vec<PathBuf>,
    /// Write to this file
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: PathBuf,
}

#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(clap::Subcommand)]
enum Tool {
    /// Print statistics of games, and report anomalies
    Audit(audit::Arguments),
    /// Keep the games that match all conditions
    Filter(filter::Arguments),
    /// Shuffle games, in memory or on disk
    Shuffle(shuffle::Arguments),
    /// Split games into parts by opening
    Split(split::Arguments),
    /// Correct results and scores by tablebases
    Rescore(rescore::Arguments),
    /// Convert positions to another format
    Export(export::Arguments),
}

#[derive(clap::Args)]
struct OrderArguments {
    /// Set the random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Use this many MiB of memory
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    memory: u64,
}

/// The position filter.
#[derive(clap::Args)]
struct PositionArguments {
    /// Skip positions before this ply
    #[arg(long, value_name = "N", default_value_t = Filter::default().min_ply)]
    min_ply: u32,
    /// Skip positions with fewer pieces
    #[arg(long, alias = "min-men", value_name = "N", default_value_t = Filter::default().min_pieces)]
    min_pieces: u32,
    /// Skip positions with a larger score, in centipawns
    #[arg(long, value_name = "CP", default_value_t = Filter::default().max_score)]
    max_score: u16,
    /// Include positions in check
    #[arg(long)]
    checks: bool,
    /// Include positions whose best move is a capture or promotion
    #[arg(long)]
    noisy: bool,
}

impl PositionArguments {
    fn filter(&self) -> Filter {
        Filter {
            min_ply: self.min_ply,
            min_pieces: self.min_pieces,
            max_score: self.max_score,
            checks: self.checks,
            noisy: self.noisy,
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    match &arguments.tool {
        Tool::Audit(arguments) => arguments.run(),
        Tool::Filter(arguments) => arguments.run(),
        Tool::Shuffle(arguments) => arguments.run(),
        Tool::Split(arguments) => arguments.run(),
        Tool::Rescore(arguments) => arguments.run(),
        Tool::Export(arguments) => arguments.run(),
    }
}

fn with_progress<T>(work: impl FnOnce(&mut dyn FnMut(f64)) -> Result<T, DataError>) -> Result<T, DataError> {
    let mut progress_line = ProgressLine::new();
    let result = work(&mut |done| progress_line.update(|| format!("{:5.1} %", 100.0 * done)));
    progress_line.finish(None);
    result
}

/// Reports damaged parts of files on stderr.
fn warn(reading: &Reading) {
    for (path, damage) in &reading.damage {
        stderr!(
            "Warning: {} at byte {}: {} ({} bytes skipped)",
            path.display(),
            damage.offset,
            damage.fault,
            damage.bytes
        );
    }
}
