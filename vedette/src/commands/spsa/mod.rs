//! `vedette spsa`: tunes the search's parameters by games against itself, and reads and writes `OpenBench`'s lines.

pub mod tuning;

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use arena::config::OpeningOrder;
use arena::openings::OpeningSource;
use arena::spsa::{Iteration, Tuner};
use engine::params;

use self::tuning::{NewRun, progress, save};
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::output_file::OutputFile;
use crate::cli::progress::ProgressLine;

/// What to tune, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// Parameters as OpenBench writes them, one a line [default: all parameters of the search]
    #[arg(value_name = "FILE")]
    parameters: Option<PathBuf>,
    /// Print the parameters of the search as OpenBench's lines, and end
    #[arg(long)]
    export: bool,
    /// Iterations; in each, the shaken engines play some pairs of games
    #[arg(long, default_value_t = 5000)]
    iterations: u64,
    /// Pairs of games in an iteration
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Nodes for each move
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Seed of the perturbations and openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File of the run: written after every few iterations, read when it is there
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// File for the tuned parameters [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Why there is nothing to tune.
const CONSTANTS: &str = "the parameters of this build are constants; build with --features tune";

/// Iterations between two savings of the state.
const SAVE_INTERVAL: u64 = 20;

/// Tunes or exports.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.export {
        let mut out = io::stdout().lock();
        return Ok(params::ALL
            .iter()
            .try_for_each(|parameter| writeln!(out, "{}", parameter.spsa_line()))?);
    }
    if cfg!(not(feature = "tune")) {
        return Err(CONSTANTS.into());
    }
    let known: Vec<_> = params::ALL.iter().collect();
    let new = NewRun {
        parameters: arguments.parameters.as_deref(),
        iterations: arguments.iterations,
        seed: arguments.seed,
    };
    let tuner = tuning::start(&known, arguments.state.as_deref(), &new)?;
    let output = arguments.output.as_deref().map(OutputFile::open).transpose()?;
    if let Some(path) = &arguments.state {
        save(path, &tuner)?;
    }
    let interrupt = stop_on_signal()?;
    let tuned = tune(arguments, tuner, &interrupt)?;
    let text = tuning::lines(&tuned);
    match output {
        Some(file) => file.finish(&text)?,
        None => write!(io::stdout(), "{text}")?,
    }
    Ok(unless_interrupted()?)
}

/// Plays all iterations, `--concurrency` at a time, or only those in progress once the user has had enough.
fn tune(arguments: &Arguments, tuner: Tuner, interrupt: &AtomicBool) -> Result<Tuner, Box<dyn Error>> {
    let names: Vec<String> = tuner.parameters().iter().map(|parameter| parameter.name.clone()).collect();
    let openings =
        OpeningSource::new(arena::openings::default_book(), OpeningOrder::Random, 1, arguments.seed);
    let tuner = Mutex::new((tuner, ProgressLine::new()));
    let lead = || -> Result<(), String> {
        loop {
            if interrupt.load(Ordering::Relaxed) {
                return Ok(());
            }
            let iteration = lock(&tuner).0.next_iteration();
            let Some(iteration) = iteration else { return Ok(()) };
            let result = play(&iteration, &names, &openings, arguments).map_err(|error| error.to_string())?;
            let (tuner, progress_line) = &mut *lock(&tuner);
            tuner.finish(&iteration, f64::from(result));
            report(tuner, progress_line, arguments)?;
        }
    };
    std::thread::scope(|scope| {
        let leads: Vec<_> = (0..arguments.concurrency).map(|_| scope.spawn(lead)).collect();
        leads
            .into_iter()
            .try_for_each(|lead| lead.join().unwrap_or_else(|_| Err("a thread panicked".to_owned())))
    })?;
    let (tuner, progress_line) = tuner.into_inner().unwrap_or_else(PoisonError::into_inner);
    progress_line.finish(Some(progress(&tuner)));
    if let Some(path) = &arguments.state {
        save(path, &tuner)?;
    }
    Ok(tuner)
}

fn lock(tuner: &Mutex<(Tuner, ProgressLine)>) -> std::sync::MutexGuard<'_, (Tuner, ProgressLine)> {
    tuner.lock().unwrap_or_else(PoisonError::into_inner)
}

fn report(tuner: &Tuner, progress_line: &mut ProgressLine, arguments: &Arguments) -> Result<(), String> {
    let (finished, _) = tuner.progress();
    if let Some(path) = arguments.state.as_deref().filter(|_| finished.is_multiple_of(SAVE_INTERVAL)) {
        save(path, tuner)?;
    }
    progress_line.update(|| progress(tuner));
    Ok(())
}

/// Plays the pairs of an iteration and returns wins minus losses of the first set of values.
#[cfg(feature = "tune")]
fn play(
    iteration: &Iteration,
    names: &[String],
    openings: &OpeningSource,
    arguments: &Arguments,
) -> Result<i32, Box<dyn Error>> {
    use arena::spsa::{play_pair, tuned_params};

    let plus = tuned_params(names, &iteration.plus)?;
    let minus = tuned_params(names, &iteration.minus)?;
    let mut result = 0;
    for pair in 0..arguments.pairs {
        let (_, opening) = openings.opening(iteration.number * arguments.pairs + pair)?;
        result += play_pair(&plus, &minus, &opening, arguments.nodes)?;
    }
    Ok(result)
}

#[cfg(not(feature = "tune"))]
fn play(_: &Iteration, _: &[String], _: &OpeningSource, _: &Arguments) -> Result<i32, Box<dyn Error>> {
    Err(CONSTANTS.into())
}
