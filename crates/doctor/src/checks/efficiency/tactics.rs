//! Tactics at fixed nodes and at fixed depth. Much worse at fixed depth only is pruning; worse at fixed nodes too is something
//! else.

use std::time::Duration;

use chess::Position;

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::confidence::{Confidence, TrialRates};
use crate::failures::unfinished_searches;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::search_output::SearchOutput;

use super::references::{TACTICS_AT_DEPTH, TACTICS_AT_NODES};

pub const CHECK: Check = Check {
    id: CheckId::Tactics,
    method: "Searches positions with one clearly best move (from random games, verified by a deep search of another engine) \
             with 30,000 nodes and to depth 8, and compares the share solved with reference engines.",
    seconds: (20, 75),
    run,
};

/// Positions and best moves; the file says how they were made.
const SUITE: &str = include_str!("tactics.epd");

/// The weakest reference at fixed depth. A much weaker sound engine may solve fewer; the finding lists the references.
const WEAKEST: f64 = 0.59;

/// Known search bugs miss 61 to 91 %.
const MISSED_BY_FAULTY: f64 = 0.6;

const NODES: u64 = 30_000;
const DEPTH: u32 = 8;

pub fn suite() -> Vec<(Position, String)> {
    let read = |line: &str| {
        let (fen, best) = line.split_once(" bm ")?;
        Some((Position::from_fen(fen).ok()?, best.trim_end_matches(';').to_owned()))
    };
    SUITE.lines().filter(|line| !line.starts_with('#')).filter_map(read).collect()
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let by_nodes = exam.go_nodes(NODES);
    let by_depth = format!("go depth {DEPTH}");
    let deadline = exam.deadline;
    exam.deadline = std::time::Instant::now() + exam.left() / 2;
    let at_nodes = if exam.respects_nodes {
        let solved = solve(exam, &by_nodes);
        evaluate(FindingId::TacticsNodes, &by_nodes, solved, TACTICS_AT_NODES)
    } else {
        Finding::skipped(FindingId::TacticsNodes, "go nodes is not respected")
    };
    exam.deadline = deadline;
    let at_depth = solve(exam, &by_depth);
    Ok(vec![at_nodes, evaluate(FindingId::TacticsDepth, &by_depth, at_depth, TACTICS_AT_DEPTH)])
}

#[derive(Default)]
struct Solved {
    right: usize,
    asked: usize,
    unfinished: usize,
    nodes: u64,
    repro: Vec<String>,
}

fn solve(exam: &mut Examination, go: &str) -> Solved {
    let mut solved = Solved::default();
    for (position, best) in suite() {
        if !exam.has_time() {
            break;
        }
        let Ok(result) = exam.engine.search_fresh(&position, go, exam.cap(Duration::from_secs(3))) else {
            continue;
        };
        solved.add(&result, &best);
    }
    solved
}

impl Solved {
    fn add(&mut self, result: &SearchOutput, best: &str) {
        if result.cut_short {
            self.unfinished += 1;
            return;
        }
        // A missing move is another finding.
        if result.best.is_none() {
            return;
        }
        self.asked += 1;
        self.nodes = self.nodes.saturating_add(result.nodes());
        if result.best.as_deref() == Some(best) {
            self.right += 1;
        } else if self.repro.is_empty() {
            self.repro = result.repro();
            self.repro.push(format!("# best is {best}"));
        }
    }
}

fn evaluate(id: FindingId, go: &str, solved: Solved, references: &[(&str, f64)]) -> Finding {
    if solved.asked < 10 {
        let Solved { asked, unfinished, .. } = solved;
        let why = unfinished_searches(asked, unfinished);
        return Finding::skipped(id, why);
    }
    let share = solved.right as f64 / solved.asked as f64;
    let lowest = references.iter().map(|reference| reference.1).fold(1.0, f64::min).min(WEAKEST);
    let rates = TrialRates { sound: 1.0 - lowest, faulty: MISSED_BY_FAULTY };
    let confidence = |fails| Confidence::of_failures(solved.asked - solved.right, solved.asked, rates, fails);
    let fails = confidence(true).level > 0.99;
    let names: Vec<String> =
        references.iter().map(|(name, share)| format!("{name} {:.0} %", 100.0 * share)).collect();
    Finding::new(
        id,
        Verdict::fail_if(fails),
        format!(
            "{} of {} tactics solved with {go} ({:.0} %), {} nodes on average; references: {}",
            solved.right,
            solved.asked,
            100.0 * share,
            solved.nodes / solved.asked as u64,
            names.join(", ")
        ),
    )
    .effect(100.0 * share)
    .confidence(confidence(fails))
    .threshold(format!("p < 0.01 against {:.0} % solved, the weakest reference", 100.0 * lowest))
    .samples(solved.asked)
    .measure(Measure::MeanNodes, (solved.nodes / solved.asked as u64) as f64)
    .repro(if fails { solved.repro } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::Score;

    #[test]
    fn stopped_search_does_not_count() {
        let mut solved = Solved::default();
        for _ in 0..20 {
            solved.add(&SearchOutput::with_line(5, Score::Centipawns(0), 100, true), "e2e4");
        }
        let finding = evaluate(FindingId::TacticsDepth, "go depth 8", solved, TACTICS_AT_DEPTH);
        assert_eq!(finding.verdict, crate::finding::Verdict::Skipped);
    }

    #[test]
    fn huge_node_counts_do_not_overflow() {
        let mut solved = Solved::default();
        for _ in 0..20 {
            let mut result = SearchOutput::with_line(8, Score::Centipawns(0), u64::MAX, false);
            result.best = Some("e2e4".to_owned());
            solved.add(&result, "e2e4");
        }
        assert_eq!(evaluate(FindingId::TacticsDepth, "go depth 8", solved, TACTICS_AT_DEPTH).samples, 20);
    }

    #[test]
    fn solutions_are_legal() {
        let suite = suite();
        assert!(suite.len() >= 40, "{}", suite.len());
        assert_eq!(suite.len(), SUITE.lines().filter(|line| line.contains(" bm ")).count());
        for (position, best) in suite {
            assert!(position.parse_uci(&best).is_ok(), "{best} in {}", position.to_fen());
        }
    }
}
