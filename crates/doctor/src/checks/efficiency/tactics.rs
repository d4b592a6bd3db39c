//! Tactical positions at equal nodes and at equal depth: the one measures the engine, the other what a ply is worth in it.
//! Much worse at equal depth than at equal nodes is pruning; worse at equal nodes too is something else.

use std::time::Duration;

use chess::Position;

use crate::check::{Check, Examination};
use crate::finding::{Finding, Group, alarm_if};
use crate::patient::{Thinking, Trouble};
use crate::sureness::{Rates, Sureness};

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

/// The share against which an engine is tested: what the weakest of the references solves at equal depth. A sound engine that is
/// much weaker than all of them may solve fewer; the finding names the references, so that a reader can judge.
const WEAKEST: f64 = 0.59;

/// The share that an engine with a fault in its search misses at the least; with the bugs it is 61 to 91 %.
const MISSED_BY_FAULTY: f64 = 0.6;

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

#[derive(Default)]
struct Solved {
    right: usize,
    asked: usize,
    /// Searches that did not end in time.
    unfinished: usize,
    nodes: u64,
    repro: Vec<String>,
}

fn solve(exam: &mut Examination, go: &str) -> Solved {
    let mut solved = Solved::default();
    for (position, best) in suite() {
        if !exam.goes_on() {
            break;
        }
        let Ok(thinking) = exam.patient.search_fresh(&position, go, exam.cap(Duration::from_secs(3))) else {
            continue;
        };
        solved.add(&thinking, &best);
    }
    solved
}

impl Solved {
    fn add(&mut self, thinking: &Thinking, best: &str) {
        // A search that did not end in time says nothing of what the engine sees with so many nodes or at such a depth.
        if thinking.cut_short {
            self.unfinished += 1;
            return;
        }
        // No move at all is another fault, and is told elsewhere.
        if thinking.best.is_none() {
            return;
        }
        self.asked += 1;
        self.nodes = self.nodes.saturating_add(thinking.nodes());
        if thinking.best.as_deref() == Some(best) {
            self.right += 1;
        } else if self.repro.is_empty() {
            self.repro = thinking.repro();
            self.repro.push(format!("# best is {best}"));
        }
    }
}

fn judge(what: &str, go: &str, solved: Solved, references: &[(&str, f64)]) -> Finding {
    if solved.asked < 10 {
        let Solved { asked, unfinished, .. } = solved;
        let why = format!("only {asked} positions were answered; {unfinished} searches did not end in time");
        return Finding::unmeasured("tactics", what, why);
    }
    let share = solved.right as f64 / solved.asked as f64;
    // The references are strong; an engine may solve a good deal less without being broken.
    let lowest = references.iter().map(|reference| reference.1).fold(1.0, f64::min).min(WEAKEST);
    // By chance alone an engine that solves as many as the weakest reference misses so many:
    let rates = Rates { sound: 1.0 - lowest, faulty: MISSED_BY_FAULTY };
    let sureness = |alarm| Sureness::of_failures(solved.asked - solved.right, solved.asked, rates, alarm);
    let alarm = sureness(true).level > 0.99;
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
    .sure(sureness(alarm))
    .threshold("fewer than an engine that solves 59 %, as the weakest reference, does by chance with probability 0.01")
    .samples(solved.asked)
    .measure("mean nodes", (solved.nodes / solved.asked as u64) as f64)
    .repro(if alarm { solved.repro } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::info::Score;

    #[test]
    fn a_search_that_was_cut_short_is_not_judged() {
        let mut solved = Solved::default();
        for _ in 0..20 {
            solved.add(&Thinking::of_line(5, Score::Centipawns(0), 100, true), "e2e4");
        }
        let finding = judge("depth", "go depth 8", solved, TACTICS_AT_DEPTH);
        assert_eq!(finding.verdict, crate::finding::Verdict::Unmeasured);
    }

    #[test]
    fn counts_of_nodes_that_no_sum_can_hold_are_survived() {
        let mut solved = Solved::default();
        for _ in 0..20 {
            let mut thinking = Thinking::of_line(8, Score::Centipawns(0), u64::MAX, false);
            thinking.best = Some("e2e4".to_owned());
            solved.add(&thinking, "e2e4");
        }
        assert_eq!(judge("depth", "go depth 8", solved, TACTICS_AT_DEPTH).samples, 20);
    }

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
