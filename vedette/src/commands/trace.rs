//! `vedette trace`: the search tree of a position, and why a move was not played.

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

use chess::{FenRepairs, Game, Position};
use engine::Limits;
use review::trace::{DEFAULT_SIZE, DEFAULT_TIME, Trace, TraceSetup, Why, read_line, trace};

use crate::cli::evaluation::EvaluationArguments;
use crate::cli::format::grouped;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::json::JsonArguments;
use crate::cli::values::{parse_count, parse_fen};

#[derive(clap::Args)]
#[command(
    after_help = "Scores are from the point of view of the side that made the move. A search stops after 20 seconds unless --movetime \
    is given, or at Ctrl-C; the tree is then that of the last completed iteration. docs/trace.md has the JSON schema."
)]
pub struct Arguments {
    /// Search this position: FEN, X-FEN or Shredder-FEN, quoted or not [default: startpos]
    #[arg(value_name = "FEN", num_args = 0..=6)]
    position: Vec<String>,
    /// The same as an option
    #[arg(long, value_name = "FEN", value_parser = parse_fen, conflicts_with = "position", hide = true)]
    fen: Option<(Position, FenRepairs)>,
    /// Search to depth N; the tree is that of the last iteration
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=i64::from(engine::MAX_DEPTH)))]
    depth: u32,
    /// Stop after N nodes
    #[arg(long, value_name = "N", value_parser = parse_count)]
    nodes: Option<u64>,
    /// Stop after this many milliseconds; 0 for no limit
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_TIME.as_millis() as u64)]
    movetime: u64,
    /// Explain why this move or line was not played
    #[arg(long, value_name = "MOVES")]
    why: Option<String>,
    /// Show N levels of the tree, and count deeper nodes
    #[arg(long, value_name = "N", default_value_t = 1)]
    fold: usize,
    /// Keep N nodes; those farthest from the PV are dropped first
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SIZE as u64, value_parser = parse_count)]
    size: u64,
    /// Use a hash table of this many MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    #[command(flatten)]
    json: JsonArguments,
    #[command(flatten)]
    evaluation: EvaluationArguments,
}

impl Arguments {
    fn time_limit(&self) -> Option<Duration> {
        (self.movetime > 0).then(|| Duration::from_millis(self.movetime))
    }
}

/// Searches and prints the tree and its statistics, or the answer to `--why`.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let position = match (arguments.fen, arguments.position.join(" ").as_str()) {
        (Some((position, _)), _) => position,
        (None, "" | "startpos") => Position::startpos(),
        (None, fen) => Position::from_fen(fen).map_err(|error| format!("invalid FEN '{fen}': {error}"))?,
    };
    let json = arguments.json.open()?;
    let asked = arguments.why.as_ref().map(|text| read_line(&position, text)).transpose()?;
    let (evaluation, _) = arguments.evaluation.evaluation()?;
    let request = TraceSetup {
        game: Game::new(position),
        limits: Limits {
            nodes: arguments.nodes,
            move_time: arguments.time_limit(),
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
        trace.depth < arguments.depth && arguments.time_limit().is_some_and(|time| began.elapsed() >= time);
    let why = asked.map(|line| trace.why(&line)).transpose()?;
    let mut value = serde_json::to_value(&trace)?;
    if let Some(why) = &why {
        value["why"] = serde_json::to_value(why)?;
    }
    let mut out = arguments.json.text();
    // In one line: a tree is large.
    json.finish_text(|| value.to_string())?;
    writeln!(out, "{}", heading(&trace))?;
    if is_cut {
        writeln!(
            out,
            "Stopped after {} ms, before depth {}; use --movetime MS for more time, 0 for no limit",
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
        "{}\nDepth {}: score {} for the side to move, pv {}\n{} nodes in all iterations; {} nodes in the last iteration's tree, pruned moves included",
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
