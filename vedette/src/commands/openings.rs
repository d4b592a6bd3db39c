//! `vedette openings`: makes opening books from nothing.

use std::error::Error;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use arena::config::{EngineConfig, Patience};
use arena::game::Limits;
use arena::openings::{PlayerScorer, Recipe, Variant, Yield};
use arena::players::{Fault, Seating};
use chess::{Epd, Operation};
use record::book::Opening;
use record::pgn::{PgnGame, PgnMove};
use support::files::open_writable;

use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::output_file::path_error;
use crate::cli::progress::ProgressLine;
use crate::cli::values::parse_plies;

/// What book to make.
#[derive(clap::Args)]
pub struct Arguments {
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Openings wanted
    #[arg(short = 'n', long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// Format of the book
    #[arg(long, value_enum, default_value_t = Format::Epd)]
    format: Format,
    /// Random half moves, or a range of them
    #[arg(long, value_name = "N|MIN-MAX", default_value = "8-9", value_parser = parse_plies)]
    plies: (u32, u32),
    /// Lowest score for White, in centipawns
    #[arg(long, default_value_t = -80, allow_negative_numbers = true)]
    low: i32,
    /// Highest score for White, in centipawns
    #[arg(long, default_value_t = 80, allow_negative_numbers = true)]
    high: i32,
    /// Start positions
    #[arg(long, value_enum, default_value_t = Setup::Standard)]
    variant: Setup,
    /// Keep positions in which the side to move is in check
    #[arg(long)]
    checks: bool,
    /// Seed of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// UCI engine that scores positions, with its arguments [default: Vedette itself]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Nodes for each score
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Tries in a row without an opening after which to give up
    #[arg(long, value_name = "TRIES", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    give_up: u64,
    /// Engines at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// One position a line
    Epd,
    /// Games
    Pgn,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Setup {
    /// Standard chess
    Standard,
    /// Chess960
    Chess960,
    /// Double Chess960: each side its own setup
    Dfrc,
}

/// Writes the book; how it went goes to standard error.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.low > arguments.high {
        return Err(format!("--low {} lies above --high {}", arguments.low, arguments.high).into());
    }
    let variant = match arguments.variant {
        Setup::Standard => Variant::Standard,
        Setup::Chess960 => Variant::Chess960,
        Setup::Dfrc => Variant::DoubleChess960,
    };
    let recipe = Recipe {
        variant,
        plies: arguments.plies,
        band: (arguments.low, arguments.high),
        allow_check: arguments.checks,
        seed: arguments.seed,
    };
    let judge = arguments.engine.as_deref().map_or_else(EngineConfig::own, EngineConfig::of_command);
    // Enough for so few nodes, and quickly cleared before every position.
    let engine = EngineConfig { options: vec![("Hash".to_owned(), "1".to_owned())], ..judge };
    let chess960 = variant != Variant::Standard;
    let seating = Seating { chess960, patience: Patience::default(), eavesdropper: None };
    let limits = Limits { nodes: Some(arguments.nodes), ..Limits::default() };
    let mut out = Sink::open(arguments.output.as_deref())?;
    let interrupt = stop_on_signal()?;
    let mut scorers = (0..arguments.threads)
        .map(|_| Ok(PlayerScorer::new(seating.seat(&engine, Arc::default())?, limits, chess960)))
        .collect::<Result<Vec<_>, Fault>>()?;
    let (mut made, mut failure, mut progress_line) = (0, None, ProgressLine::new());
    let deliver = |opening: &Opening, score: i32| {
        made += 1;
        let text = match arguments.format {
            Format::Epd => epd_text(opening, score),
            Format::Pgn => pgn_text(opening, made, variant),
        };
        if let Err(error) = out.add(&text) {
            // The disk is full or nobody reads: no use in going on.
            failure.get_or_insert(error);
            interrupt.store(true, Ordering::Relaxed);
        }
    };
    let listen = |stats: &Yield| {
        progress_line
            .update(|| format!("{} of {} openings, {} tries", stats.made, arguments.count, stats.tried));
        !interrupt.load(Ordering::Relaxed)
    };
    let stats = recipe.generate(arguments.count, arguments.give_up, &mut scorers, deliver, listen)?;
    progress_line.finish(Some(summary(&stats)));
    if let Some(error) = failure {
        return Err(error);
    }
    unless_interrupted()?;
    if stats.made < arguments.count {
        return Err(format!(
            "given up after {} tries in a row without an opening, with {} of {}: \
             widen --low, --high or --plies, or raise --give-up",
            arguments.give_up, stats.made, arguments.count
        )
        .into());
    }
    Ok(())
}

/// Where the book goes, one opening after the other.
struct Sink<'a> {
    /// The file; `None` for standard output.
    path: Option<&'a Path>,
    out: Box<dyn Write>,
}

impl<'a> Sink<'a> {
    fn open(path: Option<&'a Path>) -> Result<Self, String> {
        let out: Box<dyn Write> = match path {
            Some(path) => {
                let file = open_writable(path, OpenOptions::new().create(true).write(true).truncate(true));
                Box::new(file.map_err(|error| path_error(path, &error))?)
            }
            None => Box::new(io::stdout()),
        };
        Ok(Self { path, out })
    }

    fn add(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        self.out.write_all(text.as_bytes()).map_err(|error| match self.path {
            Some(path) => path_error(path, &error).into(),
            None => error.into(),
        })
    }
}

fn summary(stats: &Yield) -> String {
    format!(
        "{} openings from {} tries: {} could not be played, {} were doubles, {} out of the band",
        stats.made, stats.tried, stats.unplayable, stats.doubles, stats.unbalanced
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
