//! `vedette tune`: fits the weights of the classical evaluation (Texel tuning).

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use datagen::tune::examples::TuningExamples;
use datagen::tune::fit::{self, FitSettings, Fitted};
use datagen::tune::source;
use engine::evaluation::{FEATURES, WEIGHTS, render_weights};
use serde_json::json;

use crate::cli::format::duration_text;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::json::JsonArguments;
use crate::cli::output_file::{OutputFile, path_error};

#[derive(clap::Args)]
pub struct Arguments {
    /// Train on these files: packed games (.vd), PGN (.pgn), or lines of `FEN | centipawns | result`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
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
    #[command(flatten)]
    json: JsonArguments,
}

/// Relative to the root of the repository.
const WEIGHTS_FILE: &str = "crates/engine/src/evaluation/weights.rs";

/// Fits the weights. Ctrl-C stops early and keeps the best ones.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    // A path that cannot be read or written fails now, not after the work.
    for path in &arguments.files {
        File::open(path).map_err(|error| path_error(path, &error))?;
    }
    let output = arguments.output.as_deref().map(OutputFile::open).transpose()?;
    let json = arguments.json.open()?;
    let mut examples = TuningExamples::default();
    for path in &arguments.files {
        source::read(path, |sample| examples.push(&sample))?;
    }
    let mut out = arguments.json.text();
    writeln!(out, "{} positions, {FEATURES} features", examples.len())?;
    if examples.is_empty() {
        return Err("no positions to train on".into());
    }
    let plan = FitSettings {
        epochs: arguments.epochs,
        batch: arguments.batch as usize,
        rate: arguments.rate,
        anchor: arguments.anchor,
        score_share: arguments.lambda.clamp(0.0, 1.0),
        validation: arguments.validation,
        seed: arguments.seed,
        threads: arguments.threads.into(),
    };
    let mut epochs = Vec::new();
    let fitted = fit::fit(&examples, &WEIGHTS, &plan, &interrupt, |progress| {
        epochs.push(json!({"loss": progress.training_loss, "validation_loss": progress.validation_loss}));
        // A closed stdout does not stop the training.
        let _ = writeln!(
            out,
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
    match (output, &arguments.output) {
        (Some(file), Some(path)) => {
            file.finish(&render_weights(&fitted.weights))?;
            writeln!(out, "written to {}", path.display())?;
        }
        _ => writeln!(out, "weights not written: use --output to write {WEIGHTS_FILE}")?,
    }
    json.finish(|| {
        let [before, after] = fitted.validation_loss;
        json!({
            "schema": "vedette-tune/1", "finished": !fitted.interrupted, "positions": examples.len(),
            "epochs": epochs, "scale": fitted.steepness,
            "validation_loss": {"before": before, "after": after}, "weights": arguments.output,
        })
    })?;
    Ok(unless_interrupted()?)
}

fn summary(fitted: &Fitted) -> String {
    let [before, after] = fitted.validation_loss;
    format!(
        "{}scale {:.6} per centipawn; validation loss {before:.6} before, {after:.6} after",
        if fitted.interrupted { "interrupted; " } else { "" },
        fitted.steepness
    )
}
