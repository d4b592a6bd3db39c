//! `vedette data`: tools for files of training games.

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

/// Which tool.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(clap::Subcommand)]
enum Tool {
    /// Tell what files of games hold, and what is suspicious about them
    Audit(AuditArguments),
    /// Keep the games that fulfil conditions
    Filter(FilterArguments),
    /// Bring games into random order, more of them than fit into memory
    Shuffle(ShuffleArguments),
    /// Split games into parts, equal openings always into the same one
    Split(SplitArguments),
    /// Write positions in another program's format
    Export(ExportArguments),
}

#[derive(clap::Args)]
struct AuditArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Draw what was found to this file, a page (.html) or an .svg
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Fail if something is suspicious
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    positions: PositionArguments,
}

#[derive(clap::Args)]
struct FilterArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Fewest half moves of a game
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_plies: usize,
    /// Most half moves of a game
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    max_plies: usize,
    /// Results to keep
    #[arg(long, value_enum, value_delimiter = ',', default_value = "white,draw,black")]
    results: Vec<Winner>,
    /// Kind of chess to keep
    #[arg(long, value_enum, default_value_t = Kind::Any)]
    kind: Kind,
    /// Leave out games whose first position is further from balance, in centipawns
    #[arg(long, value_name = "CP", default_value_t = u16::MAX, hide_default_value = true)]
    max_first_score: u16,
    /// Keep only the first of equal games
    #[arg(long)]
    unique: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Winner {
    /// White wins
    White,
    /// Nobody wins
    Draw,
    /// Black wins
    Black,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Kind {
    /// Both
    Any,
    /// Standard chess
    Standard,
    /// Chess960 and double Chess960
    Chess960,
}

#[derive(clap::Args)]
struct ShuffleArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    order: OrderArguments,
}

#[derive(clap::Args)]
struct OrderArguments {
    /// Seed of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Megabytes of memory to use
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    memory: u64,
}

#[derive(clap::Args)]
struct SplitArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A part and its weight, for example --part train.vd=95 --part judge.vd=5
    #[arg(long = "part", value_name = "FILE=WEIGHT", value_parser = parse_part, required = true)]
    parts: Vec<Part>,
    /// Seed of the choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
struct ExportArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Format
    #[arg(long, value_enum)]
    format: ExportFormat,
    /// Write positions in random order
    #[arg(long)]
    shuffle: bool,
    #[command(flatten)]
    order: OrderArguments,
    #[command(flatten)]
    positions: PositionArguments,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ExportFormat {
    /// Lines of `FEN | centipawns | points`, from White's view
    Text,
    /// 32-byte records of bulletformat
    Bullet,
}

/// Which positions count.
#[derive(clap::Args)]
struct PositionArguments {
    /// Fewest half moves since move 1
    #[arg(long, value_name = "N", default_value_t = Filter::default().min_ply)]
    min_ply: u32,
    /// Fewest men
    #[arg(long, value_name = "N", default_value_t = Filter::default().min_men)]
    min_men: u32,
    /// Highest score of either side, in centipawns
    #[arg(long, value_name = "CP", default_value_t = Filter::default().max_score)]
    max_score: u16,
    /// Positions in check, too
    #[arg(long)]
    checks: bool,
    /// Positions whose best move captures or promotes, too
    #[arg(long)]
    noisy: bool,
}

impl PositionArguments {
    fn filter(&self) -> Filter {
        Filter {
            min_ply: self.min_ply,
            min_men: self.min_men,
            max_score: self.max_score,
            checks: self.checks,
            noisy: self.noisy,
        }
    }
}

fn parse_part(text: &str) -> Result<Part, String> {
    let refuse = || format!("'{text}' is not a file and its weight, such as train.vd=95");
    let (path, weight) = text.rsplit_once('=').ok_or_else(refuse)?;
    let weight = weight.parse().ok().filter(|&weight: &f64| weight > 0.0 && weight.is_finite());
    Ok(Part { path: path.into(), weight: weight.ok_or_else(refuse)? })
}

/// Runs the tool.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    match &arguments.tool {
        Tool::Audit(arguments) => arguments.run(),
        Tool::Filter(arguments) => arguments.run(),
        Tool::Shuffle(arguments) => arguments.run(),
        Tool::Split(arguments) => arguments.run(),
        Tool::Export(arguments) => arguments.run(),
    }
}

/// Lets a tool work while progress is told.
fn with_ticker<T>(work: impl FnOnce(&mut dyn FnMut(f64)) -> Result<T, DataError>) -> Result<T, DataError> {
    let mut progress_line = ProgressLine::new();
    let result = work(&mut |done| progress_line.update(|| format!("{:5.1} %", 100.0 * done)));
    progress_line.finish(None);
    result
}

/// Tells on standard error what could not be read.
fn warn(reading: &Reading) {
    for (path, damage) in &reading.damage {
        stderr!(
            "{} at byte {}: {} ({} bytes left out)",
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
        let reading = with_ticker(|progress| {
            source::read(&self.files, |game, done| {
                progress(done);
                audit.add(&game);
                Ok(())
            })
        })?;
        audit.add_reading(reading);
        write!(io::stdout(), "{audit}")?;
        if let Some(path) = &self.picture {
            let picture = if is_page(path) { audit::html(&audit) } else { audit::svg(&audit) };
            fs::write(path, picture).map_err(DataError::at(path))?;
        }
        match audit.findings().len() {
            findings if self.strict && findings > 0 => Err(format!("{findings} suspicious things").into()),
            _ => Ok(()),
        }
    }
}

fn is_page(path: &Path) -> bool {
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
            unique: self.unique,
        };
        let (reading, kept) =
            with_ticker(|progress| select::select(&self.files, &self.out, &choice, progress))?;
        warn(&reading);
        Ok(writeln!(io::stdout(), "{} of {} games kept", grouped(kept), grouped(reading.games()))?)
    }
}

impl ShuffleArguments {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        let OrderArguments { seed, memory } = self.order;
        let reading = with_ticker(|progress| {
            shuffle::shuffle(&self.files, &self.out, seed, memory.saturating_mul(1 << 20), progress)
        })?;
        warn(&reading);
        Ok(writeln!(io::stdout(), "{} games in random order", grouped(reading.games()))?)
    }
}

impl SplitArguments {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        let (reading, counts) =
            with_ticker(|progress| split::split(&self.files, &self.parts, self.seed, progress))?;
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
        let (reading, positions) = with_ticker(|progress| export.run(&self.files, &self.out, progress))?;
        warn(&reading);
        Ok(writeln!(io::stdout(), "{} positions of {} games", grouped(positions), grouped(reading.games()))?)
    }
}
