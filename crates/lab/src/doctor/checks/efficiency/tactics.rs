//! Tactical positions at equal nodes and at equal depth: the one measures the engine, the other what a ply is worth in it.
//! Much worse at equal depth than at equal nodes is pruning; worse at equal nodes too is something else.

use std::time::Duration;

use chess::Position;

use crate::doctor::check::{Check, Examination};
use crate::doctor::finding::{Finding, Group, alarm_if};
use crate::doctor::patient::Trouble;
use crate::doctor::samples::binomial_tail;

use super::references::{TACTICS_AT_DEPTH, TACTICS_AT_NODES};

/// The check.
pub const CHECK: Check = Check {
    name: "tactics",
    group: Group::Efficiency,
    title: "tactics at equal nodes and at equal depth",
    method: "Gives positions with one clearly best move (found by playing random games, proved by a deep search of another \
             engine) at 30,000 nodes and at depth 8, and compares the share solved with sound engines.",
    seconds: (20, 75),
    run,
};

/// Position and best move; the file says how they were made.
const SUITE: &str = include_str!("tactics.epd");

/// What an engine without a fault solves at least, however weak it is: the weakest reference at equal depth.
const WEAKEST: f64 = 0.59;

/// Nodes and depth that are given.
const NODES: u64 = 30_000;
const DEPTH: u32 = 8;

/// The positions with their solutions.
pub fn suite() -> Vec<(Position, String)> {
    let read = |line: &str| {
        let (fen, best) = line.split_once(" bm ")?;
        Some((Position::from_fen(fen).ok()?, best.trim_end_matches(';').to_owned()))
    };
    SUITE.lines().filter(|line| !line.starts_with('#')).filter_map(read).collect()
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let by_nodes = exam.go_nodes(NODES);
    let by_depth = format!("go depth {DEPTH}");
    let deadline = exam.deadline;
    exam.deadline = std::time::Instant::now() + exam.left() / 2;
    let at_nodes = if exam.obeys_nodes {
        let solved = solve(exam, &by_nodes);
        judge("nodes", &by_nodes, solved, TACTICS_AT_NODES)
    } else {
        Finding::unmeasured("tactics", "nodes", "the engine does not obey 'go nodes'")
    };
    exam.deadline = deadline;
    let at_depth = solve(exam, &by_depth);
    Ok(vec![at_nodes, judge("depth", &by_depth, at_depth, TACTICS_AT_DEPTH)])
}

struct Solved {
    right: usize,
    asked: usize,
    nodes: u64,
    repro: Vec<String>,
}

fn solve(exam: &mut Examination, go: &str) -> Solved {
    let mut solved = Solved { right: 0, asked: 0, nodes: 0, repro: Vec::new() };
    for (position, best) in suite() {
        if !exam.goes_on() {
            break;
        }
        let Ok(thinking) = exam.patient.search_fresh(&position, go, exam.cap(Duration::from_secs(3))) else {
            continue;
        };
        // No move at all is another fault, and is told elsewhere.
        if thinking.best.is_none() {
            continue;
        }
        solved.asked += 1;
        solved.nodes += thinking.nodes();
        if thinking.best.as_deref() == Some(best.as_str()) {
            solved.right += 1;
        } else if solved.repro.is_empty() {
            solved.repro = thinking.repro();
            solved.repro.push(format!("# best is {best}"));
        }
    }
    solved
}

fn judge(what: &str, go: &str, solved: Solved, references: &[(&str, f64)]) -> Finding {
    if solved.asked < 10 {
        return Finding::unmeasured("tactics", what, "too few positions were answered");
    }
    let share = solved.right as f64 / solved.asked as f64;
    // The references are strong; an engine may solve a good deal less without being broken.
    let lowest = references.iter().map(|reference| reference.1).fold(1.0, f64::min).min(WEAKEST);
    // By chance alone a sound engine that solves as many as the weakest reference misses so many:
    let chance = binomial_tail(solved.asked - solved.right, solved.asked, 1.0 - lowest);
    let alarm = chance < 0.01;
    let names: Vec<String> =
        references.iter().map(|(name, share)| format!("{name} {:.0} %", 100.0 * share)).collect();
    Finding::new(
        "tactics",
        what,
        alarm_if(alarm),
        format!(
            "{} of {} tactics solved with '{go}' ({:.0} %), {} nodes on average; sound engines: {}",
            solved.right,
            solved.asked,
            100.0 * share,
            solved.nodes / solved.asked as u64,
            names.join(", ")
        ),
    )
    .effect("tactics solved", 100.0 * share, "%")
    .confidence(
        if alarm { 1.0 - chance } else { 0.9 },
        format!("chance of so few for a sound engine: {chance:.3}"),
    )
    .threshold("fewer than a sound engine that solves 59 % would solve by chance with probability 0.01")
    .samples(solved.asked)
    .measure("mean nodes", (solved.nodes / solved.asked as u64) as f64)
    .repro(if alarm { solved.repro } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_a_legal_solution() {
        let suite = suite();
        assert!(suite.len() >= 40, "{}", suite.len());
        assert_eq!(suite.len(), SUITE.lines().filter(|line| line.contains(" bm ")).count());
        for (position, best) in suite {
            assert!(position.parse_uci(&best).is_ok(), "{best} in {}", position.to_fen());
        }
    }
}
