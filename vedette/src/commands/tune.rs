//! `vedette tune`: plays games to learn from, and fits the weights of the classical evaluation to them.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use datagen::tune::engine_thinker::EngineThinker;
use datagen::tune::examples::Examples;
use datagen::tune::fit::{self, Fitted, Plan};
use datagen::tune::generate::{self, Progress, Schedule};
use datagen::tune::source;
use engine::evaluation::{FEATURES, Tapered, WEIGHTS, render_weights};

use crate::cli::format::duration_text;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::progress::ProgressLine;

/// What to learn from, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// Files to learn from: lines of `FEN | centipawns | result`, or .pgn
    #[arg(value_name = "FILE", required_unless_present = "generate")]
    files: Vec<PathBuf>,
    /// Play this many games of the engine against itself, and add their quiet positions to the file
    #[arg(long, value_name = "GAMES", requires = "files")]
    generate: Option<u64>,
    /// Nodes of search for each move of these games
    #[arg(long, default_value_t = 3000)]
    nodes: u64,
    /// Random half moves at the start of these games
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    random_plies: usize,
    /// Passes over the data
    #[arg(long, default_value_t = 30)]
    epochs: u32,
    /// Positions between two steps
    #[arg(long, value_name = "POSITIONS", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Length of the first steps, in centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 0.5)]
    rate: f64,
    /// How strongly weights are held to where they begin: loss for each squared centipawn
    #[arg(long, value_name = "LOSS", default_value_t = 0.0)]
    anchor: f64,
    /// Share of the search's score in what is learned; the rest is the game's result
    #[arg(long, value_name = "0..1", default_value_t = 0.3)]
    score_share: f64,
    /// Share of the data that is kept aside to judge by
    #[arg(long, value_name = "0..0.5", default_value_t = 0.05)]
    validation: f64,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads to work with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Write the weights to this file as Rust source
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = WEIGHTS_FILE)]
    write: Option<PathBuf>,
}

/// Where the weights live, seen from the root of the repository.
const WEIGHTS_FILE: &str = "crates/engine/src/evaluation/weights.rs";

/// Generates or fits. Ctrl-C ends either early, and keeps what there is.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    match arguments.generate {
        Some(games) => arguments.play(games, &interrupt)?,
        None => arguments.fit(&interrupt)?,
    }
    Ok(unless_interrupted()?)
}

impl Arguments {
    fn play(&self, games: u64, interrupt: &AtomicBool) -> Result<(), Box<dyn Error>> {
        let [path] = self.files.as_slice() else {
            return Err("one file is needed to add the positions to".into());
        };
        let named = |error: io::Error| format!("{}: {error}", path.display());
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(named)?;
        let mut file = BufWriter::new(file);
        let schedule = Schedule { games, random_plies: self.random_plies, seed: self.seed };
        let thinkers =
            (0..self.threads).map(|_| EngineThinker::new(self.nodes)).collect::<Result<Vec<_>, _>>()?;
        let mut progress_line = ProgressLine::new();
        let (mut failure, mut last) = (None, None);
        generate::generate(&schedule, thinkers, interrupt, |samples, progress| {
            let written = samples.iter().try_for_each(|sample| writeln!(file, "{sample}"));
            if let Err(error) = written.and_then(|()| file.flush()) {
                // The disk is full: no use in playing on.
                failure.get_or_insert(error);
                interrupt.store(true, Ordering::Relaxed);
            }
            progress_line.update(|| line(&progress));
            last = Some(progress);
        });
        progress_line.finish(last.as_ref().map(line));
        failure.map_or(Ok(()), |error| Err(named(error).into()))
    }

    fn fit(&self, interrupt: &AtomicBool) -> Result<(), Box<dyn Error>> {
        let mut examples = Examples::default();
        for path in &self.files {
            source::read(path, |sample| examples.push(&sample))?;
        }
        let mut out = io::stdout();
        writeln!(out, "{} positions, {FEATURES} features", examples.len())?;
        if examples.is_empty() {
            return Err("there is nothing to learn from".into());
        }
        let plan = Plan {
            epochs: self.epochs,
            batch: self.batch as usize,
            rate: self.rate,
            anchor: self.anchor,
            score_share: self.score_share.clamp(0.0, 1.0),
            validation: self.validation,
            seed: self.seed,
            threads: self.threads.into(),
        };
        let fitted = fit::fit(&examples, &WEIGHTS, &plan, interrupt, |progress| {
            // Whoever stops reading does not stop the fit.
            let _ = writeln!(
                io::stdout(),
                "epoch {:3} of {}: loss {:.6}, kept aside {:.6}, {:.0} positions/s, {} left",
                progress.epoch,
                progress.epochs,
                progress.training_loss,
                progress.validation_loss,
                progress.speed,
                duration_text(progress.time_left)
            );
        });
        writeln!(out, "{}", summary(&fitted))?;
        match &self.write {
            Some(path) => write_weights(path, &fitted.weights)?,
            None => writeln!(out, "not written: --write writes them to {WEIGHTS_FILE}")?,
        }
        Ok(())
    }
}

fn line(progress: &Progress) -> String {
    format!(
        "{} of {} games, {} positions, {:.0} a second, {} left",
        progress.games,
        progress.of,
        progress.positions,
        progress.speed,
        duration_text(progress.time_left)
    )
}

fn summary(fitted: &Fitted) -> String {
    let [before, after] = fitted.validation_loss;
    format!(
        "{}steepness {:.6} per centipawn; loss kept aside {before:.6} before, {after:.6} after",
        if fitted.interrupted { "interrupted; " } else { "" },
        fitted.steepness
    )
}

fn write_weights(path: &Path, weights: &[Tapered; FEATURES]) -> Result<(), Box<dyn Error>> {
    fs::write(path, render_weights(weights)).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(writeln!(io::stdout(), "written to {}", path.display())?)
}
