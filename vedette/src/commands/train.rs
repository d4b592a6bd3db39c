//! `vedette train`

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use cuda::Device;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use support::files;
use train::{Recipe, Trained, Training, TrainingEvent};

use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::json::JsonArguments;
use crate::cli::progress::is_quiet;

#[derive(clap::Args)]
pub struct Arguments {
    /// Train with this recipe (TOML, see docs/recipes.md)
    #[arg(value_name = "RECIPE")]
    recipe: PathBuf,
    /// Train on these files of training data, or folders of *.vd, instead of the recipe's
    #[arg(long, value_name = "FILE", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Start from these floating-point weights, instead of the recipe's
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Name the network, instead of the recipe's name
    #[arg(long)]
    name: Option<String>,
    /// Write the network, its floating-point weights, the loss curve (SVG, CSV) and checkpoints to this folder
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
    /// Train on this device; auto is the first GPU, or else the CPU
    #[arg(long, value_name = "auto|cpu|cuda[:N]", default_value = "auto", value_parser = parse_device)]
    device: DeviceChoice,
    /// Use this many threads to read data, and to train on the CPU [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Resume from the checkpoint in the output folder, if there is one
    #[arg(long)]
    resume: bool,
    /// Overwrite a training run of the same name in the output folder
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Write a checkpoint every N minutes
    #[arg(long, value_name = "MINUTES", default_value_t = 5)]
    checkpoint_every: u16,
    /// Write the loss curve as TensorBoard events too, into a folder NAME in this one
    #[arg(long, value_name = "FOLDER")]
    tensorboard: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArguments,
}

/// `None` is `auto`.
#[derive(Clone, Copy)]
struct DeviceChoice(Option<Device>);

fn parse_device(text: &str) -> Result<DeviceChoice, String> {
    if text == "auto" {
        return Ok(DeviceChoice(None));
    }
    let device = text.parse().map_err(|error: cuda::UnknownDevice| format!("{error}, or auto"))?;
    Ok(DeviceChoice(Some(device)))
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let named = |error: &dyn Error| format!("{}: {error}", arguments.recipe.display());
    let text = files::read_text(&arguments.recipe, files::SETTINGS_LIMIT).map_err(|error| named(&error))?;
    let mut recipe = Recipe::read(&text).map_err(|error| named(&error))?;
    if !arguments.data.is_empty() {
        recipe.data.files.clone_from(&arguments.data);
    }
    if arguments.start.is_some() {
        recipe.start.clone_from(&arguments.start);
    }
    if let Some(name) = &arguments.name {
        recipe.name.clone_from(name);
        recipe.check()?;
    }
    let threads = arguments
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    let training = Training {
        recipe,
        output: arguments.output.clone(),
        device: arguments.device.0.unwrap_or_else(Device::auto),
        threads,
        resume: arguments.resume,
        replace: arguments.force,
        checkpoint_every: Duration::from_mins(arguments.checkpoint_every.into()),
        tensorboard: arguments.tensorboard.clone(),
    };
    let json = arguments.json.open()?;
    let interrupt = stop_on_signal()?;
    let display = Display::new(!arguments.json.is_stdout());
    let trained = training.run(&interrupt, |event| display.show(&event))?;
    display.bar.finish_and_clear();
    write!(arguments.json.text(), "{}", summary(&trained))?;
    json.finish(|| as_json(&trained))?;
    if trained.finished.is_some() { Ok(()) } else { Ok(unless_interrupted()?) }
}

fn summary(trained: &Trained) -> String {
    let files = &trained.files;
    let Some(finished) = &trained.finished else {
        return format!(
            "interrupted; continue with --resume from {}\nloss curve: {}\n",
            files.checkpoint.display(),
            files.curve.display()
        );
    };
    let quantisation = &finished.quantisation;
    format!(
        "network: {} ({:016x})\nfloating-point weights: {}\nloss curve: {}\n\
         quantisation error: mean {:.2} cp, max {:.1} cp, over {} positions (mean |eval| {:.0} cp)\n",
        files.network.display(),
        finished.hash,
        files.floats.display(),
        files.curve.display(),
        quantisation.mean,
        quantisation.max,
        quantisation.positions,
        quantisation.mean_value
    )
}

