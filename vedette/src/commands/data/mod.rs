//! `vedette data`: tools for training data.

mod audit;
mod convert;
mod export;
mod filter;
mod head;
mod info;
mod rescore;
mod sample;
mod shuffle;
mod split;

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use datagen::data::DataError;
use datagen::data::source::ReadSummary;
use record::dataset::DataFormat;
use record::packed::Filter;

use crate::cli::format::grouped;
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

/// Formats of input and output.
#[derive(clap::Args)]
struct FormatArguments {
    /// Read files of this format instead of recognising it
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<DataFormat>,
    /// Write this format instead of that of the output's extension
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    format: Option<DataFormat>,
}

impl FormatArguments {
    fn output(&self, path: &Path) -> Result<DataFormat, String> {
        self.format.or_else(|| DataFormat::from_path(path)).ok_or_else(|| {
            let names: Vec<&str> = DataFormat::ALL.iter().map(|format| format.name()).collect();
            let path = path.display();
            format!("{path}: no known extension; choose --format from {}", names.join(", "))
        })
    }
}

fn format_parser() -> impl TypedValueParser<Value = DataFormat> {
    let known = DataFormat::ALL
        .map(|format| clap::builder::PossibleValue::new(format.name()).help(format.description()));
    PossibleValuesParser::new(known)
        .try_map(|name| DataFormat::from_name(&name).ok_or_else(|| format!("unknown format {name}")))
}

/// Reports positions that a format cannot hold.
fn report_skipped(skipped: u64, format: DataFormat) {
    if skipped > 0 {
        let skipped = grouped(skipped);
        stderr!(
            "Warning: {skipped} positions left out: no move, or castling rights that {format} cannot hold"
        );
    }
}

#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(clap::Subcommand)]
enum Tool {
    /// Describe files: format, games, positions, results
    Info(info::Arguments),
    /// Print the first positions of a file as CSV
    Head(head::Arguments),
    /// Print statistics of games or positions, and report anomalies
    #[command(visible_alias = "stats")]
    Audit(audit::Arguments),
    /// Keep the games that match all conditions
    Filter(filter::Arguments),
    /// Shuffle games, in memory or on disk
    Shuffle(shuffle::Arguments),
    /// Split games into parts by opening
    Split(split::Arguments),
    /// Correct results and scores with tablebases
    Rescore(rescore::Arguments),
    /// Sample games at random
    Sample(sample::Arguments),
    /// Convert files to another format, or join them
    #[command(visible_aliases = ["import", "merge"])]
    Convert(convert::Arguments),
    /// Write the positions that a filter keeps in another format
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
        Tool::Info(arguments) => arguments.run(),
        Tool::Head(arguments) => arguments.run(),
        Tool::Audit(arguments) => arguments.run(),
        Tool::Filter(arguments) => arguments.run(),
        Tool::Shuffle(arguments) => arguments.run(),
        Tool::Split(arguments) => arguments.run(),
        Tool::Rescore(arguments) => arguments.run(),
        Tool::Sample(arguments) => arguments.run(),
        Tool::Convert(arguments) => arguments.run(),
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
fn warn(reading: &ReadSummary) {
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
