//! `vedette spsa`: tunes search parameters with self-play games; reads and writes `OpenBench`'s SPSA format.

pub mod tuning;

use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use support::sync::{into_inner, lock};

use arena::config::OpeningOrder;
use arena::openings::OpeningSource;
use arena::spsa::{SpsaIteration, Tuner};
use engine::params;

use self::tuning::{TuningArguments, progress, save};
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::progress::ProgressLine;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    tuning: TuningArguments,
    /// Run this many iterations
    #[arg(long, value_name = "N", default_value_t = 5000)]
    iterations: u64,
    /// Play this many game pairs per iteration
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Search each move with this many nodes
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Play this many games in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
}

const CONSTANTS: &str = "search parameters are constants in this build: build with --features tune";

/// Iterations between two saves.
const SAVE_INTERVAL: u64 = 20;

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let known: Vec<_> = params::ALL.iter().collect();
    if arguments.tuning.export {
        return tuning::export(&known);
    }
    if cfg!(not(feature = "tune")) {
        return Err(CONSTANTS.into());
    }
    let tuner = arguments.tuning.start(&known, arguments.iterations)?;
    let output = arguments.tuning.open_files(&tuner)?;
    let interrupt = stop_on_signal()?;
    let tuned = tune(arguments, tuner, &interrupt)?;
    tuning::write(output, &tuned)?;
    Ok(unless_interrupted()?)
}

/// Plays all iterations, `--concurrency` at a time; after an interrupt, only those in progress.
fn tune(arguments: &Arguments, tuner: Tuner, interrupt: &AtomicBool) -> Result<Tuner, Box<dyn Error>> {
    let names: Vec<String> = tuner.parameters().iter().map(|parameter| parameter.name.clone()).collect();
    let openings =
        OpeningSource::new(arena::openings::default_book(), OpeningOrder::Random, 1, arguments.tuning.seed);
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
    let (tuner, progress_line) = into_inner(tuner);
    progress_line.finish(Some(progress(&tuner)));
    if let Some(path) = &arguments.tuning.state {
        save(path, &tuner)?;
    }
    Ok(tuner)
}

fn report(tuner: &Tuner, progress_line: &mut ProgressLine, arguments: &Arguments) -> Result<(), String> {
    let (finished, _) = tuner.progress();
    if let Some(path) = arguments.tuning.state.as_deref().filter(|_| finished.is_multiple_of(SAVE_INTERVAL)) {
        save(path, tuner)?;
    }
    progress_line.update(|| progress(tuner));
    Ok(())
}

/// Plays the game pairs of an iteration and returns wins minus losses of the first set of values.
#[cfg(feature = "tune")]
fn play(
    iteration: &SpsaIteration,
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
fn play(_: &SpsaIteration, _: &[String], _: &OpeningSource, _: &Arguments) -> Result<i32, Box<dyn Error>> {
    Err(CONSTANTS.into())
}
