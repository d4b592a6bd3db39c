//! Node counts: complete, plausible, and reset for each search. A counter that counts root moves only looks like too much
//! pruning.

use std::time::Duration;

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::confidence::{BoundSide, Confidence, TrialRates, margin_of_error};
use crate::finding::{Curve, Finding, Plot, PlotKind, Verdict};
use crate::incident::EngineError;
use crate::repro_log::concat_repro;
use crate::samples::{geometric_mean, median, openings};
use crate::search_output::SearchOutput;

pub const CHECK: Check = Check {
    id: CheckId::Nodes,
    method: "Searches opening positions for half a second each and compares the reported nodes with the CPU time and with the \
             depth: every iteration searches at least one node per root move. Counts that are the same in every search, or \
             that no CPU can reach, are rejected. A search of depth 1 after each shows whether the counter is reset.",
    seconds: (6, 12),
    run,
};

/// Nodes per second of CPU time: engines that count at the root only report fewer. Engines with a large network, or in a slow
/// language, come close.
const MIN_SPEED: f64 = 2000.0;

/// Nodes per second and thread that no CPU reaches; the fastest perft, which only counts, gets to some hundred million.
const MAX_SPEED: f64 = 100_000_000.0;

/// Nodes per root move and iteration: a search of a few plies has dozens, a counter at the root one or two.
const MIN_PER_MOVE: f64 = 4.0;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let (mut speeds, mut shares, mut points) = (Vec::new(), Vec::new(), Vec::new());
    let (mut repro, mut worst, mut reports_nodes) = (Vec::new(), f64::INFINITY, false);
    let mut counts = Counts { threads: threads(exam), ..Counts::default() };
    let mut begins = Resets::default();
    for position in openings(exam.pick(6, 14), 31) {
        if !exam.has_time() {
            break;
        }
        let Ok(result) = exam.engine.search_fresh(&position, "go movetime 500", Duration::from_secs(4))
        else {
            continue;
        };
        reports_nodes |= result.lines.iter().any(|info| info.nodes.is_some());
        let (nodes, depth) = (result.nodes() as f64, f64::from(result.depth().max(1)));
        counts.add(&result);
        if let Ok(next) = exam.engine.search(&position, "go depth 1", Duration::from_secs(4)) {
            begins.add(&result, &next);
        }
        let speed = nodes / result.cpu_or_wall().as_secs_f64().max(0.01);
        let least = f64::from(position.count_legal_moves()) * depth;
        speeds.push(speed);
        shares.push(nodes / least);
        points.push((points.len() as f64 + 1.0, nodes));
        if speed < worst {
            (worst, repro) = (speed, result.repro());
        }
    }
    if speeds.is_empty() {
        return Ok(vec![Finding::skipped(FindingId::NodesCounted, "no search was answered")]);
    }
    // UCI does not require node counts, but "nodes 0" is a wrong one.
    if !reports_nodes {
        return Ok(vec![Finding::skipped(FindingId::NodesCounted, "no node counts")]);
    }
    let begins = begins.finding();
    if begins.is_failure() {
        exam.engine.subtract_previous_nodes();
        let unknown = |id| Finding::skipped(id, "the node counter is not reset");
        return Ok(vec![unknown(FindingId::NodesCounted), unknown(FindingId::NodesPlausible), begins]);
    }
    let plausible = counts.finding();
    if plausible.is_failure() {
        let counted = Finding::skipped(FindingId::NodesCounted, "impossible node counts");
        return Ok(vec![counted, plausible, begins]);
    }
    let (speed, share) = (median(&speeds), geometric_mean(&shares));
    exam.speed = exam.speed.or(Some(speed));
    let (is_slow, is_small) = (speed < MIN_SPEED, share < MIN_PER_MOVE);
    let fails = is_slow || is_small;
    let sure_speed = Confidence::of_mean(&logs(&speeds), MIN_SPEED.ln(), BoundSide::above_if(!is_slow));
    let sure_share = Confidence::of_mean(&logs(&shares), MIN_PER_MOVE.ln(), BoundSide::above_if(!is_small));
    let summary = format!(
        "{speed:.0} nodes per second of CPU time; {share:.1} times the minimum for the root moves and depth"
    );
    let finding = Finding::new(FindingId::NodesCounted, Verdict::fail_if(fails), summary)
        .effect(speed)
        .confidence(match (is_slow, is_small) {
            (true, true) => sure_speed.or(sure_share),
            (true, false) => sure_speed,
            (false, true) => sure_share,
            (false, false) => sure_speed.and(sure_share),
        })
        .threshold(format!(
            "fewer than {MIN_SPEED:.0} nodes per second, or fewer than {MIN_PER_MOVE:.0} per root move and iteration"
        ))
        .samples(speeds.len())
        .measure(Measure::NodesOverMinimum, share)
        .plot(Plot {
            title: "Nodes after half a second".to_owned(),
            x: "search".to_owned(),
            y: "nodes".to_owned(),
            kind: PlotKind::Lines,
            curves: vec![Curve { name: "searches".to_owned(), points }],
        })
        .repro(repro);
    Ok(vec![with_error_of(&speeds, finding), plausible, begins])
}

fn logs(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value.max(1e-3).ln()).collect()
}

/// Adds the margin of error of the median speed, for comparisons.
fn with_error_of(speeds: &[f64], finding: Finding) -> Finding {
    match margin_of_error(&logs(speeds)) {
        Some(error) => finding.error(median(speeds) * error),
        None => finding,
    }
}

fn threads(exam: &Examination) -> f64 {
    let options = exam.engine.subject().options_for(exam.engine.identity());
    let chosen = options.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
    chosen.and_then(|(_, value)| value.parse::<u32>().ok()).map_or(1.0, |threads| f64::from(threads.max(1)))
}

