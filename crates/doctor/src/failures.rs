//! The searches of one question: how many were asked, which of them went wrong, and the lines that show the first of those.

use super::patient::Thinking;
use super::sureness::{Rates, Sureness};

/// Searches with their failures.
#[derive(Clone, Debug, Default)]
pub struct Failures {
    /// Searches that were judged.
    pub asked: usize,
    /// Those that did not end in time: how fast an engine is says nothing about what it sees.
    pub unfinished: usize,
    /// What is wrong with each that failed.
    pub wrong: Vec<String>,
    /// The lines that show the first.
    pub repro: Vec<String>,
}

impl Failures {
    /// Counts a search, and a failure if there is a complaint.
    pub fn add(&mut self, thinking: &Thinking, complaint: Option<String>) {
        self.asked += 1;
        if let Some(complaint) = complaint {
            if self.wrong.is_empty() {
                self.repro = thinking.repro();
            }
            self.wrong.push(complaint);
        }
    }

    /// The same, but a search that had to be stopped is only counted as such.
    pub fn add_finished(&mut self, thinking: &Thinking, complaint: Option<String>) {
        if thinking.cut_short { self.unfinished += 1 } else { self.add(thinking, complaint) }
    }

    /// How many went wrong.
    pub fn count(&self) -> usize {
        self.wrong.len()
    }

    /// How sure an alarm, or a sound verdict, is by these.
    pub fn sureness(&self, rates: Rates, alarm: bool) -> Sureness {
        Sureness::of_failures(self.count(), self.asked, rates, alarm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_was_stopped_is_not_judged() {
        let mut failures = Failures::default();
        let mut thinking = Thinking::of_times(10, 10);
        failures.add_finished(&thinking, Some("wrong".to_owned()));
        thinking.cut_short = true;
        failures.add_finished(&thinking, Some("wrong".to_owned()));
        assert_eq!((failures.asked, failures.unfinished, failures.count()), (1, 1, 1));
    }
}
