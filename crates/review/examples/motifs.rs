//! Compares the named motif of puzzles with their themes, in lichess's CSV on stdin: the motif of the solution, or of
//! the explanation of the position with `--nodes N`, as `vedette explain` computes it.
//!
//! `zstdcat lichess_puzzles.csv.zst | cargo run --release -p review --example motifs -- --count 1000 [--nodes 20000]
//! [--threads 4]`

use std::collections::BTreeMap;
use std::error::Error;
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use arena::config::EngineConfig;
use arena::game::EngineLimits;
use arena::players::PlayerError;
use chess::{Game, Move, Position};
use review::Reviewer;
use review::motif::{Motif, motifs};
use support::random::Random;
use support::sync::lock;

/// What is counted.
#[derive(Default)]
struct Counts {
    puzzles: u32,
    named: u32,
    agreeing: u32,
    /// By theme of the puzzles, and by named motif: puzzles, agreeing.
    themes: BTreeMap<String, (u32, u32)>,
    motifs: BTreeMap<String, (u32, u32)>,
}

struct Options {
    count: usize,
    nodes: Option<u64>,
    seed: u64,
    threads: usize,
    verbose: bool,
}

impl Options {
    fn read() -> Result<Options, String> {
        let mut options = Options { count: 1000, nodes: None, seed: 1, threads: 1, verbose: false };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut number =
                || arguments.next().and_then(|text| text.parse::<u64>().ok()).ok_or("expected a number");
            match argument.as_str() {
                "--count" => options.count = number()? as usize,
                "--nodes" => options.nodes = Some(number()?),
                "--seed" => options.seed = number()?,
                "--threads" => options.threads = number()? as usize,
                "--verbose" => options.verbose = true,
                other => {
                    return Err(format!(
                        "unknown argument {other}: expected --count, --nodes, --seed, --threads or --verbose"
                    ));
                }
            }
        }
        Ok(options)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::read()?;
    let known: Vec<&str> = Motif::ALL.iter().flat_map(|motif| motif.themes()).copied().collect();
    let mut puzzles: Vec<Puzzle> = Vec::new();
    for line in std::io::stdin().lock().lines().skip(1) {
        let Some(mut puzzle) = Puzzle::read(&line?) else { continue };
        puzzle.themes.retain(|theme| known.contains(&theme.as_str()));
        if !puzzle.themes.is_empty() {
            puzzles.push(puzzle);
        }
    }
    let mut random = Random::new(options.seed);
    let mut chosen = Vec::new();
    while chosen.len() < options.count && !puzzles.is_empty() {
        chosen.push(puzzles.swap_remove((random.unit() * puzzles.len() as f64) as usize));
    }
    let counts = Mutex::new(Counts::default());
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), PlayerError> {
        let limits = EngineLimits { nodes: options.nodes, ..EngineLimits::default() };
        let stop = Arc::new(AtomicBool::new(false));
        let mut reviewer = Reviewer::new(&EngineConfig::in_process(), limits, false, stop)?;
        while let Some(puzzle) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (found, line) = named(&mut reviewer, puzzle, options.nodes.is_some())?;
            let mut counts = lock(&counts);
            count(&mut counts, puzzle, &found, &line, options.verbose);
            if options.verbose && counts.puzzles.is_multiple_of(50) {
                eprintln!("{} puzzles, {} agree", counts.puzzles, counts.agreeing);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
    })?;
    show(&lock(&counts));
    Ok(())
}

/// The motifs of a puzzle, and the line that has them.
fn named(
    reviewer: &mut Reviewer,
    puzzle: &Puzzle,
    search: bool,
) -> Result<(Vec<Motif>, String), PlayerError> {
    let solution = san(&puzzle.start, &puzzle.solution);
    if !search {
        let found = motifs(&puzzle.start, &puzzle.solution);
        return Ok((found.iter().map(|tactic| tactic.motif).collect(), solution));
    }
    // What one puzzle leaves in the hash table does not help with the next.
    reviewer.new_game()?;
    let Some(best) = reviewer.best_line(&Game::new(puzzle.start))? else {
        return Ok((Vec::new(), solution));
    };
    let found = best.motifs.iter().map(|named| named.motif).collect();
    let line = format!("{} {} agreed {} | {solution}", best.score, best.moves.join(" "), best.agreed);
    Ok((found, line))
}

fn count(counts: &mut Counts, puzzle: &Puzzle, found: &[Motif], line: &str, verbose: bool) {
    let first = found.first().copied().filter(|&motif| motif != Motif::Mate);
    let agrees = first
        .is_some_and(|motif| motif.themes().iter().any(|theme| puzzle.themes.iter().any(|own| own == theme)));
    let add = |entry: &mut (u32, u32)| *entry = (entry.0 + 1, entry.1 + u32::from(agrees));
    counts.puzzles += 1;
    counts.named += u32::from(first.is_some());
    counts.agreeing += u32::from(agrees);
    for theme in &puzzle.themes {
        add(counts.themes.entry(theme.clone()).or_default());
    }
    let motif = first.map_or("none".to_owned(), |motif| format!("{motif:?}"));
    add(counts.motifs.entry(motif).or_default());
    if verbose && !agrees {
        println!("{} | {first:?} | {line} | {}", puzzle.start.to_fen(), puzzle.themes.join(" "));
    }
}

fn show(counts: &Counts) {
    let Counts { puzzles, named, agreeing, .. } = *counts;
    println!(
        "{puzzles} puzzles with a known theme: {named} named, {agreeing} agree: {:.1} % of all, {:.1} % of those named",
        100.0 * f64::from(agreeing) / f64::from(puzzles.max(1)),
        100.0 * f64::from(agreeing) / f64::from(named.max(1))
    );
    for (title, table) in [("theme", &counts.themes), ("motif", &counts.motifs)] {
        println!("\n{title:20} puzzles   agree");
        for (name, (all, agree)) in table {
            println!("{name:20} {all:7} {:6.1} %", 100.0 * f64::from(*agree) / f64::from(*all));
        }
    }
}

struct Puzzle {
    start: Position,
    solution: Vec<Move>,
    themes: Vec<String>,
}

impl Puzzle {
    /// The first move of a puzzle is the opponent's.
    fn read(line: &str) -> Option<Puzzle> {
        let fields: Vec<&str> = line.split(',').collect();
        let mut position = Position::from_fen(fields.get(1)?).ok()?;
        let mut moves = fields.get(2)?.split(' ');
        position = position.after(position.parse_uci(moves.next()?).ok()?);
        let start = position;
        let mut solution = Vec::new();
        for text in moves {
            let mv = position.parse_uci(text).ok()?;
            solution.push(mv);
            position = position.after(mv);
        }
        let themes = fields.get(7)?.split(' ').map(str::to_owned).collect();
        (!solution.is_empty()).then_some(Puzzle { start, solution, themes })
    }
}

fn san(start: &Position, line: &[Move]) -> String {
    let mut position = *start;
    let mut text = Vec::new();
    for &mv in line {
        text.push(position.san(mv).to_string());
        position = position.after(mv);
    }
    text.join(" ")
}
