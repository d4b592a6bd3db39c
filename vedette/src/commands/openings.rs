//! `vedette openings`: generates balanced opening books from random moves.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use arena::config::EngineConfig;
use arena::game::EngineLimits;
use arena::openings::{GeneratorConfig, GeneratorStats, PlayerScorer, Variant};
use arena::players::{PlayerError, PlayerFactory};
use chess::{Epd, Operation};
use record::book::Opening;
use record::pgn::{PgnGame, PgnMove};
use support::files::{AppendFile, File};

use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::output_file::path_error;
use crate::cli::progress::ProgressLine;
use crate::cli::values::{parse_plies, parse_positive};

#[derive(clap::Args)]
pub struct Arguments {
    /// Write to this file [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Generate this many openings
    #[arg(short = 'n', long, value_name = "N", default_value = "1k", value_parser = parse_positive)]
    count: u64,
    /// Write the book in this format
    #[arg(long, value_enum, default_value_t = Format::Epd)]
    format: Format,
    /// Play this many random plies, or a number from a range
    #[arg(long, alias = "plies", value_name = "N|MIN-MAX", default_value = "8-9", value_parser = parse_plies)]
    random_plies: (u32, u32),
    /// Reject openings with a lower score for White, in centipawns
    #[arg(long, alias = "low", value_name = "CP", default_value_t = -80, allow_negative_numbers = true)]
    min_score: i32,
    /// Reject openings with a higher score for White, in centipawns
    #[arg(long, alias = "high", value_name = "CP", default_value_t = 80, allow_negative_numbers = true)]
    max_score: i32,
    /// Start from these positions
    #[arg(long, value_enum, default_value_t = Setup::Standard)]
    variant: Setup,
    /// Keep openings that end in check
    #[arg(long)]
    checks: bool,
    /// Set the random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Score positions with this UCI engine and its arguments [default: Vedette]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Search each position with this many nodes
    #[arg(long, value_name = "N", default_value = "20k", value_parser = parse_positive)]
    nodes: u64,
    /// Stop after this many attempts in a row without an opening
    #[arg(long, alias = "give-up", value_name = "N", default_value = "5k", value_parser = parse_positive)]
    max_attempts: u64,
    /// Run this many engines in parallel
    #[arg(long, alias = "threads", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// One position per line
    Epd,
    /// One game per opening
    Pgn,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Setup {
    /// Standard chess
    Standard,
    /// Chess960
    Chess960,
    /// Double Chess960: a different setup for each side
    Dfrc,
}

/// Writes the book to the output and a summary to stderr.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.min_score > arguments.max_score {
        let (min, max) = (arguments.min_score, arguments.max_score);
        return Err(format!("invalid --min-score {min}: expected at most --max-score {max}").into());
    }
    let variant = match arguments.variant {
        Setup::Standard => Variant::Standard,
        Setup::Chess960 => Variant::Chess960,
        Setup::Dfrc => Variant::DoubleChess960,
    };
    let recipe = GeneratorConfig {
        variant,
        plies: arguments.random_plies,
        band: (arguments.min_score, arguments.max_score),
        allow_check: arguments.checks,
        seed: arguments.seed,
    };
    let scorer = arguments.engine.as_deref().map_or_else(EngineConfig::in_process, EngineConfig::of_command);
    // Large enough for so few nodes, and quick to clear before every position.
    let engine = EngineConfig { options: vec![("Hash".to_owned(), "1".to_owned())], ..scorer };
    let chess960 = variant != Variant::Standard;
    let factory = PlayerFactory { chess960, ..PlayerFactory::default() };
    let limits = EngineLimits { nodes: Some(arguments.nodes), ..EngineLimits::default() };
    let mut out = Sink::open(arguments.output.as_deref())?;
    let interrupt = stop_on_signal()?;
    let mut scorers = (0..arguments.concurrency)
        .map(|_| Ok(PlayerScorer::new(factory.create(&engine, Arc::default())?, limits, chess960)))
        .collect::<Result<Vec<_>, PlayerError>>()?;
    let (mut made, mut failure, mut progress_line) = (0, None, ProgressLine::new());
    let deliver = |opening: &Opening, score: i32| {
        made += 1;
        let text = match arguments.format {
            Format::Epd => epd_text(opening, score),
            Format::Pgn => pgn_text(opening, made, variant),
        };
        if let Err(error) = out.add(&text) {
            // The disk is full or stdout closed: stop.
            failure.get_or_insert(error);
            interrupt.store(true, Ordering::Relaxed);
        }
    };
    let listen = |stats: &GeneratorStats| {
        progress_line
            .update(|| format!("{} of {} openings, {} attempts", stats.made, arguments.count, stats.tried));
        !interrupt.load(Ordering::Relaxed)
    };
    let stats = recipe.generate(arguments.count, arguments.max_attempts, &mut scorers, deliver, listen)?;
    progress_line.finish(Some(summary(&stats)));
    if let Some(error) = failure {
        return Err(error);
    }
    unless_interrupted()?;
    if stats.made < arguments.count {
        return Err(format!(
            "no opening in {} attempts, after {} of {}: \
             widen --min-score, --max-score or --random-plies, or raise --max-attempts",
            arguments.max_attempts, stats.made, arguments.count
        )
        .into());
    }
    Ok(())
}

/// Where the book is written, one whole opening at a time.
enum Sink<'a> {
    Stdout,
    File(&'a Path, AppendFile),
}

impl<'a> Sink<'a> {
    fn open(path: Option<&'a Path>) -> Result<Self, String> {
        let Some(path) = path else { return Ok(Self::Stdout) };
        let file = File::create(path).and_then(AppendFile::over);
        Ok(Self::File(path, file.map_err(|error| path_error(path, &error))?))
    }

    fn add(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Stdout => Ok(io::stdout().write_all(text.as_bytes())?),
            Self::File(path, file) => {
                Ok(file.append(text.as_bytes()).map_err(|error| path_error(path, &error))?)
            }
        }
    }
}

fn summary(stats: &GeneratorStats) -> String {
    format!(
        "{} openings from {} attempts: {} unplayable, {} duplicates, {} outside the score range",
        stats.made, stats.tried, stats.unplayable, stats.duplicates, stats.unbalanced
    )
}

/// The final position with its score for the side to move.
fn epd_text(opening: &Opening, white_score: i32) -> String {
    let position = opening.end();
    let score = if position.turn() == chess::Color::White { white_score } else { -white_score };
    let operations = vec![Operation { opcode: "ce".to_owned(), operands: vec![score.to_string()] }];
    format!("{}\n", Epd { position, operations })
}

fn pgn_text(opening: &Opening, number: u64, variant: Variant) -> String {
    let mut game = PgnGame::default();
    game.set_tag("Event", "Vedette opening");
    game.set_tag("Round", number.to_string());
    game.set_tag("Result", "*");
    if variant != Variant::Standard {
        game.set_tag("SetUp", "1");
        game.set_tag("FEN", opening.start.to_shredder_fen());
        game.set_tag("Variant", "Chess960");
    }
    let mut position = opening.start;
    for &mv in &opening.moves {
        game.moves.push(PgnMove { san: position.san(mv).to_string(), ..PgnMove::default() });
        position = position.after(mv);
    }
    game.to_string()
}
