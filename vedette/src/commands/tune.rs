//! `vedette tune`: fits the weights of the classical evaluation (Texel tuning), and plays the games for it.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use datagen::tune::engine_thinker::EngineThinker;
use datagen::tune::examples::Examples;
use datagen::tune::fit::{self, Fitted, Plan};
use datagen::tune::generate::{self, Progress, Schedule};
use datagen::tune::source;
use engine::evaluation::{FEATURES, WEIGHTS, render_weights};
use support::files::AppendFile;

use crate::cli::format::duration_text;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::output_file::OutputFile;
use crate::cli::progress::ProgressLine;
use crate::cli::values::parse_positive;

#[derive(clap::Args)]
pub struct Arguments {
    /// Train on these files: lines of `FEN | centipawns | result`, or PGN
    #[arg(value_name = "FILE", required_unless_present = "generate")]
    files: Vec<PathBuf>,
    /// Play this many self-play games, and append their quiet positions to the file
    #[arg(long, value_name = "GAMES", requires = "files")]
    generate: Option<u64>,
    /// Search each move of these games with this many nodes
    #[arg(long, value_name = "N", default_value = "3k", value_parser = parse_positive)]
    nodes: u64,
    /// Start these games with this many random plies
    #[arg(long, value_name = "N", default_value_t = 8)]
    random_plies: usize,
    /// Train for this many epochs
    #[arg(long, default_value_t = 30)]
    epochs: u32,
    /// Set the batch size
    #[arg(long, value_name = "POSITIONS", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Set the initial learning rate, in centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 0.5)]
    rate: f64,
    /// Regularise towards the initial weights: loss per squared centipawn
    #[arg(long, value_name = "LOSS", default_value_t = 0.0)]
    anchor: f64,
    /// Set the weight of the score in the target; the rest is the game result's
    #[arg(long, alias = "score-share", value_name = "0..1", default_value_t = 0.3)]
    lambda: f64,
    /// Hold out this fraction of the data as the validation set
    #[arg(long, value_name = "0..0.5", default_value_t = 0.05)]
    validation: f64,
    /// Set the random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Use N threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Write the weights as Rust source to this file [default: the one in the source tree]
    #[arg(short, long, alias = "write", value_name = "FILE", num_args = 0..=1, default_missing_value = WEIGHTS_FILE)]
    output: Option<PathBuf>,
}

/// Relative to the root of the repository.
const WEIGHTS_FILE: &str = "crates/engine/src/evaluation/weights.rs";

/// Generates games or fits weights. Ctrl-C stops early and keeps what is done.
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
            return Err("--generate needs exactly one file to append to".into());
        };
        let named = |error: io::Error| format!("{}: {error}", path.display());
        let mut file = AppendFile::open(path).map_err(named)?;
        let schedule = Schedule { games, random_plies: self.random_plies, seed: self.seed };
        let thinkers =
            (0..self.threads).map(|_| EngineThinker::new(self.nodes)).collect::<Result<Vec<_>, _>>()?;
        let mut progress_line = ProgressLine::new();
        let (mut failure, mut last) = (None, None);
        generate::generate(&schedule, thinkers, interrupt, |samples, progress| {
            let lines: Vec<String> = samples.iter().map(ToString::to_string).collect();
            let record: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
            if let Err(error) = file.append(record.as_bytes()) {
                // The disk is full: stop.
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
        // A path that cannot be written fails now, not after the epochs.
        let output = self.output.as_deref().map(OutputFile::open).transpose()?;
        let mut examples = Examples::default();
        for path in &self.files {
            source::read(path, |sample| examples.push(&sample))?;
        }
        let mut out = io::stdout();
        writeln!(out, "{} positions, {FEATURES} features", examples.len())?;
        if examples.is_empty() {
            return Err("no positions to train on".into());
        }
        let plan = Plan {
            epochs: self.epochs,
            batch: self.batch as usize,
            rate: self.rate,
            anchor: self.anchor,
            score_share: self.lambda.clamp(0.0, 1.0),
            validation: self.validation,
            seed: self.seed,
            threads: self.threads.into(),
        };
        let fitted = fit::fit(&examples, &WEIGHTS, &plan, interrupt, |progress| {
            // A closed stdout does not stop the training.
            let _ = writeln!(
                io::stdout(),
                "epoch {:3} of {}: loss {:.6}, validation loss {:.6}, {:.0} positions/s, {} left",
                progress.epoch,
                progress.epochs,
                progress.training_loss,
                progress.validation_loss,
                progress.speed,
                duration_text(progress.time_left)
            );
        });
        writeln!(out, "{}", summary(&fitted))?;
        match (output, &self.output) {
            (Some(file), Some(path)) => {
                file.finish(&render_weights(&fitted.weights))?;
                writeln!(out, "written to {}", path.display())?;
            }
            _ => writeln!(out, "weights not written: use --output to write {WEIGHTS_FILE}")?,
        }
        Ok(())
    }
}

fn line(progress: &Progress) -> String {
    format!(
        "{} of {} games, {} positions, {:.0} positions/s, {} left",
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
        "{}scale {:.6} per centipawn; validation loss {before:.6} before, {after:.6} after",
        if fitted.interrupted { "interrupted; " } else { "" },
        fitted.steepness
    )
}
