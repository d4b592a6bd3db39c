//! `vedette trace`: the search tree of a position as it was searched, and why a move was not played.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chess::{Game, Position};
use engine::Limits;
use review::trace::{DEFAULT_SIZE, DEFAULT_TIME, Request, Trace, Why, read_line, trace};

use crate::cli::evaluation::EvaluationArguments;
use crate::cli::format::grouped;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::output_file;
use crate::cli::values::parse_count;

/// What to search, and what to show of it.
#[derive(clap::Args)]
#[command(
    after_help = "Numbers are those of the side that made the move. A search ends after 20 seconds unless \
    --movetime says otherwise; Ctrl-C ends it sooner. Shown is then its last whole iteration. The schema of the JSON file is in docs/trace.md."
)]
pub struct Arguments {
    /// Position: FEN, X-FEN or Shredder-FEN, quoted or not [default: the initial position]
    #[arg(value_name = "FEN", num_args = 0..=6)]
    fen: Vec<String>,
    /// Iterations; the tree is that of the last one
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=i64::from(engine::MAX_DEPTH)))]
    depth: u32,
    /// End the search after so many nodes; the tree is then that of the last whole iteration
    #[arg(long, value_name = "N", value_parser = parse_count)]
    nodes: Option<u64>,
    /// End the search after so many milliseconds; 0 sets no bound
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_TIME.as_millis() as u64)]
    movetime: u64,
    /// Why was this move not played? Several moves, in quotes, are a line
    #[arg(long, value_name = "MOVES")]
    why: Option<String>,
    /// Levels of the tree to show; what lies deeper is counted
    #[arg(long, value_name = "N", default_value_t = 1)]
    fold: usize,
    /// Nodes to keep: the ones farthest from the principal variation go first
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SIZE as u64, value_parser = parse_count)]
    size: u64,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Write the tree as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    judge: EvaluationArguments,
}

impl Arguments {
    /// How long the search may take.
    fn longest(&self) -> Option<Duration> {
        (self.movetime > 0).then(|| Duration::from_millis(self.movetime))
    }
}

/// Searches, and shows the tree, the tables of rates, or the answer to `--why`.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let position = match arguments.fen.join(" ").as_str() {
        "" | "startpos" => Position::startpos(),
        fen => Position::from_fen(fen)?,
    };
    arguments.json.as_deref().map_or(Ok(()), output_file::check)?;
    let asked = arguments.why.as_ref().map(|text| read_line(&position, text)).transpose()?;
    let (evaluation, _) = arguments.judge.evaluation()?;
    let request = Request {
        game: Game::new(position),
        limits: Limits {
            nodes: arguments.nodes,
            move_time: arguments.longest(),
            ..Limits::depth(arguments.depth)
        },
        size: usize::try_from(arguments.size).unwrap_or(usize::MAX),
        hash_mb: arguments.hash as usize,
        evaluation,
        focus: asked.clone().unwrap_or_default(),
        interrupt: stop_on_signal()?,
    };
    let began = Instant::now();
    let trace = trace(&request)?;
    let is_cut =
        trace.depth < arguments.depth && arguments.longest().is_some_and(|time| began.elapsed() >= time);
    let why = asked.map(|line| trace.why(&line)).transpose()?;
    if let Some(path) = &arguments.json {
        let mut value = serde_json::to_value(&trace)?;
        if let Some(why) = &why {
            value["why"] = serde_json::to_value(why)?;
        }
        output_file::write(path, &format!("{value}\n"))?;
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{}", heading(&trace))?;
    if is_cut {
        writeln!(
            out,
            "Stopped after {} ms, before depth {}; --movetime MS allows more time, --movetime 0 any",
            arguments.movetime, arguments.depth
        )?;
    }
    match why {
        Some(why) => write!(out, "{}", answer(&why))?,
        None => write!(out, "\n{}\n{}", trace.tree_text(arguments.fold), trace.rates_text())?,
    }
    Ok(unless_interrupted()?)
}

fn heading(trace: &Trace) -> String {
    format!(
        "{}\nDepth {}: {} for the side to move by {}\n{} nodes in all iterations; {} entries of the last one's tree, skipped moves included",
        trace.fen,
        trace.depth,
        trace.score,
        trace.line.join(" "),
        grouped(trace.searched),
        grouped(trace.nodes.len() as u64)
    )
}

fn answer(why: &Why) -> String {
    let mut text = format!("\nWhy not {}?\n{}\n\n", why.asked.join(" "), why.decision);
    for step in &why.steps {
        text.push_str("  ");
        text.push_str(step);
        text.push('\n');
    }
    text
}
