//! Are the nodes that the engine tells real nodes? A counter that counts only root moves has fooled authors into
//! hunting for pruning that was not there.

use std::time::Duration;

use crate::check::{Check, Examination};
use crate::finding::{Curve, Finding, Group, Plot, PlotKind, alarm_if};
use crate::patient::{Thinking, Trouble};
use crate::retrace::one_after_the_other;
use crate::samples::{geometric_mean, median, openings};
use crate::sureness::{Rates, Side, Sureness, error_of_95};

/// The check.
pub const CHECK: Check = Check {
    name: "nodes",
    group: Group::Protocol,
    title: "the nodes it tells are real",
    method: "Searches opening positions for half a second each, and sets the nodes told against the computing time used \
             and against the depth told: to have looked at every answer to every move once, a search of depth 2 and more \
             needs at least one node for each legal move and each of its depths. Numbers that are the same in every search, \
             or greater than any processor could search, are not believed. After each of them a search of depth 1 shows whether \
             the counter begins anew.",
    seconds: (6, 12),
    run,
};

/// Fewer nodes in a second of computing are told by engines that count at the root only. Engines with a great network for each
/// node, or in a slow language, come near to it as well: the finding says how many there are, and a reader can judge.
const SLOWEST: f64 = 2000.0;

/// More nodes in a second of computing no thread of any processor of today visits; the fastest move generators, which do nothing
/// else, count some hundred million leaves without looking at them.
const FASTEST: f64 = 100_000_000.0;

