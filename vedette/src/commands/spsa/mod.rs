//! `vedette spsa`: tunes parameters with games, of Vedette's search or of any UCI engine; reads and writes `OpenBench`'s SPSA
//! format.

pub mod tuning;

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use support::sync::{into_inner, lock};

use arena::config::{EngineConfig, OpeningOrder};
use arena::game::{EngineLimits, TimeControl};
use arena::openings::OpeningSource;
use arena::spsa::{EnginePair, SpsaIteration, TunedParameter, Tuner, spin_parameters};
use engine::params;
use record::book::{Book, BookFormat, Opening};

use self::tuning::{TuningArguments, progress, save};
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::progress::ProgressLine;
use crate::cli::values::parse_option;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    tuning: TuningArguments,
    /// Tune the options of this UCI engine, with its arguments [default: Vedette's search parameters]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Set a UCI option of the engine; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option, requires = "engine")]
    option: Vec<(String, String)>,
    /// Play at this time control, such as 8+0.08
    #[arg(long, value_name = "TC", requires = "engine", conflicts_with = "nodes")]
    tc: Option<TimeControl>,
    /// Run this many iterations
    #[arg(long, value_name = "N", default_value_t = 5000)]
    iterations: u64,
    /// Play this many game pairs per iteration
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Search each move with this many nodes
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Start games from this book, in EPD, PGN or Polyglot format [default: built-in]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Play this many games in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
}

const CONSTANTS: &str = "search parameters are constants in this build: build with --features tune, or tune another \
                         engine with --engine";

/// Iterations between two saves.
const SAVE_INTERVAL: u64 = 20;

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if let Some(engine) = arguments.engine_config() {
        return tune_engine(arguments, &engine);
    }
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
    let openings = arguments.openings()?;
    let names: Vec<String> = tuner.parameters().iter().map(|parameter| parameter.name.clone()).collect();
    let play = |iteration: &SpsaIteration| {
        play(iteration, &names, &openings, arguments).map_err(|error| error.to_string())
    };
    let tuned = tune(arguments, tuner, &interrupt, || Ok(play))?;
    tuning::write(output, &tuned)?;
    Ok(unless_interrupted()?)
}

/// Tunes options of another engine.
fn tune_engine(arguments: &Arguments, engine: &EngineConfig) -> Result<(), Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    let first = EnginePair::start(engine, &interrupt)?;
    if arguments.tuning.export {
        let mut out = io::stdout().lock();
        return Ok(spin_parameters(first.identity()).iter().try_for_each(|line| writeln!(out, "{line}"))?);
    }
    let tuner = arguments.tuning.start_engine(first.identity(), arguments.iterations)?;
    drop(first);
    let output = arguments.tuning.open_files(&tuner)?;
    let openings = arguments.openings()?;
    let parameters: Vec<TunedParameter> = tuner.parameters().to_vec();
    let worker = || -> Result<_, String> {
        let mut pair = EnginePair::start(engine, &interrupt).map_err(|error| error.to_string())?;
        let (openings, parameters) = (&openings, &parameters);
        Ok(move |iteration: &SpsaIteration| {
            let values = [iteration.plus.as_slice(), iteration.minus.as_slice()];
            pair.set(parameters, values).map_err(|error| error.to_string())?;
            let openings = arguments.openings_of(iteration, openings);
            openings.map(|opening| pair.play(&opening.map_err(|error| error.to_string())?)).sum()
        })
    };
    let tuned = tune(arguments, tuner, &interrupt, worker)?;
    tuning::write(output, &tuned)?;
    Ok(unless_interrupted()?)
}

impl Arguments {
    fn engine_config(&self) -> Option<EngineConfig> {
        let line = self.engine.as_deref()?;
        // As written in matches.
        let line = line.strip_prefix("cmd=").unwrap_or(line);
        let limits = EngineLimits {
            clock: self.tc,
            nodes: self.tc.is_none().then_some(self.nodes),
            ..EngineLimits::default()
        };
        Some(EngineConfig { limits, options: self.option.clone(), ..EngineConfig::of_command(line) })
    }

    /// The openings in random order.
    fn openings(&self) -> Result<OpeningSource, Box<dyn Error>> {
        let book = match &self.openings {
            None => arena::openings::default_book(),
            Some(path) => {
                let book =
                    Book::load(path, BookFormat::of_path(path).unwrap_or(BookFormat::Epd), usize::MAX)?;
                book.check()?;
                book
            }
        };
        Ok(OpeningSource::new(book, OpeningOrder::Random, 1, self.tuning.seed))
    }

    /// The openings of an iteration, one for each pair.
    fn openings_of<'a>(
        &'a self,
        iteration: &SpsaIteration,
        openings: &'a OpeningSource,
    ) -> impl Iterator<Item = Result<Opening, record::book::BookError>> + 'a {
        let first = iteration.number * self.pairs;
        (first..first + self.pairs).map(|pair| openings.opening(pair).map(|(_, opening)| opening))
    }
}

/// Plays all iterations, `--concurrency` at a time; after an interrupt, only those in progress. `worker` makes what plays the
/// pairs of an iteration in one thread, and returns wins minus losses of the first set of values.
fn tune<P: FnMut(&SpsaIteration) -> Result<i32, String>>(
    arguments: &Arguments,
    tuner: Tuner,
    interrupt: &Arc<AtomicBool>,
    worker: impl Fn() -> Result<P, String> + Sync,
) -> Result<Tuner, Box<dyn Error>> {
    let tuner = Mutex::new((tuner, ProgressLine::new()));
    let failed = AtomicBool::new(false);
    let work = || -> Result<(), String> {
        let mut play = worker()?;
        loop {
            if interrupt.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            let iteration = lock(&tuner).0.next_iteration();
            let Some(iteration) = iteration else { return Ok(()) };
            let result = match play(&iteration) {
                // Games that were stopped have no result; their iteration is repeated when the run is resumed.
                Err(_) if interrupt.load(Ordering::Relaxed) => return Ok(()),
                result => result?,
            };
            let (tuner, progress_line) = &mut *lock(&tuner);
            tuner.finish(&iteration, f64::from(result));
            report(tuner, progress_line, arguments)?;
        }
    };
    let lead = || work().inspect_err(|_| failed.store(true, Ordering::Relaxed));
    let played = std::thread::scope(|scope| {
        let leads: Vec<_> = (0..arguments.concurrency).map(|_| scope.spawn(lead)).collect();
        let results =
            leads.into_iter().map(|lead| lead.join().unwrap_or_else(|_| Err("a thread panicked".to_owned())));
        results.collect::<Vec<_>>().into_iter().collect::<Result<(), String>>()
    });
    let (tuner, progress_line) = into_inner(tuner);
    progress_line.finish(Some(progress(&tuner)));
    // Also after a crash of the engine: what was tuned so far stays.
    if let Some(path) = &arguments.tuning.state {
        save(path, &tuner)?;
    }
    played?;
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
    for opening in arguments.openings_of(iteration, openings) {
        result += play_pair(&plus, &minus, &opening?, arguments.nodes)?;
    }
    Ok(result)
}

#[cfg(not(feature = "tune"))]
fn play(_: &SpsaIteration, _: &[String], _: &OpeningSource, _: &Arguments) -> Result<i32, Box<dyn Error>> {
    Err(CONSTANTS.into())
}
