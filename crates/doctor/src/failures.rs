//! Counts trials and failures, with the commands that reproduce the first failure.

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

#[cfg(test)]
mod tests {
    use super::*;

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
