//! `vedette data`: tools for training data.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use datagen::data::audit::{self, Audit};
use datagen::data::export::{Export, Format};
use datagen::data::select::{self, Choice};
use datagen::data::source::{self, Reading};
use datagen::data::split::{self, Part};
use datagen::data::{DataError, shuffle};
use record::packed::{Filter, Wdl};

use crate::cli::format::grouped;
use crate::cli::progress::ProgressLine;
use crate::cli::stderr::stderr;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(clap::Subcommand)]
enum Tool {
    /// Print statistics of games, and report anomalies
    Audit(AuditArguments),
    /// Keep the games that match all conditions
    Filter(FilterArguments),
    /// Shuffle games, also more than fit into memory
    Shuffle(ShuffleArguments),
    /// Split games into parts by opening
    Split(SplitArguments),
    /// Convert positions to another format
    Export(ExportArguments),
}

#[derive(clap::Args)]
struct AuditArguments {
    /// Read games from these files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write charts to this file, .html or .svg
    #[arg(long, alias = "picture", value_name = "FILE")]
    chart: Option<PathBuf>,
    /// Exit with code 1 if there are anomalies
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    positions: PositionArguments,
}

#[derive(clap::Args)]
struct FilterArguments {
    /// Read games from these files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write to this file
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: PathBuf,
    /// Drop games with fewer plies
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_plies: usize,
    /// Drop games with more plies
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    max_plies: usize,
    /// Keep games with these results
    #[arg(long, value_enum, value_delimiter = ',', default_value = "white,draw,black")]
    results: Vec<Winner>,
    /// Keep games of this variant
    #[arg(long, value_enum, default_value_t = Kind::Any)]
    kind: Kind,
    /// Drop games whose first score is further from 0, in centipawns
    #[arg(long, value_name = "CP", default_value_t = u16::MAX, hide_default_value = true)]
    max_first_score: u16,
    /// Drop duplicate games
    #[arg(long, alias = "unique")]
    dedup: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Winner {
    /// White wins
    White,
    /// Draw
    Draw,
    /// Black wins
    Black,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Kind {
    /// Standard chess and Chess960
    Any,
    /// Standard chess
    Standard,
    /// Chess960, single and double
    Chess960,
}

#[derive(clap::Args)]
struct ShuffleArguments {
    /// Read games from these files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write to this file
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    order: OrderArguments,
}

#[derive(clap::Args)]
struct OrderArguments {
    /// Seed the random order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Use this many MiB of memory
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    memory: u64,
}

#[derive(clap::Args)]
struct SplitArguments {
    /// Read games from these files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write a part with a weight, e.g. --part train.vd=95 --part validation.vd=5
    #[arg(long = "part", value_name = "FILE=WEIGHT", value_parser = parse_part, required = true)]
    parts: Vec<Part>,
    /// Seed the random split
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
struct ExportArguments {
    /// Read games from these files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write to this file
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: PathBuf,
    /// Write this format
    #[arg(long, value_enum)]
    format: ExportFormat,
    /// Shuffle the positions
    #[arg(long)]
    shuffle: bool,
    #[command(flatten)]
    order: OrderArguments,
    #[command(flatten)]
    positions: PositionArguments,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ExportFormat {
    /// Lines of `FEN | centipawns | result` from White's view
    Text,
    /// 32-byte bulletformat records
    Bullet,
}

/// The position filter.
#[derive(clap::Args)]
struct PositionArguments {
    /// Skip positions before this ply
    #[arg(long, value_name = "N", default_value_t = Filter::default().min_ply)]
    min_ply: u32,
    /// Skip positions with fewer pieces
    #[arg(long, alias = "min-men", value_name = "N", default_value_t = Filter::default().min_men)]
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
            min_men: self.min_pieces,
            max_score: self.max_score,
            checks: self.checks,
            noisy: self.noisy,
        }
    }
}

fn parse_part(text: &str) -> Result<Part, String> {
    let refuse = || "expected FILE=WEIGHT, such as train.vd=95".to_owned();
    let (path, weight) = text.rsplit_once('=').ok_or_else(refuse)?;
    let weight = weight.parse().ok().filter(|&weight: &f64| weight > 0.0 && weight.is_finite());
    Ok(Part { path: path.into(), weight: weight.ok_or_else(refuse)? })
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    match &arguments.tool {
        Tool::Audit(arguments) => arguments.run(),
        Tool::Filter(arguments) => arguments.run(),
        Tool::Shuffle(arguments) => arguments.run(),
        Tool::Split(arguments) => arguments.run(),
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

impl AuditArguments {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        let mut audit = Audit::new(self.positions.filter());
        let reading = with_progress(|progress| {
            source::read(&self.files, |game, done| {
                progress(done);
                audit.add(&game);
                Ok(())
            })
        })?;
        audit.add_reading(reading);
        write!(io::stdout(), "{audit}")?;
        if let Some(path) = &self.chart {
            let chart = if is_html(path) { audit::html(&audit) } else { audit::svg(&audit) };
            fs::write(path, chart).map_err(DataError::at(path))?;
        }
        match audit.findings().len() {
            findings if self.strict && findings > 0 => Err(format!("{findings} anomalies").into()),
            _ => Ok(()),
        }
    }
}

fn is_html(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("html") || end.eq_ignore_ascii_case("htm"))
}

impl FilterArguments {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        let choice = Choice {
            min_plies: self.min_plies,
            max_plies: self.max_plies,
            results: self
                .results
                .iter()
                .map(|winner| match winner {
                    Winner::White => Wdl::WhiteWins,
                    Winner::Draw => Wdl::Draw,
                    Winner::Black => Wdl::BlackWins,
                })
                .collect(),
            standard: self.kind != Kind::Chess960,
            chess960: self.kind != Kind::Standard,
            max_first_score: self.max_first_score,
            unique: self.dedup,
        };
        let (reading, kept) =
            with_progress(|progress| select::select(&self.files, &self.output, &choice, progress))?;
        warn(&reading);
        Ok(writeln!(io::stdout(), "{} of {} games kept", grouped(kept), grouped(reading.games()))?)
    }
}

impl ShuffleArguments {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        let OrderArguments { seed, memory } = self.order;
        let reading = with_progress(|progress| {
            shuffle::shuffle(&self.files, &self.output, seed, memory.saturating_mul(1 << 20), progress)
        })?;
        warn(&reading);
        Ok(writeln!(io::stdout(), "{} games shuffled", grouped(reading.games()))?)
    }
}

impl SplitArguments {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        let (reading, counts) =
            with_progress(|progress| split::split(&self.files, &self.parts, self.seed, progress))?;
        warn(&reading);
        for (part, games) in self.parts.iter().zip(counts) {
            writeln!(io::stdout(), "{}: {} games", part.path.display(), grouped(games))?;
        }
        Ok(())
    }
}

impl ExportArguments {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        let export = Export {
            format: match self.format {
                ExportFormat::Text => Format::Text,
                ExportFormat::Bullet => Format::Bullet,
            },
            filter: self.positions.filter(),
            shuffle: self.shuffle.then_some(self.order.seed),
            memory: self.order.memory.saturating_mul(1 << 20),
        };
        let (reading, positions) = with_progress(|progress| export.run(&self.files, &self.output, progress))?;
        warn(&reading);
        Ok(writeln!(
            io::stdout(),
            "{} positions from {} games",
            grouped(positions),
            grouped(reading.games())
        )?)
    }
}
