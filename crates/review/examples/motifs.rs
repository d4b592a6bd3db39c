//! Compares the named motif of puzzles with their themes, in lichess's CSV on stdin: the motif of the solution, or of
//! the explanation of the position with `--nodes N`, as `vedette explain` computes it.
//!
//! `zstdcat lichess_puzzles.csv.zst | cargo run --release -p review --example motifs -- --count 1000 [--nodes 20000]`

use std::collections::BTreeMap;
use std::error::Error;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arena::config::EngineConfig;
use arena::game::EngineLimits;
use chess::{Game, Move, Position};
use review::Reviewer;
use review::motif::{Motif, motifs};
use support::random::Random;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut count, mut nodes, mut seed, mut verbose) = (1000, None, 1, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number =
            || arguments.next().and_then(|text| text.parse::<u64>().ok()).ok_or("expected a number");
        match argument.as_str() {
            "--count" => count = number()? as usize,
            "--nodes" => nodes = Some(number()?),
            "--seed" => seed = number()?,
            "--verbose" => verbose = true,
            other => {
                return Err(format!(
                    "unknown argument {other}: expected --count, --nodes, --seed or --verbose"
                )
                .into());
            }
        }
    }
    let known: Vec<&str> = Motif::ALL.iter().flat_map(|motif| motif.themes()).copied().collect();
    let mut puzzles: Vec<Puzzle> = Vec::new();
    for line in std::io::stdin().lock().lines().skip(1) {
        let Some(puzzle) = Puzzle::read(&line?) else { continue };
        if puzzle.themes.iter().any(|theme| known.contains(&theme.as_str())) {
            puzzles.push(puzzle);
        }
    }
    let mut random = Random::new(seed);
    let limits = EngineLimits { nodes, ..EngineLimits::default() };
    let stop = Arc::new(AtomicBool::new(false));
    let mut reviewer = Reviewer::new(&EngineConfig::in_process(), limits, false, stop)?;
    // By theme: puzzles, agreeing. By motif: named, agreeing.
    let mut themes: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut by_motif: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let (mut total, mut named, mut agreeing) = (0, 0, 0);
    while total < count && !puzzles.is_empty() {
        let puzzle = puzzles.swap_remove((random.unit() * puzzles.len() as f64) as usize);
        total += 1;
        let (found, line): (Vec<Motif>, String) = if nodes.is_some() {
            let explanation = reviewer.explain(&Game::new(puzzle.start), None)?;
            explanation.map_or_else(Default::default, |explanation| {
                let found = explanation.best.motifs.iter().map(|named| named.motif).collect();
                (found, explanation.text())
            })
        } else {
            let found = motifs(&puzzle.start, &puzzle.solution);
            (found.iter().map(|tactic| tactic.motif).collect(), san(&puzzle.start, &puzzle.solution))
        };
        let first = found.first().copied().filter(|&motif| motif != Motif::Mate);
        let agrees = first.is_some_and(|motif| {
            motif.themes().iter().any(|theme| puzzle.themes.iter().any(|own| own == theme))
        });
        named += u32::from(first.is_some());
        agreeing += u32::from(agrees);
        for theme in puzzle.themes.iter().filter(|theme| known.contains(&theme.as_str())) {
            let entry = themes.entry(theme.clone()).or_default();
            *entry = (entry.0 + 1, entry.1 + u32::from(agrees));
        }
        let entry =
            by_motif.entry(first.map_or("none".to_owned(), |motif| format!("{motif:?}"))).or_default();
        *entry = (entry.0 + 1, entry.1 + u32::from(agrees));
        if verbose && !agrees {
            println!("{} | {:?} | {} | {}", puzzle.start.to_fen(), first, line, puzzle.themes.join(" "));
        }
    }
    println!(
        "{total} puzzles with a known theme: {named} named, {agreeing} agree: {:.1} % of all, {:.1} % of those named",
        100.0 * f64::from(agreeing) / f64::from(total as u32),
        100.0 * f64::from(agreeing) / f64::from(named.max(1))
    );
    for (title, table) in [("theme", themes), ("motif", by_motif)] {
        println!("\n{title:20} puzzles   agree");
        for (name, (all, agree)) in table {
            println!("{name:20} {all:7} {:6.1} %", 100.0 * f64::from(agree) / f64::from(all));
        }
    }
    Ok(())
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
