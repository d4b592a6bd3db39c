//! Counts trials and failures, with the commands that reproduce the first failure.

use support::text::counted;

use super::confidence::{Confidence, TrialRates};
use super::search_output::SearchOutput;

#[derive(Clone, Debug, Default)]
pub struct Failures {
    pub asked: usize,
    /// Searches that did not end in time and do not count.
    pub unfinished: usize,
    /// A description of each failure.
    pub wrong: Vec<String>,
    pub repro: Vec<String>,
}

impl Failures {
    /// Counts a search, and a failure if it is described.
    pub fn add(&mut self, result: &SearchOutput, fault: Option<String>) {
        self.asked += 1;
        if let Some(fault) = fault {
            if self.wrong.is_empty() {
                self.repro = result.repro();
            }
            self.wrong.push(fault);
        }
    }

    /// The same, but a search that was stopped counts only as unfinished.
    pub fn add_finished(&mut self, result: &SearchOutput, fault: Option<String>) {
        if result.cut_short { self.unfinished += 1 } else { self.add(result, fault) }
    }

    pub fn count(&self) -> usize {
        self.wrong.len()
    }

    pub fn confidence(&self, rates: TrialRates, fails: bool) -> Confidence {
        Confidence::of_failures(self.count(), self.asked, rates, fails)
    }
}

/// `no games`, `only 1 game`, `only 2 games`.
pub fn too_few(number: usize, one: &str, many: &str) -> String {
    match number {
        0 => format!("no {many}"),
        _ => format!("only {}", counted(number, one, many)),
    }
}

/// Why too few searches were finished.
pub fn unfinished_searches(finished: usize, unfinished: usize) -> String {
    let finished = too_few(finished, "finished search", "finished searches");
    match unfinished {
        0 => finished,
        _ => format!("{finished}; {unfinished} did not end in time"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_is_not_only_zero() {
        let games = |number| too_few(number, "game", "games");
        assert_eq!([0, 1, 2].map(games), ["no games", "only 1 game", "only 2 games"]);
        assert_eq!(unfinished_searches(0, 0), "no finished searches");
        assert_eq!(unfinished_searches(1, 3), "only 1 finished search; 3 did not end in time");
    }

    #[test]
    fn stopped_search_does_not_count() {
        let mut failures = Failures::default();
        let mut result = SearchOutput::with_times(10, 10);
        failures.add_finished(&result, Some("wrong".to_owned()));
        result.cut_short = true;
        failures.add_finished(&result, Some("wrong".to_owned()));
        assert_eq!((failures.asked, failures.unfinished, failures.count()), (1, 1, 1));
    }
}
