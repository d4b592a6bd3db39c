//! `vedette suite`: runs EPD test suites with one or several engines.

mod report;

use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::files;
use support::shell::quoted;
use support::sync::{into_inner, lock};

use arena::config::EngineConfig;
use arena::game::EngineLimits;
use arena::players::{PlayerError, PlayerFactory};
use arena::suite::{Attempt, SuitePosition, SuiteTotal, attempt};

use self::report::{csv, json, print_positions, print_totals, progress};
use crate::cli::analysis::without_clock;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::json::JsonArguments;
use crate::cli::output_file::{OutputFile, path_error};
use crate::cli::progress::ProgressLine;
use crate::cli::stderr::stderr;
use crate::cli::values::parse_option;

#[derive(clap::Args)]
pub struct Arguments {
    /// Read EPD files with bm, am, dm or scored moves (c0, c8 and c9)
    #[arg(required = true, value_name = "FILE.epd")]
    files: Vec<PathBuf>,
    /// Test this UCI engine, with its arguments; repeatable [default: Vedette]
    #[arg(long, value_name = "COMMAND")]
    engine: Vec<String>,
    /// Search each position for this many milliseconds [default: 1000 without other limits]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Search each position with N nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search each position to depth N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Set a UCI option of all engines; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    option: Vec<(String, String)>,
    /// Search this many positions in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Print castling moves as king takes rook
    #[arg(long)]
    chess960: bool,
    /// Print every position, not only the totals
    #[arg(short, long)]
    verbose: bool,
    /// Write all results as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArguments,
}

/// Runs the suite and prints what each engine solved.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let tasks = read_tasks(&arguments.files)?;
    let mut engines = engines(arguments);
    let limits = limits(arguments);
    let open = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::open).transpose();
    let (csv_file, json_file) = (open(&arguments.csv)?, arguments.json.open()?);
    let interrupt = stop_on_signal()?;
    let mut answers: Vec<Vec<Attempt>> = Vec::new();
    let mut failures: Vec<String> = Vec::new();
    let several = engines.len() > 1;
    for engine in &mut engines {
        let (answered, fault) = solve(engine, &tasks, limits, arguments, &interrupt);
        if let Some(fault) = fault {
            let failure = format!("{}: {fault}, after {} positions", engine.name, answered.len());
            if several {
                stderr!("Warning: {failure}; continuing with the others");
            }
            failures.push(failure);
        }
        answers.push(answered);
    }
    name_apart(&mut engines);
    if let Some(file) = csv_file {
        file.finish(&csv(&engines, &answers)?)?;
    }
    json_file.finish(|| json(&engines, &answers))?;
    let mut out = arguments.json.text();
    if arguments.verbose {
        print_positions(&mut out, &engines, &answers)?;
    }
    print_totals(&mut out, &engines, &answers)?;
    warn_of_illegal_moves(&engines, &answers);
    unless_interrupted()?;
    if failures.is_empty() { Ok(()) } else { Err(failures.join("; ").into()) }
}

fn read_tasks(files: &[PathBuf]) -> Result<Vec<SuitePosition>, Box<dyn Error>> {
    let mut tasks = Vec::new();
    for file in files {
        let bytes =
            files::read_limited(file, files::CONTENT_LIMIT).map_err(|error| path_error(file, &error))?;
        for (number, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match SuitePosition::parse(line, number + 1) {
                Ok(task) => tasks.push(task),
                Err(error) => stderr!("Warning: {}:{}: {error}", file.display(), number + 1),
            }
        }
    }
    if tasks.is_empty() { Err("no positions to solve".into()) } else { Ok(tasks) }
}

fn engines(arguments: &Arguments) -> Vec<EngineConfig> {
    let mut engines: Vec<EngineConfig> =
        arguments.engine.iter().map(|line| EngineConfig::of_command(line)).collect();
    if engines.is_empty() {
        engines.push(EngineConfig::in_process());
    }
    for engine in &mut engines {
        engine.options.clone_from(&arguments.option);
    }
    engines
}

fn limits(arguments: &Arguments) -> EngineLimits {
    let unlimited = arguments.movetime.or(arguments.nodes).is_none() && arguments.depth.is_none();
    let millis = arguments.movetime.or(unlimited.then_some(1000));
    EngineLimits {
        move_time: millis.map(Duration::from_millis),
        nodes: arguments.nodes,
        depth: arguments.depth,
        ..without_clock()
    }
}

/// Engines that report the same name are told apart by their commands.
fn name_apart(engines: &mut [EngineConfig]) {
    let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
    for engine in engines.iter_mut().filter(|engine| !engine.command.is_empty()) {
        if names.iter().filter(|name| **name == engine.name).count() > 1 {
            engine.name = format!("{} ({})", engine.name, command_line(engine));
        }
    }
}

/// The command of an engine; empty for Vedette in this process.
fn command_line(engine: &EngineConfig) -> String {
    let is_process = !engine.command.is_empty();
    let words = is_process.then_some(&engine.command).into_iter().chain(&engine.arguments);
    words.map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// Several copies of one engine share the positions. Ctrl-C, or an engine that fails, drops those at the end of the list.
/// The engine gets the name that it reports.
fn solve(
    engine: &mut EngineConfig,
    tasks: &[SuitePosition],
    limits: EngineLimits,
    arguments: &Arguments,
    interrupt: &Arc<AtomicBool>,
) -> (Vec<Attempt>, Option<PlayerError>) {
    let factory = PlayerFactory { chess960: arguments.chess960, ..PlayerFactory::default() };
    let next = AtomicUsize::new(0);
    let reported: Mutex<Option<String>> = Mutex::default();
    let config = &*engine;
    let found: Mutex<(Vec<Option<Attempt>>, ProgressLine)> =
        Mutex::new((vec![None; tasks.len()], ProgressLine::new()));
    let done = std::thread::scope(|scope| {
        let work = || -> Result<(), PlayerError> {
            let mut player = factory.create(config, Arc::clone(interrupt))?;
            *lock(&reported) = player.reported_name().map(str::to_owned);
            while !interrupt.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(index) else { break };
                let answer = attempt(&mut *player, task, limits, arguments.chess960)?;
                let (answers, progress_line) = &mut *lock(&found);
                answers[index] = Some(answer);
                progress_line.update(|| progress(config, answers));
            }
            Ok(())
        };
        let workers: Vec<_> = (0..arguments.concurrency).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(Err(PlayerError::Interrupted)) => Ok(()),
            Ok(done) => done,
            Err(_) => Err(PlayerError::Disconnected(format!("{} panicked", config.name))),
        })
    });
    let (answers, progress_line) = into_inner(found);
    progress_line.finish(
        interrupt.load(Ordering::Relaxed).then(|| format!("Interrupted: {}", progress(config, &answers))),
    );
    if let Some(name) = into_inner(reported) {
        engine.name = name;
    }
    (answers.into_iter().map_while(|answer| answer).collect(), done.err())
}

fn warn_of_illegal_moves(engines: &[EngineConfig], answers: &[Vec<Attempt>]) {
    for (engine, attempts) in engines.iter().zip(answers) {
        let illegal = SuiteTotal::of(attempts).illegal;
        if illegal > 0 {
            stderr!("Warning: {}: {illegal} of {} answers are illegal moves", engine.name, attempts.len());
        }
    }
}
