//! `vedette gpu loop`: from random weights to a network, as a recipe says.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use gpu::generations::{Event, Loop, LoopRecipe, Playing, Stop};

use super::DeviceArguments;
use crate::cli::format::{duration_text, grouped, nps_text};
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::progress::ProgressLine;

/// What to do, and how long.
#[derive(clap::Args)]
#[command(
    after_help = "Networks, table.md, elo.svg and state.json are written to the folder after each stage. \
    Ctrl-C ends the loop at once; --resume repeats the stage that was not finished. The games are not kept: a \
    stage that learns from those of earlier ones has them played again by the best network."
)]
pub struct Arguments {
    /// The recipe, a TOML file; docs/gpu.md explains its entries
    #[arg(value_name = "RECIPE")]
    recipe: PathBuf,
    /// Folder for networks, tables and pictures
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
    /// Go on with what is in the folder
    #[arg(long)]
    resume: bool,
    /// Begin no stage that would not be done after so many seconds
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// So many times the games, lessons and judging games of the recipe; a small fraction tries it out
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = scale)]
    scale: f64,
    /// Threads to learn with, where the CPU does [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    device: DeviceArguments,
}

fn scale(text: &str) -> Result<f64, String> {
    let factor: f64 = text.parse().map_err(|_| format!("{text:?} is not a number"))?;
    if factor > 0.0 && factor <= 1000.0 { Ok(factor) } else { Err("a number above 0, up to 1000".to_owned()) }
}

/// Runs the loop.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let named = |error: &dyn Error| format!("{}: {error}", arguments.recipe.display());
    let text = fs::read_to_string(&arguments.recipe).map_err(|error| named(&error))?;
    let recipe = LoopRecipe::read(&text).map_err(|error| named(&error))?.scaled(arguments.scale);
    let threads = arguments
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    let order = Loop {
        recipe,
        folder: arguments.output.clone(),
        machine: arguments.device.device,
        threads,
        time: arguments.seconds.map(Duration::from_secs),
        resume: arguments.resume,
    };
    let interrupt = stop_on_signal()?;
    let mut narrator = Narrator { progress_line: ProgressLine::new() };
    let ended = order.run(&interrupt, |event| narrator.tell(&event));
    narrator.progress_line.finish(None);
    let (state, stop) = ended?;
    let mut out = io::stdout().lock();
    if let Some(champion) = state.champion() {
        writeln!(out, "best: {}-{} ({})", state.recipe.name, champion.stage, champion.hash)?;
    }
    let left = state.recipe.stages.len() - state.rows.len();
    match stop {
        Stop::Done => writeln!(out, "all stages are done: {}", arguments.output.join("table.md").display())?,
        Stop::Time => writeln!(out, "{left} stages are left, without time; --resume goes on")?,
        Stop::Interrupted => {
            writeln!(out, "interrupted; --resume goes on with {left} stages")?;
            unless_interrupted()?;
        }
    }
    Ok(())
}

/// Tells how it goes: lines on standard output, and in place on a terminal.
struct Narrator {
    progress_line: ProgressLine,
}

impl Narrator {
    fn tell(&mut self, event: &Event) {
        match event {
            Event::Opened(name) => self.line(name),
            Event::Stage { number, of, name } => self.line(&format!("stage {number} of {of}: {name}")),
            Event::Again(name) => self.line(&format!("  the games of {name} are played again")),
            Event::Playing(playing) => self.progress_line.update(|| format!("  {}", played(playing))),
            Event::Played { playing, positions, aside, cut_short } => {
                let text = format!(
                    "  {}: {} to learn from, {} kept aside",
                    played(playing),
                    grouped(*positions as u64),
                    grouped(*aside as u64)
                );
                self.line(&text);
                if *cut_short {
                    self.line("  memory was full before all games were played: the stage learns from fewer");
                }
            }
            Event::Step(progress) | Event::Point(_, progress) if progress.step < progress.steps => {
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
            Event::Step(_) => {}
            Event::Point(point, progress) => {
                let aside =
                    point.validation_loss.map_or_else(String::new, |loss| format!(", kept aside {loss:.6}"));
                let text = format!(
                    "  {} steps: loss {:.6}{aside}, {:.1} M positions/s",
                    progress.steps,
                    point.training_loss,
                    progress.speed / 1e6
                );
                self.line(&text);
            }
            Event::Meeting(score) => self.progress_line.update(|| {
                let elo = score.estimate().map_or(0.0, |found| found.elo);
                format!("  match: {} games, {elo:+.1} Elo", score.games.games())
            }),
            Event::Judged(row, text) => {
                let [play, train, judge] = row.seconds;
                self.line(&format!("  {text}; {play:.1} s + {train:.1} s + {judge:.1} s"));
            }
        }
    }

    /// A line that stays. Whoever stops reading does not stop the loop.
    fn line(&mut self, text: &str) {
        self.progress_line.finish(None);
        let _ = writeln!(io::stdout(), "{text}");
    }
}

/// What was played so far.
fn played(playing: &Playing) -> String {
    let (counters, seconds) = (&playing.counters, playing.elapsed.as_secs_f64().max(1e-9));
    format!(
        "{:.0} %, {} games, {:.2} M positions ({:.2} M/s), {}, depth {:.1}, {:.0} half moves a game, \
         {:.0}/{:.0}/{:.0} %",
        100.0 * playing.done,
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
