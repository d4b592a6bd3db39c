//! `vedette explorer`: an index of games by position.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use chess::{Color, Position};
use record::eco::opening_at;
use record::explorer::{ExploredMove, Explorer, ExplorerBuilder};
use record::pgn::for_each_game;
use support::files::NewFile;

use crate::cli::format::grouped;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::json::JsonArguments;
use crate::cli::output_file::path_error;
use crate::cli::position::PositionArguments;
use crate::cli::progress::ProgressLine;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(clap::Subcommand)]
enum Tool {
    /// Index the games of PGN files
    Build(Build),
    /// Print the moves of a position: games, results, average rating
    Query(Query),
}

#[derive(clap::Args)]
struct Build {
    /// Read games from these PGN files
    #[arg(required = true, value_name = "FILE")]
    input: Vec<PathBuf>,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Index this many plies of each game
    #[arg(long, value_name = "N", default_value_t = 50)]
    plies: usize,
}

#[derive(clap::Args)]
struct Query {
    /// Read this index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    json: JsonArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    match &arguments.tool {
        Tool::Build(arguments) => arguments.run(),
        Tool::Query(arguments) => arguments.run(),
    }
}

impl Build {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        let named = |error| path_error(&self.output, &error);
        let mut output = NewFile::create(&self.output).map_err(named)?;
        let mut builder = ExplorerBuilder::new(self.plies, output.scratch().map_err(named)?);
        let interrupt = stop_on_signal()?;
        let mut progress_line = ProgressLine::new();
        for path in &self.input {
            let mut failure = None;
            let read = for_each_game(path, |game, done| {
                failure = builder.add(game).err();
                progress_line.update(|| {
                    format!("{}: {:3.0} %, {} games", path.display(), 100.0 * done, grouped(builder.games))
                });
                failure.is_none() && !interrupt.load(Ordering::Relaxed)
            });
            read.map_err(|error| path_error(path, &error))?;
            failure.map_or(Ok(()), |error| Err(named(error)))?;
            unless_interrupted()?;
        }
        let (games, skipped) = (builder.games, builder.skipped);
        let records = builder.finish(&mut output).map_err(named)?;
        output.finish().map_err(named)?;
        progress_line.finish(None);
        Ok(writeln!(
            io::stdout(),
            "{}: {} games, {} skipped, {} moves in positions",
            self.output.display(),
            grouped(games),
            grouped(skipped),
            grouped(records)
        )?)
    }
}

impl Query {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        let output = self.json.open()?;
        let (explorer, position) = (Explorer::open(&self.index)?, self.position.position()?);
        let moves = explorer.moves(&position)?;
        output.finish_text(|| json(&position, &moves))?;
        Ok(writeln!(self.json.text(), "{}", table(&position, &moves))?)
    }
}

fn json(position: &Position, moves: &[ExploredMove]) -> String {
    let row = |explored: &ExploredMove| {
        let counts = explored.counts;
        serde_json::json!({
            "san": position.san(explored.mv).to_string(),
            "uci": explored.mv.uci(!position.has_standard_castling()).to_string(),
            "games": counts.games(),
            "white": counts.white_wins,
            "draws": counts.draws,
            "black": counts.black_wins,
            "average_rating": counts.average_rating(),
        })
    };
    let opening =
        opening_at(position).map(|opening| serde_json::json!({ "eco": opening.eco, "name": opening.name }));
    let moves: Vec<serde_json::Value> = moves.iter().map(row).collect();
    serde_json::json!({
        "schema": "vedette-explorer/1", "fen": position.to_fen(), "opening": opening, "moves": moves,
    })
    .to_string()
}

/// One line for each move. The score is that of the side to move.
fn table(position: &Position, moves: &[ExploredMove]) -> String {
    let name = opening_at(position).map_or(String::new(), |opening| format!("{opening}\n"));
    if moves.is_empty() {
        return name + "no games";
    }
    let heading = format!(
        "{:<8}{:>10} {:>7} {:>7} {:>7} {:>7} {:>7}\n",
        "move", "games", "white", "draw", "black", "score", "rating"
    );
    let row = |explored: &ExploredMove| {
        let counts = explored.counts;
        let finished = (counts.games() - u64::from(counts.unfinished)).max(1) as f64;
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let part = |count: u32| percent(f64::from(count) / finished);
        let score = counts.score(position.turn()).map_or("-".to_owned(), percent);
        let rating = counts.average_rating().map_or("-".to_owned(), |rating| rating.to_string());
        format!(
            "{:<8}{:>10} {:>7} {:>7} {:>7} {score:>7} {rating:>7}\n",
            position.san(explored.mv).to_string(),
            grouped(counts.games()),
            part(counts.white_wins),
            part(counts.draws),
            part(counts.black_wins)
        )
    };
    let rows: String = moves.iter().map(row).collect();
    let side = if position.turn() == Color::White { "White" } else { "Black" };
    let total: u64 = moves.iter().map(|explored| explored.counts.games()).sum();
    format!("{name}{heading}{rows}{} games; score: {side}'s", grouped(total))
}