/// A search of depth 1 could have as many nodes as a smaller search before it.
const MIN_BEFORE: u64 = 2_000;

/// Searches of depth 1, each after a longer one of the same position.
#[derive(Default)]
struct Resets {
    searches: usize,
    counting_on: usize,
    example: String,
    repro: Vec<String>,
}

impl Resets {
    fn add(&mut self, before: &SearchOutput, shallow: &SearchOutput) {
        let reports = shallow.lines.iter().any(|info| info.nodes.is_some());
        // A search beyond depth 1 may have more nodes itself.
        if before.nodes() < MIN_BEFORE || !reports || shallow.cut_short || shallow.depth() > 2 {
            return;
        }
        self.searches += 1;
        if shallow.counts_on_from(before.nodes()) {
            self.counting_on += 1;
            if self.repro.is_empty() {
                self.example = format!(
                    "go depth 1 reports {} nodes after a search with {}",
                    shallow.nodes(),
                    before.nodes()
                );
                self.repro = shallow.repro();
            }
        }
    }

    fn finding(self) -> Finding {
        if self.searches < 2 {
            let why = "fewer than two searches with enough nodes";
            return Finding::skipped(FindingId::NodesReset, why);
        }
        let fails = self.counting_on >= 2 && 2 * self.counting_on > self.searches;
        let summary = if self.counting_on == 0 {
            format!("the node counter is reset in all {} searches", self.searches)
        } else {
            format!("{} of {} searches keep counting: {}", self.counting_on, self.searches, self.example)
        };
        let rates = TrialRates { sound: 0.01, faulty: 0.9 };
        Finding::new(FindingId::NodesReset, Verdict::fail_if(fails), summary)
            .effect(100.0 * self.counting_on as f64 / self.searches as f64)
            .confidence(Confidence::of_failures(self.counting_on, self.searches, rates, fails))
            .threshold(
                "2 searches of depth 1, and more than half, report at least the nodes of the search before",
            )
            .samples(self.searches)
            .repro(self.repro)
    }
}

#[derive(Default)]
struct Counts {
    threads: f64,
    nodes: Vec<u64>,
    speeds: Vec<f64>,
    repro: Vec<String>,
}

impl Counts {
    fn add(&mut self, result: &SearchOutput) {
        self.nodes.push(result.nodes());
        self.speeds.push(result.nodes() as f64 / result.cpu_or_wall().as_secs_f64().max(0.05));
        if self.nodes.len() <= 2 {
            self.repro = concat_repro(&self.repro, &result.repro());
        }
    }

    fn finding(self) -> Finding {
        let (speed, most) = (median(&self.speeds), MAX_SPEED * self.threads);
        let first = self.nodes[0];
        let constant = self.nodes.len() >= 4 && first > 0 && self.nodes.iter().all(|&nodes| nodes == first);
        let fails = constant || speed > most;
        let by_speed = Confidence::of_mean(&logs(&self.speeds), most.ln(), BoundSide::above_if(speed > most));
        let summary = if constant {
            format!("all {} searches of different positions report {first} nodes", self.nodes.len())
        } else if fails {
            format!("{speed:.0} nodes per second: more than any CPU can search")
        } else {
            format!("node counts differ between searches and are plausible ({speed:.0}/s)")
        };
        let finding = Finding::new(FindingId::NodesPlausible, Verdict::fail_if(fails), summary);
        let finding = if constant {
            finding.fixed_confidence(0.99, format!("{} searches", self.nodes.len()))
        } else {
            finding.confidence(by_speed)
        };
        with_error_of(&self.speeds, finding)
            .effect(speed)
            .threshold(format!(
                "more than {:.0} million nodes per second and thread, or the same count in all searches",
                MAX_SPEED / 1e6
            ))
            .samples(self.nodes.len())
            .repro(if fails { self.repro } else { Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;
    use uci::Score;

    fn is_failure(threads: f64, nodes: impl Fn(u64) -> u64) -> bool {
        let mut counts = Counts { threads, ..Counts::default() };
        for search in 0..6 {
            // One second of CPU time each.
            counts.add(&SearchOutput::with_line(9, Score::Centipawns(0), nodes(search), false));
        }
        counts.finding().is_failure()
    }

    #[test]
    fn impossible_speed_fails() {
        assert!(!is_failure(1.0, |search| 3_000_000 + search));
        assert!(is_failure(1.0, |search| 2_000_000_000 + search));
        assert!(is_failure(1.0, |search| u64::MAX - search));
        assert!(!is_failure(64.0, |search| 2_000_000_000 + search));
    }

    #[test]
    fn counter_without_reset_fails() {
        let verdict = |depth, nodes: fn(u64) -> u64| {
            let mut begins = Resets::default();
            for search in 1..7 {
                let before = SearchOutput::with_line(9, Score::Centipawns(0), 50_000 * search, false);
                let shallow =
                    SearchOutput::with_line(depth, Score::Centipawns(0), nodes(50_000 * search), false);
                begins.add(&before, &shallow);
            }
            begins.finding().verdict
        };
        assert_eq!(verdict(1, |before| before + 30), Verdict::Fail);
        assert_eq!(verdict(1, |_| 30), Verdict::Pass);
        assert_eq!(verdict(9, |before| before + 30), Verdict::Skipped, "ignores the depth");
    }

    #[test]
    fn constant_count_fails() {
        assert!(is_failure(1.0, |_| 20_000));
        assert!(!is_failure(1.0, |search| if search == 3 { 20_001 } else { 20_000 }));
    }
}
