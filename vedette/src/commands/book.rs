//! `vedette book`: opening books in the Polyglot format.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chess::{Color, Position};
use record::pgn::for_each_game;
use record::polyglot::{BookBuilder, BookFilter, BookMove, PolyglotBook};
use serde_json::json;
use support::files::AtomicFile;

use crate::cli::format::grouped;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::json::JsonArguments;
use crate::cli::output_file::path_error;
use crate::cli::position::PositionArguments;
use crate::cli::progress::ProgressLine;
use std::sync::atomic::Ordering;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(clap::Subcommand)]
enum Tool {
    /// Print the moves of a position
    Probe(Probe),
    /// Build a book from the games of PGN files
    Build(Build),
    /// Merge books; where several have a position, the first one's moves are kept
    Merge(Merge),
    /// Print the size of a book and its first moves
    Info(Info),
}

#[derive(clap::Args)]
struct Probe {
    /// Read this book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    json: JsonArguments,
}

#[derive(clap::Args)]
struct Build {
    /// Read games from these PGN files
    #[arg(required = true, value_name = "FILE")]
    input: Vec<PathBuf>,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Use this many plies of each game
    #[arg(long, value_name = "N", default_value_t = BookFilter::default().plies)]
    plies: usize,
    /// Drop moves that were played in fewer games
    #[arg(long, value_name = "N", default_value_t = BookFilter::default().min_games)]
    min_games: u32,
    /// Drop games in which a player has a lower rating, or none
    #[arg(long, value_name = "ELO", default_value_t = BookFilter::default().min_elo)]
    min_elo: u32,
    /// Drop moves that scored less for their side, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    min_score: u8,
    /// Use the moves of this side only
    #[arg(long, value_enum)]
    side: Option<Side>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Side {
    /// White's moves
    White,
    /// Black's moves
    Black,
}

#[derive(clap::Args)]
struct Merge {
    /// Read these books
    #[arg(required = true, value_name = "BOOK")]
    input: Vec<PathBuf>,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(clap::Args)]
struct Info {
    /// Read this book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    json: JsonArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    match &arguments.tool {
        Tool::Probe(arguments) => {
            let json = arguments.json.open()?;
            let (book, position) = (PolyglotBook::load(&arguments.book)?, arguments.position.position()?);
            write!(arguments.json.text(), "{}", table(&book, &position))?;
            json.finish(|| value(&book, &position))
        }
        Tool::Build(arguments) => arguments.run(),
        Tool::Merge(arguments) => {
            let mut books = arguments.input.iter().map(|path| PolyglotBook::load(path));
            let first = books.next().transpose()?.unwrap_or_default();
            let merged = books.try_fold(first, |merged, book| book.map(|book| merged.merged(&book)))?;
            write_book(&arguments.output, &merged)
        }
        Tool::Info(arguments) => {
            let json = arguments.json.open()?;
            let (book, start) = (PolyglotBook::load(&arguments.book)?, Position::startpos());
            write!(arguments.json.text(), "{}\n\nstart position\n{}", size(&book), table(&book, &start))?;
            json.finish(|| value(&book, &start))
        }
    }
}

impl Build {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        let side = self.side.map(|side| match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        });
        let mut builder = BookBuilder::new(BookFilter {
            plies: self.plies,
            min_games: self.min_games,
            min_elo: self.min_elo,
            min_score: f64::from(self.min_score) / 100.0,
            side,
        });
        AtomicFile::open(&self.output).map_err(|error| path_error(&self.output, &error))?;
        let interrupt = stop_on_signal()?;
        let mut progress_line = ProgressLine::new();
        for path in &self.input {
            let read = for_each_game(path, |game, done| {
                builder.add(game);
                progress_line.update(|| {
                    format!("{}: {:3.0} %, {} games", path.display(), 100.0 * done, grouped(builder.games))
                });
                !interrupt.load(Ordering::Relaxed)
            });
            read.map_err(|error| path_error(path, &error))?;
            unless_interrupted()?;
        }
        let skipped = builder.skipped;
        progress_line.finish(Some(format!("{} games, {} skipped", grouped(builder.games), grouped(skipped))));
        let book = builder.finish();
        if book.is_empty() {
            return Err("no moves left for the book; lower --min-games, --min-elo or --min-score".into());
        }
        write_book(&self.output, &book)
    }
}

fn write_book(path: &Path, book: &PolyglotBook) -> Result<(), Box<dyn Error>> {
    support::files::replace(path, &book.to_bytes()).map_err(|error| path_error(path, &error))?;
    Ok(writeln!(io::stdout(), "{}: {}", path.display(), size(book))?)
}

fn size(book: &PolyglotBook) -> String {
    format!("{} moves in {} positions", grouped(book.len() as u64), grouped(book.positions() as u64))
}

/// The size of a book and the moves of a position, for scripts.
fn value(book: &PolyglotBook, position: &Position) -> serde_json::Value {
    let moves = book.moves(position);
    let move_of = |entry: &BookMove| {
        let uci = entry.mv.uci(!position.has_standard_castling()).to_string();
        json!({"move": uci, "san": position.san(entry.mv).to_string(), "weight": entry.weight})
    };
    json!({
        "schema": "vedette-book/1", "book_moves": book.len(), "book_positions": book.positions(),
        "fen": position.to_fen(), "moves": moves.iter().map(move_of).collect::<Vec<_>>(),
    })
}

/// The moves of a position, one per line.
fn table(book: &PolyglotBook, position: &Position) -> String {
    let moves = book.moves(position);
    if moves.is_empty() {
        return "not in the book\n".to_owned();
    }
    let total: u64 = moves.iter().map(|entry| u64::from(entry.weight)).sum();
    let row = |entry: &BookMove| {
        let share = 100.0 * f64::from(entry.weight) / total.max(1) as f64;
        let uci = entry.mv.uci(!position.has_standard_castling()).to_string();
        format!("{:<8}{uci:<7}{:>6}  {share:5.1} %\n", position.san(entry.mv).to_string(), entry.weight)
    };
    moves.iter().map(row).collect()
}