/// Nodes for each root move and iteration: a search of a few plies makes dozens, a counter at the root one or two.
const LEAST: f64 = 4.0;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let (mut speeds, mut shares, mut points) = (Vec::new(), Vec::new(), Vec::new());
    let (mut repro, mut worst, mut told) = (Vec::new(), f64::INFINITY, false);
    let mut counts = Counts { threads: threads(exam), ..Counts::default() };
    let mut begins = Begins::default();
    for position in openings(exam.pick(6, 14), 31) {
        if !exam.goes_on() {
            break;
        }
        let Ok(thinking) = exam.patient.search_fresh(&position, "go movetime 500", Duration::from_secs(4))
        else {
            continue;
        };
        told |= thinking.lines.iter().any(|info| info.nodes.is_some());
        let (nodes, depth) = (thinking.nodes() as f64, f64::from(thinking.depth().max(1)));
        counts.add(&thinking);
        if let Ok(next) = exam.patient.search(&position, "go depth 1", Duration::from_secs(4)) {
            begins.add(&thinking, &next);
        }
        let speed = nodes / thinking.effort().as_secs_f64().max(0.01);
        // Every root move is made at least once in every iteration.
        let least = f64::from(position.count_legal_moves()) * depth;
        speeds.push(speed);
        shares.push(nodes / least);
        points.push((points.len() as f64 + 1.0, nodes));
        if speed < worst {
            (worst, repro) = (speed, thinking.repro());
        }
    }
    if speeds.is_empty() {
        return Ok(vec![Finding::unmeasured("nodes", "counted", "no search was answered")]);
    }
    // UCI does not ask for them. One that says "nodes 0" tells a number, and a wrong one.
    if !told {
        return Ok(vec![Finding::unmeasured("nodes", "counted", "the engine tells no nodes")]);
    }
    let begins = begins.finding();
    if begins.is_alarm() {
        // What the other checks hear from now on are the nodes of each search alone.
        exam.patient.takes_off_earlier_nodes();
        let unknown = |what| Finding::unmeasured("nodes", what, "the counter goes on from search to search");
        return Ok(vec![unknown("counted"), unknown("plausible"), begins]);
    }
    let plausible = counts.finding();
    if plausible.is_alarm() {
        let counted = Finding::unmeasured("nodes", "counted", "the nodes told cannot be true");
        return Ok(vec![counted, plausible, begins]);
    }
    let (speed, share) = (median(&speeds), geometric_mean(&shares));
    exam.speed = exam.speed.or(Some(speed));
    let (is_slow, is_small) = (speed < SLOWEST, share < LEAST);
    let alarm = is_slow || is_small;
    let sure_speed = Sureness::of_mean(&logs(&speeds), SLOWEST.ln(), Side::above_if(!is_slow));
    let sure_share = Sureness::of_mean(&logs(&shares), LEAST.ln(), Side::above_if(!is_small));
    let summary = format!(
        "{speed:.0} nodes for each second of computing; {share:.1} times the fewest nodes that root moves and depth allow"
    );
    let finding = Finding::new("nodes", "counted", alarm_if(alarm), summary)
        .effect("nodes per second of computing", speed, "/s")
        .sure(match (is_slow, is_small) {
            (true, true) => sure_speed.or(sure_share),
            (true, false) => sure_speed,
            (false, true) => sure_share,
            (false, false) => sure_speed.and(sure_share),
        })
        .threshold("below 2,000 nodes a second, or below 4 nodes for each root move and iteration")
        .samples(speeds.len())
        .measure("nodes over the least possible", share)
        .plot(Plot {
            title: "Nodes told after half a second".to_owned(),
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

/// Adds the error of 95 % of the middle speed, for comparisons; one search alone does not show it.
fn with_error_of(speeds: &[f64], finding: Finding) -> Finding {
    match error_of_95(&logs(speeds)) {
        Some(error) => finding.error(median(speeds) * error),
        None => finding,
    }
}

/// The threads that the engine is set to.
fn threads(exam: &Examination) -> f64 {
    let options = exam.patient.subject().options_for(exam.patient.identity());
    let chosen = options.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
    chosen.and_then(|(_, value)| value.parse::<u32>().ok()).map_or(1.0, |threads| f64::from(threads.max(1)))
}

/// Fewer nodes before a search of depth 1 do not show whether that goes on counting: it might have as many itself.
const ENOUGH_BEFORE: u64 = 2_000;

/// Whether searches begin to count anew: those of depth 1, each after a longer one of the same position.
#[derive(Default)]
struct Begins {
    searches: usize,
    counting_on: usize,
    example: String,
    repro: Vec<String>,
}

impl Begins {
    fn add(&mut self, before: &Thinking, shallow: &Thinking) {
        let tells = shallow.lines.iter().any(|info| info.nodes.is_some());
        // A search that goes deeper than it was told to may well have more nodes of its own.
        if before.nodes() < ENOUGH_BEFORE || !tells || shallow.cut_short || shallow.depth() > 2 {
            return;
        }
        self.searches += 1;
        if shallow.counts_on_from(before.nodes()) {
            self.counting_on += 1;
            if self.repro.is_empty() {
                self.example = format!(
                    "'go depth 1' tells {} nodes after a search with {}",
                    shallow.nodes(),
                    before.nodes()
                );
                self.repro = shallow.repro();
            }
        }
    }

    fn finding(self) -> Finding {
        if self.searches < 2 {
            let why = "fewer than two searches told enough nodes to compare a short one with";
            return Finding::unmeasured("nodes", "begins", why);
        }
        let alarm = self.counting_on >= 2 && 2 * self.counting_on > self.searches;
        let summary = if self.counting_on == 0 {
            format!("the counter begins anew in {} of {} searches", self.searches, self.searches)
        } else {
            format!("{} of {} searches count on: {}", self.counting_on, self.searches, self.example)
        };
        let rates = Rates { sound: 0.01, faulty: 0.9 };
        Finding::new("nodes", "begins", alarm_if(alarm), summary)
            .effect("searches that count on", 100.0 * self.counting_on as f64 / self.searches as f64, "%")
            .sure(Sureness::of_failures(self.counting_on, self.searches, rates, alarm))
            .threshold("two, and more than half of the searches of depth 1 tell no fewer nodes than the longer ones before")
            .samples(self.searches)
            .repro(self.repro)
    }
}

/// The nodes told in all searches, and how fast that would be.
#[derive(Default)]
struct Counts {
    threads: f64,
    nodes: Vec<u64>,
    speeds: Vec<f64>,
    repro: Vec<String>,
}

impl Counts {
    fn add(&mut self, thinking: &Thinking) {
        self.nodes.push(thinking.nodes());
        self.speeds.push(thinking.nodes() as f64 / thinking.effort().as_secs_f64().max(0.05));
        if self.nodes.len() <= 2 {
            self.repro = one_after_the_other(&self.repro, &thinking.repro());
        }
    }

    /// Can the numbers be true? Not if they are too great for the time, nor if every search has the same.
    fn finding(self) -> Finding {
        let (speed, most) = (median(&self.speeds), FASTEST * self.threads);
        let first = self.nodes[0];
        let constant = self.nodes.len() >= 4 && first > 0 && self.nodes.iter().all(|&nodes| nodes == first);
        let alarm = constant || speed > most;
        let by_speed = Sureness::of_mean(&logs(&self.speeds), most.ln(), Side::above_if(speed > most));
        let summary = if constant {
            format!("all {} searches, of different positions, tell the same {first} nodes", self.nodes.len())
        } else if alarm {
            format!("{speed:.0} nodes are told for each second: more than any processor can search")
        } else {
            format!(
                "the nodes told differ from search to search, and are possible in the time ({speed:.0}/s)"
            )
        };
        let finding = Finding::new("nodes", "plausible", alarm_if(alarm), summary);
        // That no two of several searches differ has no probability.
        let finding = if constant {
            finding.sure_by_hand(0.99, format!("{} searches", self.nodes.len()))
        } else {
            finding.sure(by_speed)
        };
        with_error_of(&self.speeds, finding)
            .effect("nodes told per second", speed, "/s")
            .threshold(
                "more than 100,000,000 nodes for each second and thread, or one number for all searches",
            )
            .samples(self.nodes.len())
            .repro(if alarm { self.repro } else { Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;
    use uci::info::Score;

    fn is_alarm(threads: f64, nodes: impl Fn(u64) -> u64) -> bool {
        let mut counts = Counts { threads, ..Counts::default() };
        for search in 0..6 {
            // A second of computing each.
            counts.add(&Thinking::of_line(9, Score::Centipawns(0), nodes(search), false));
        }
        counts.finding().is_alarm()
    }

    #[test]
    fn nodes_that_no_processor_can_search_are_not_believed() {
        assert!(!is_alarm(1.0, |search| 3_000_000 + search));
        assert!(is_alarm(1.0, |search| 2_000_000_000 + search));
        assert!(is_alarm(1.0, |search| u64::MAX - search));
        assert!(!is_alarm(64.0, |search| 2_000_000_000 + search));
    }

    #[test]
    fn a_counter_that_goes_on_from_search_to_search_is_seen() {
        let verdict = |depth, nodes: fn(u64) -> u64| {
            let mut begins = Begins::default();
            for search in 1..7 {
                let before = Thinking::of_line(9, Score::Centipawns(0), 50_000 * search, false);
                let shallow = Thinking::of_line(depth, Score::Centipawns(0), nodes(50_000 * search), false);
                begins.add(&before, &shallow);
            }
            begins.finding().verdict
        };
        assert_eq!(verdict(1, |before| before + 30), Verdict::Alarm);
        assert_eq!(verdict(1, |_| 30), Verdict::Sound);
        assert_eq!(verdict(9, |before| before + 30), Verdict::Unmeasured, "it does not obey 'depth'");
    }

    #[test]
    fn one_number_for_all_searches_is_not_believed() {
        assert!(is_alarm(1.0, |_| 20_000));
        assert!(!is_alarm(1.0, |search| if search == 3 { 20_001 } else { 20_000 }));
    }
}
