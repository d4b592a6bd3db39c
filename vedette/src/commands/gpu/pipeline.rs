//! `vedette gpu loop`

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use pipeline::{Pipeline, PipelineEvent, PipelineRecipe, PlayProgress, Stop};
use support::files;

use super::DeviceArguments;
use crate::cli::format::{duration_text, grouped, nps_text};
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::progress::ProgressLine;

#[derive(clap::Args)]
#[command(
    after_help = "Networks, table.md, elo.svg and state.json are written after each stage. Ctrl-C stops at once; --resume repeats \
    the unfinished stage. Games are not kept: those of earlier stages that a window needs are played again by the best network."
)]
pub struct Arguments {
    /// Run the stages of this recipe (TOML, see docs/recipes.md)
    #[arg(value_name = "RECIPE")]
    recipe: PathBuf,
    /// Write networks, tables and charts to this folder
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
    /// Continue the run in the output folder
    #[arg(long)]
    resume: bool,
    /// Start no stage that would end after this many seconds
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// Scale all games and training positions; a small fraction is a trial run
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = scale)]
    scale: f64,
    /// Train on the CPU with this many threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    device: DeviceArguments,
}

fn scale(text: &str) -> Result<f64, String> {
    let factor: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if factor > 0.0 && factor <= 1000.0 {
        Ok(factor)
    } else {
        Err("expected a number above 0, up to 1000".to_owned())
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let named = |error: &dyn Error| format!("{}: {error}", arguments.recipe.display());
    let text = files::read_text(&arguments.recipe, files::SETTINGS_LIMIT).map_err(|error| named(&error))?;
    let recipe = PipelineRecipe::read(&text).map_err(|error| named(&error))?.scaled(arguments.scale);
    let threads = arguments
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    let pipeline = Pipeline {
        recipe,
        folder: arguments.output.clone(),
        device: arguments.device.device,
        threads,
        time: arguments.seconds.map(Duration::from_secs),
        resume: arguments.resume,
    };
    let interrupt = stop_on_signal()?;
    let mut display = Display { progress_line: ProgressLine::new() };
    let end = pipeline.run(&interrupt, |event| display.show(&event));
    display.progress_line.finish(None);
    let (state, stop) = end?;
    let mut out = io::stdout().lock();
    if let Some(champion) = state.champion() {
        writeln!(out, "best: {}-{} ({})", state.recipe.name, champion.stage, champion.hash)?;
    }
    let left = state.recipe.stages.len() - state.results.len();
    match stop {
        Stop::Done => writeln!(out, "all stages finished: {}", arguments.output.join("table.md").display())?,
        Stop::Time => writeln!(out, "time is up, {left} stages left; continue with --resume")?,
        Stop::Interrupted => {
            writeln!(out, "interrupted, {left} stages left; continue with --resume")?;
            unless_interrupted()?;
        }
    }
    Ok(())
}

/// Lines on standard output, and progress in place on a terminal.
struct Display {
    progress_line: ProgressLine,
}

impl Display {
    fn show(&mut self, event: &PipelineEvent) {
        match event {
            PipelineEvent::Opened(name) => self.line(name),
            PipelineEvent::StageStarted { number, of, name } => {
                self.line(&format!("stage {number} of {of}: {name}"));
            }
            PipelineEvent::Replaying(name) => self.line(&format!("  playing the games of {name} again")),
            PipelineEvent::Playing(progress) => {
                self.progress_line.update(|| format!("  {}", play_text(progress)));
            }
            PipelineEvent::Played { progress, training, validation, loss_scale, cut_short } => {
                let scale = loss_scale.map_or_else(String::new, |scale| format!(", loss scale {scale:.0}"));
                let text = format!(
                    "  {}: {} training positions, {} validation{scale}",
                    play_text(progress),
                    grouped(*training as u64),
                    grouped(*validation as u64)
                );
                self.line(&text);
                if *cut_short {
                    self.line("  out of memory: training on fewer positions than the recipe asks for");
                }
            }
            PipelineEvent::Step(progress) | PipelineEvent::Point(_, progress)
                if progress.step < progress.steps =>
            {
                self.progress_line.update(|| {
                    format!(
                        "  step {} of {}, {:.1} M positions/s, {} left",
                        progress.step,
                        progress.steps,
                        progress.speed / 1e6,
                        duration_text(progress.time_left)
                    )
                });
            }
            PipelineEvent::Step(_) => {}
            PipelineEvent::LearnerStarted(name) => self.line(&format!("  learner: {name}")),
            PipelineEvent::Point(point, progress) => {
                let validation =
                    point.validation_loss.map_or_else(String::new, |loss| format!(", validation {loss:.6}"));
                let text = format!(
                    "  {} steps: loss {:.6}{validation}, {:.1} M positions/s",
                    progress.steps,
                    point.training_loss,
                    progress.speed / 1e6
                );
                self.line(&text);
            }
            PipelineEvent::MatchProgress(score) => self.progress_line.update(|| {
                let elo = score.estimate().map_or(0.0, |estimate| estimate.elo);
                format!("  match: {} games, {elo:+.1} Elo", score.games.games())
            }),
            PipelineEvent::StageFinished(result, text) => {
                let [play, train, matches] = result.seconds;
                let learner = result.learner.as_ref();
                let learner =
                    learner.map_or_else(String::new, |learner| format!(" + {:.1} s", learner.seconds));
                self.line(&format!("  {text}; {play:.1} s + {train:.1} s{learner} + {matches:.1} s"));
            }
        }
    }

    /// A closed standard output does not stop the pipeline.
    fn line(&mut self, text: &str) {
        self.progress_line.finish(None);
        let _ = writeln!(io::stdout(), "{text}");
    }
}

fn play_text(progress: &PlayProgress) -> String {
    let (counters, seconds) = (&progress.counters, progress.elapsed.as_secs_f64().max(1e-9));
    format!(
        "{:.0} %, {} games, {:.2} M positions ({:.2} M/s), {}, depth {:.1}, {:.0} plies per game, \
         {:.0}/{:.0}/{:.0} %",
        100.0 * progress.done,
        grouped(counters.games),
        counters.records as f64 / 1e6,
        counters.records as f64 / seconds / 1e6,
        nps_text(counters.nodes as f64 / seconds),
        counters.depths as f64 / counters.moves.max(1) as f64,
        counters.plies as f64 / counters.games.max(1) as f64,
        percent(counters.white_wins, counters.games),
        percent(counters.draws, counters.games),
        percent(counters.black_wins, counters.games),
    )
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