fn as_json(trained: &Trained) -> Value {
    let points = trained.points.iter().map(|point| {
        json!({
            "positions": point.positions, "loss": point.training_loss,
            "validation_loss": point.validation_loss, "learning_rate": point.learning_rate,
        })
    });
    let finished = trained.finished.as_ref();
    let quantisation = finished.map(|finished| &finished.quantisation).map(|error| {
        json!({
            "positions": error.positions, "mean": error.mean, "max": error.max, "mean_value": error.mean_value,
        })
    });
    json!({
        "schema": "vedette-train/1", "finished": finished.is_some(),
        "network": finished.map(|_| &trained.files.network), "weights": finished.map(|_| &trained.files.floats),
        "hash": finished.map(|finished| format!("{:016x}", finished.hash)),
        "curve": trained.files.curve, "curve_csv": trained.files.points, "checkpoint": trained.files.checkpoint,
        "points": points.collect::<Vec<_>>(), "quantisation": quantisation,
    })
}

/// Lines on standard output, and a progress bar on a terminal.
struct Display {
    bar: ProgressBar,
    has_lines: bool,
}

impl Display {
    fn new(has_text: bool) -> Self {
        let bar = if is_quiet() { ProgressBar::hidden() } else { ProgressBar::no_length() };
        let style = ProgressStyle::with_template("{bar:30} {percent}% {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, has_lines: has_text && !is_quiet() }
    }

    fn show(&self, event: &TrainingEvent) {
        match event {
            TrainingEvent::Loading(loading) => {
                self.line(&format!(
                    "{} of {} files, {} positions",
                    loading.files, loading.of, loading.positions
                ));
            }
            TrainingEvent::Loaded { games, training, validation, damaged } => {
                let damaged = match damaged {
                    0 => String::new(),
                    count => format!("; {count} damaged sections skipped"),
                };
                self.line(&format!(
                    "{games} games: {training} training positions, {validation} validation{damaged}"
                ));
            }
            TrainingEvent::Begins { backend, steps, epochs, resumed_at } => {
                let resumed = match resumed_at {
                    0 => String::new(),
                    step => format!(", resumed after {step}"),
                };
                self.line(&format!("{backend}; {steps} steps, {epochs:.1} epochs{resumed}"));
                self.bar.set_length(*steps);
                self.bar.set_position(*resumed_at);
            }
            TrainingEvent::Step(progress) => {
                self.bar.set_position(progress.step);
                self.bar.set_message(pace(progress.speed, progress.time_left));
            }
            TrainingEvent::Point(point, progress) => {
                let validation =
                    point.validation_loss.map_or_else(String::new, |loss| format!(", validation {loss:.6}"));
                self.line(&format!(
                    "step {} of {}: loss {:.6}{validation}, lr {:.2e}, {}",
                    progress.step,
                    progress.steps,
                    point.training_loss,
                    point.learning_rate,
                    pace(progress.speed, progress.time_left)
                ));
                self.bar.set_position(progress.step);
            }
            TrainingEvent::Checkpoint(path) => self.line(&format!("checkpoint: {}", path.display())),
        }
    }

    /// A line above the bar. A closed standard output does not stop the training.
    fn line(&self, text: &str) {
        if self.has_lines {
            self.bar.suspend(|| _ = writeln!(io::stdout(), "{text}"));
        }
    }
}

fn pace(speed: f64, left: Duration) -> String {
    let seconds = left.as_secs();
    format!("{speed:.0} positions/s, {}:{:02} left", seconds / 60, seconds % 60)
}
