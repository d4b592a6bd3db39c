//! The last lines to and from an engine, kept for reports of its faults.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use support::sync::lock;

/// Lines that are kept.
const KEPT: usize = 200;

/// Bytes of a line that are kept.
const KEPT_OF_LINE: usize = 2_000;

/// Where a line came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Sent to the engine's stdin.
    ToEngine,
    /// From the engine's stdout.
    FromEngine,
    /// From the engine's stderr.
    Stderr,
}

/// One line to or from an engine.
#[derive(Clone, Debug)]
pub struct TranscriptLine {
    /// Time since the start of the process.
    pub after: Duration,
    /// Where it came from.
    pub direction: Direction,
    /// The line; a very long one is cut.
    pub text: String,
}

impl fmt::Display for TranscriptLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrow = match self.direction {
            Direction::ToEngine => ">",
            Direction::FromEngine => "<",
            Direction::Stderr => "!",
        };
        write!(f, "{:>11.3} {arrow} {}", self.after.as_secs_f64() * 1000.0, self.text)
    }
}

/// Gets every line as it is sent or received.
pub type Tap = Arc<dyn Fn(&TranscriptLine) + Send + Sync>;

/// A ring of the last lines, shared by the threads that write and read.
#[derive(Clone)]
pub struct Transcript {
    started: Instant,
    lines: Arc<Mutex<VecDeque<TranscriptLine>>>,
    tap: Option<Tap>,
}

impl fmt::Debug for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all()).finish()
    }
}

impl Transcript {
    /// An empty one; `tap` gets every line.
    pub(crate) fn new(tap: Option<Tap>) -> Self {
        Self { started: Instant::now(), lines: Arc::default(), tap }
    }

    /// Adds a line.
    pub(crate) fn add(&self, direction: Direction, text: &str) {
        let mut end = text.len().min(KEPT_OF_LINE);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let line = TranscriptLine { after: self.started.elapsed(), direction, text: text[..end].to_owned() };
        if let Some(tap) = &self.tap {
            tap(&line);
        }
        let mut lines = lock(&self.lines);
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// The last `count` lines, oldest first.
    pub fn last(&self, count: usize) -> Vec<TranscriptLine> {
        let lines = lock(&self.lines);
        lines.iter().skip(lines.len().saturating_sub(count)).cloned().collect()
    }

    /// All lines that are kept, oldest first.
    pub fn all(&self) -> Vec<TranscriptLine> {
        self.last(KEPT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_lines_are_kept_and_long_ones_cut() {
        let transcript = Transcript::new(None);
        (0..KEPT + 5).for_each(|i| transcript.add(Direction::FromEngine, &format!("line {i}")));
        transcript.add(Direction::Stderr, &"é".repeat(KEPT_OF_LINE));
        let lines = transcript.all();
        assert_eq!((lines.len(), lines[0].text.as_str()), (KEPT, "line 6"));
        assert!(lines[KEPT - 1].text.len() <= KEPT_OF_LINE);
        assert_eq!(transcript.last(2)[0].text, format!("line {}", KEPT + 4));
    }
}
