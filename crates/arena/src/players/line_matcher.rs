//! Finds lines of an engine by regular expressions, for PGN comments (`match_line=` of `-pgnout`).

use std::sync::{Arc, Mutex};

use regex::Regex;
use support::sync::lock;
use uci::client::{Direction, Tap, TranscriptLine};

/// Remembers the last line that each expression matches.
#[derive(Clone, Debug)]
pub struct LineMatcher {
    expressions: Vec<Regex>,
    found: Arc<Mutex<Vec<Option<String>>>>,
}

impl LineMatcher {
    /// `None` without expressions.
    pub fn new(expressions: &[Regex]) -> Option<Self> {
        let found = Arc::new(Mutex::new(vec![None; expressions.len()]));
        (!expressions.is_empty()).then(|| Self { expressions: expressions.to_vec(), found })
    }

    /// A listener to the engine's output, in front of another one.
    pub fn tap(&self, next: Option<Tap>) -> Tap {
        let matcher = self.clone();
        Arc::new(move |line: &TranscriptLine| {
            if line.direction == Direction::FromEngine {
                matcher.look_at(&line.text);
            }
            if let Some(next) = &next {
                next(line);
            }
        })
    }

    fn look_at(&self, line: &str) {
        for (index, expression) in self.expressions.iter().enumerate() {
            if expression.is_match(line) {
                lock(&self.found)[index] = Some(line.to_owned());
            }
        }
    }

    /// The lines found since the last call.
    pub fn take(&self) -> Vec<String> {
        lock(&self.found).iter_mut().filter_map(Option::take).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_match_of_each_expression() {
        let expressions = ["^info string pgncomment .*", "nps"].map(|text| Regex::new(text).expect(text));
        let matcher = LineMatcher::new(&expressions).expect("two expressions");
        for line in
            ["info string pgncomment a", "info depth 1", "info string pgncomment b c", "bestmove e2e4"]
        {
            matcher.look_at(line);
        }
        assert_eq!(matcher.take(), ["info string pgncomment b c"]);
        assert!(matcher.take().is_empty());
        assert!(LineMatcher::new(&[]).is_none());
    }
}
