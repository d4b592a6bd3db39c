//! `vedette analyse`: reviews the games of a PGN file.

mod report;

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::players::PlayerError;
use review::{Broken, Journal, JournalHeader, Review, Reviewer, SCHEMA, SourceGame, annotate, page, read};
use support::files;
use support::text::printable;

use self::report::summary;
use crate::cli::analysis::AnalysisArguments;
use crate::cli::format::duration_text;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::json::JsonArguments;
use crate::cli::output_file::{self, path_error};
use crate::cli::paths::check_outputs;
use crate::cli::progress::ProgressLine;
use crate::cli::stderr::stderr;

#[derive(clap::Args)]
#[command(
    after_help = "docs/review.md has the formulas and the JSON schema. After Ctrl-C the files hold the games reviewed \
    so far; the same command resumes."
)]
pub struct Arguments {
    /// Review the games in this PGN file
    #[arg(value_name = "FILE.pgn")]
    file: PathBuf,
    #[command(flatten)]
    analysis: AnalysisArguments<200_000>,
    /// Write an HTML report to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the annotated games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Do not explain mistakes; each explanation takes several searches
    #[arg(long)]
    no_explanations: bool,
    #[command(flatten)]
    json: JsonArguments,
    /// Save progress to this file, and resume from it [default: FILE.pgn.review]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

/// Minimum time between two rewrites of the output files.
const WRITE_EVERY: Duration = Duration::from_secs(5);

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let bytes = files::read_limited(&arguments.file, files::CONTENT_LIMIT)
        .map_err(|error| path_error(&arguments.file, &error))?;
    let text = String::from_utf8_lossy(&bytes);
    let (subjects, broken) = read(&text);
    for fault in &broken {
        stderr!("{}", printable(&broken_text(&arguments.file, fault)));
    }
    if subjects.is_empty() {
        return Err(format!("{}: no games to review", arguments.file.display()).into());
    }
    let journal = arguments.journal();
    let outputs = [
        (arguments.html.as_deref(), "--html"),
        (arguments.pgn.as_deref(), "--pgn"),
        (arguments.json.file(), "--json"),
    ];
    check_outputs((&arguments.file, "the input"), &outputs, &journal)?;
    let engine = arguments.analysis.engine();
    let limits = arguments.analysis.limits();
    let explained = if arguments.no_explanations { "" } else { ", explained" };
    let header = JournalHeader::new(
        &format!("{} {:?}{explained}", engine.name, engine.options),
        &limits.to_string(),
        &text,
    );
    let stop = stop_on_signal()?;
    let chess960 = subjects.iter().any(SourceGame::is_chess960);
    let reviewer = Reviewer::new(&engine, limits, chess960, Arc::clone(&stop))?;
    let mut work = Work {
        arguments,
        reviewer: if arguments.no_explanations { reviewer } else { reviewer.with_explanations() },
        journal: Journal::open(&journal, &header)?,
        review: Review {
            schema: SCHEMA.to_owned(),
            engine: engine.name.clone(),
            limits: limits.to_string(),
            games: Vec::new(),
            broken,
        },
        annotated: String::new(),
        written: Instant::now(),
        progress_line: ProgressLine::new(),
        started: Instant::now(),
        analysed: 0,
        done: 0,
        total: subjects.iter().map(|subject| subject.moves.len() + 1).sum(),
    };
    for subject in &subjects {
        match work.game(subject) {
            Ok(()) => {}
            Err(Stopped::Interrupted) => {
                work.write()?;
                work.progress_line.finish(None);
                work.print_json()?;
                let done = work.review.games.len();
                writeln!(
                    arguments.json.text(),
                    "interrupted after {done} of {} games; run the same command to resume",
                    subjects.len()
                )?;
                return Ok(unless_interrupted()?);
            }
            Err(Stopped::Failed(error)) => {
                work.write()?;
                return Err(error);
            }
        }
    }
    work.progress_line.finish(None);
    work.write()?;
    work.print_json()?;
    work.journal.remove()?;
    Ok(())
}

