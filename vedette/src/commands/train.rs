//! `vedette train`: learns a network from packed games, as a recipe says.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use train::backend::Device;
use train::recipe::Recipe;
use train::training::{Event, Trained, Training};

use crate::cli::interrupt::{stop_on_signal, unless_interrupted};

/// What to learn, and with what.
#[derive(clap::Args)]
pub struct Arguments {
    /// The recipe, a TOML file; docs/training.md explains its entries
    #[arg(value_name = "RECIPE")]
    recipe: PathBuf,
    /// Files of packed games, or folders of them, instead of the recipe's
    #[arg(long, value_name = "FILE", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Floating-point weights to begin with, instead of the recipe's
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// What to call the network, instead of the recipe's name
    #[arg(long)]
    name: Option<String>,
    /// Folder for the network, its floating-point weights, the picture of the loss and checkpoints
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
    /// Who does the arithmetic: auto takes a GPU if there is one; cuda:1 is the second GPU
    #[arg(long, value_name = "auto|cpu|cuda[:N]", default_value = "auto")]
    device: Device,
    /// Threads to read and to compute with [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Go on from the folder's checkpoint, if there is one
    #[arg(long)]
    resume: bool,
    /// Begin anew where the folder holds a training of this name, and give that up
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Minutes between two checkpoints
    #[arg(long, value_name = "MINUTES", default_value_t = 5)]
    checkpoint_every: u16,
}

/// Trains. Ctrl-C ends it early with a checkpoint.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let named = |error: &dyn Error| format!("{}: {error}", arguments.recipe.display());
    let text = fs::read_to_string(&arguments.recipe).map_err(|error| named(&error))?;
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
        device: arguments.device,
        threads,
        resume: arguments.resume,
        replace: arguments.force,
        checkpoint_every: Duration::from_mins(arguments.checkpoint_every.into()),
    };
    let interrupt = stop_on_signal()?;
    let narrator = Narrator::new();
    let trained = training.run(&interrupt, |event| narrator.tell(&event))?;
    narrator.bar.finish_and_clear();
    write!(io::stdout(), "{}", summary(&trained))?;
    if trained.finished.is_some() { Ok(()) } else { Ok(unless_interrupted()?) }
}

fn summary(trained: &Trained) -> String {
    let files = &trained.files;
    let Some(finished) = &trained.finished else {
        return format!(
            "interrupted; --resume goes on from {}\nloss: {}\n",
            files.checkpoint.display(),
            files.curve.display()
        );
    };
    let rounding = &finished.rounding;
    format!(
        "network: {} ({:016x})\nfloating-point weights: {}\nloss: {}\n\
         rounding: {:.2} centipawns on average, {:.1} at most, over {} positions of {:.0} on average\n",
        files.network.display(),
        finished.hash,
        files.floats.display(),
        files.curve.display(),
        rounding.mean,
        rounding.most,
        rounding.positions,
        rounding.mean_value
    )
}

/// Tells how it goes: lines on standard output, and a bar on a terminal.
struct Narrator {
    bar: ProgressBar,
}

impl Narrator {
    fn new() -> Self {
        let bar = ProgressBar::no_length();
        let style = ProgressStyle::with_template("{bar:30} {percent}% {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar }
    }

    fn tell(&self, event: &Event) {
        match event {
            Event::Loading(loading) => {
                self.line(&format!(
                    "{} of {} files, {} positions",
                    loading.files, loading.of, loading.positions
                ));
            }
            Event::Loaded { games, training, validation, damaged } => {
                let damaged = match damaged {
                    0 => String::new(),
                    count => format!("; {count} damaged stretches were skipped"),
                };
                self.line(&format!(
                    "{games} games: {training} positions to learn from, {validation} kept aside{damaged}"
                ));
            }
            Event::Begins { backend, steps, epochs, resumed_at } => {
                let resumed = match resumed_at {
                    0 => String::new(),
                    step => format!(", resumed after {step}"),
                };
                self.line(&format!("{backend}; {steps} steps, {epochs:.1} epochs{resumed}"));
                self.bar.set_length(*steps);
                self.bar.set_position(*resumed_at);
            }
            Event::Step(progress) => {
                self.bar.set_position(progress.step);
                self.bar.set_message(pace(progress.speed, progress.time_left));
            }
            Event::Point(point, progress) => {
                let aside =
                    point.validation_loss.map_or_else(String::new, |loss| format!(", kept aside {loss:.6}"));
                self.line(&format!(
                    "step {} of {}: loss {:.6}{aside}, rate {:.2e}, {}",
                    progress.step,
                    progress.steps,
                    point.training_loss,
                    point.learning_rate,
                    pace(progress.speed, progress.time_left)
                ));
                self.bar.set_position(progress.step);
            }
            Event::Checkpoint(path) => self.line(&format!("checkpoint: {}", path.display())),
        }
    }

    /// A line above the bar. Whoever stops reading does not stop the training.
    fn line(&self, text: &str) {
        self.bar.suspend(|| _ = writeln!(io::stdout(), "{text}"));
    }
}

fn pace(speed: f64, left: Duration) -> String {
    let seconds = left.as_secs();
    format!("{speed:.0} positions/s, {}:{:02} left", seconds / 60, seconds % 60)
}
