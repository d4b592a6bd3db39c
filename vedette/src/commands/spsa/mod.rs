//! `vedette spsa`: tunes the search's parameters by games against itself, and speaks `OpenBench`'s lines.
//!
//! The parameters of the search are global to a process, so every game in progress has a process of its own: copies of
//! this program that take iterations from standard input and answer with results.

pub mod tuning;

use std::error::Error;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use arena::spsa::{Order, Tuner};
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
    /// Play iterations from standard input (used by the program itself)
    #[arg(long, hide = true)]
    worker: bool,
}

/// Iterations between two savings of the state.
const SAVE_INTERVAL: u64 = 20;

/// Tunes, exports, or works.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.export {
        let mut out = io::stdout().lock();
        return Ok(params::ALL
            .iter()
            .try_for_each(|parameter| writeln!(out, "{}", parameter.spsa_line()))?);
    }
    if arguments.worker {
        return work();
    }
    if cfg!(not(feature = "tune")) {
        return Err("the parameters of this build are constants; build with --features tune".into());
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

/// Lets the workers play all iterations, or those in progress once the user has had enough.
fn tune(arguments: &Arguments, tuner: Tuner, interrupt: &AtomicBool) -> Result<Tuner, Box<dyn Error>> {
    let names: Vec<String> = tuner.parameters().iter().map(|parameter| parameter.name.clone()).collect();
    let tuner = Mutex::new((tuner, ProgressLine::new()));
    let program = std::env::current_exe()?;
    let lead = || -> Result<(), String> {
        let mut worker = Worker::start(&program).map_err(|error| error.to_string())?;
        loop {
            if interrupt.load(Ordering::Relaxed) {
                return Ok(());
            }
            let iteration = lock(&tuner).0.next_iteration();
            let Some(iteration) = iteration else { return Ok(()) };
            let order = Order {
                iteration,
                names: names.clone(),
                pairs: arguments.pairs,
                nodes: arguments.nodes,
                seed: arguments.seed,
            };
            let result = worker.play(&order)?;
            let (tuner, progress_line) = &mut *lock(&tuner);
            tuner.finish(&order.iteration, result);
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

/// A copy of this program that plays.
struct Worker {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Worker {
    fn start(program: &Path) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(["spsa", "--worker"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        // In a group of its own it does not see Ctrl-C, and finishes its iteration.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let answers = child.stdout.take().map(BufReader::new).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Self { child, answers })
    }

    fn play(&mut self, order: &Order) -> Result<f64, String> {
        let gone = |error: io::Error| format!("a worker has gone: {error}");
        let text = serde_json::to_string(order).map_err(|error| error.to_string())?;
        let stdin = self.child.stdin.as_mut().ok_or("a worker has no input")?;
        writeln!(stdin, "{text}").and_then(|()| stdin.flush()).map_err(gone)?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).map_err(gone)?;
        answer.trim().parse().map_err(|_| format!("a worker answered '{}'", answer.trim()))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The end of its input ends it; it may still be in a game.
        self.child.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays iterations from standard input until it ends.
#[cfg(feature = "tune")]
fn work() -> Result<(), Box<dyn Error>> {
    use arena::config::OpeningOrder;
    use arena::openings::OpeningSource;
    use arena::spsa::{ParameterSet, play_pair};

    let mut openings: Option<(u64, OpeningSource)> = None;
    for line in io::stdin().lock().lines() {
        let order: Order = serde_json::from_str(&line?)?;
        let (_, source) = match openings.take() {
            Some((seed, source)) if seed == order.seed => openings.insert((seed, source)),
            _ => {
                let book = arena::openings::default_book();
                openings.insert((order.seed, OpeningSource::new(book, OpeningOrder::Random, 1, order.seed)))
            }
        };
        let plus = ParameterSet::with(&order.names, &order.iteration.plus)?;
        let minus = ParameterSet::with(&order.names, &order.iteration.minus)?;
        let mut result = 0;
        for pair in 0..order.pairs {
            let (_, opening) = source.opening(order.iteration.number * order.pairs + pair)?;
            result += play_pair(&plus, &minus, &opening, order.nodes)?;
        }
        writeln!(io::stdout(), "{result}")?;
    }
    Ok(())
}

#[cfg(not(feature = "tune"))]
fn work() -> Result<(), Box<dyn Error>> {
    Err("the parameters of this build are constants; build with --features tune".into())
}