enum Stopped {
    Interrupted,
    Failed(Box<dyn Error>),
}

impl<E: Into<Box<dyn Error>>> From<E> for Stopped {
    fn from(error: E) -> Stopped {
        Stopped::Failed(error.into())
    }
}

/// A review in progress.
struct Work<'a> {
    arguments: &'a Arguments,
    reviewer: Reviewer,
    journal: Journal,
    review: Review,
    annotated: String,
    written: Instant,
    progress_line: ProgressLine,
    started: Instant,
    /// Positions analysed in this run.
    analysed: usize,
    /// Positions done, those from the journal included.
    done: usize,
    total: usize,
}

impl Work<'_> {
    fn game(&mut self, subject: &SourceGame) -> Result<(), Stopped> {
        let Work { reviewer, journal, progress_line, analysed, done, .. } = self;
        let known: Vec<_> =
            (0..=subject.moves.len()).map(|ply| journal.get(subject.number, ply).cloned()).collect();
        let mut failure = None;
        let (started, total) = (self.started, self.total);
        let reviewed = reviewer.review(
            subject,
            |ply| known.get(ply).cloned().flatten(),
            |progress| {
                *done += 1;
                if !progress.remembered {
                    *analysed += 1;
                    let kept = journal.add(subject.number, progress.ply, progress.analysis);
                    failure = failure.take().or(kept.err());
                }
                progress_line.update(|| {
                    let left = started.elapsed().mul_f64((total - *done) as f64 / (*analysed).max(1) as f64);
                    let part = 100.0 * *done as f64 / total as f64;
                    format!(
                        "{part:5.1} %  game {}, ply {} of {}  {} left",
                        subject.number,
                        progress.ply,
                        subject.moves.len(),
                        duration_text(left)
                    )
                });
            },
        );
        let game = match reviewed {
            Ok(game) => game,
            Err(PlayerError::Interrupted) => return Err(Stopped::Interrupted),
            Err(fault) => return Err(fault.into()),
        };
        if let Some(failure) = failure {
            return Err(failure.into());
        }
        self.progress_line.finish(None);
        write!(self.arguments.json.text(), "{}", printable(&summary(&game)))?;
        let annotator = format!("{}, {} per position", self.review.engine, self.review.limits);
        let _ = write!(self.annotated, "{}", annotate(subject, &game, &annotator));
        self.review.games.push(game);
        if self.written.elapsed() >= WRITE_EVERY {
            self.write()?;
        }
        Ok(())
    }

    /// Writes the output files.
    fn write(&mut self) -> Result<(), Box<dyn Error>> {
        if let Some(path) = &self.arguments.pgn {
            output_file::write(path, &self.annotated)?;
        }
        if let Some(path) = self.arguments.json.file() {
            output_file::write(path, &format!("{}\n", serde_json::to_string_pretty(&self.review)?))?;
        }
        if let Some(path) = &self.arguments.html {
            output_file::write(path, &page(&self.review))?;
        }
        self.written = Instant::now();
        Ok(())
    }

    /// Prints the review where `--json` asks for it on stdout.
    fn print_json(&self) -> Result<(), Box<dyn Error>> {
        if self.arguments.json.is_stdout() {
            writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&self.review)?)?;
        }
        Ok(())
    }
}

impl Arguments {
    fn journal(&self) -> PathBuf {
        self.journal.clone().unwrap_or_else(|| {
            let mut path = self.file.clone().into_os_string();
            path.push(".review");
            path.into()
        })
    }
}

fn broken_text(file: &Path, fault: &Broken) -> String {
    let skipped = if fault.skipped { "; game skipped" } else { "" };
    format!("{}:{}: game {}: {}{skipped}", file.display(), fault.line, fault.game, fault.what)
}
