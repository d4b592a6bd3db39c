//! The last lines of a conversation with an engine, kept for the day it goes wrong.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Lines that are kept.
const KEPT: usize = 200;

/// Bytes of a line that are kept.
const KEPT_OF_LINE: usize = 2_000;

/// Who said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// We did.
    ToEngine,
    /// The engine did.
    FromEngine,
    /// The engine did, on its error output.
    Stderr,
}

/// One line of a conversation.
#[derive(Clone, Debug)]
pub struct Spoken {
    /// Time since the start of the process.
    pub after: Duration,
    /// Who said it.
    pub direction: Direction,
    /// The words; a very long line is cut.
    pub text: String,
}

impl fmt::Display for Spoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrow = match self.direction {
            Direction::ToEngine => ">",
            Direction::FromEngine => "<",
            Direction::Stderr => "!",
        };
        write!(f, "{:>11.3} {arrow} {}", self.after.as_secs_f64() * 1000.0, self.text)
    }
}

/// Hears every line as it is spoken.
pub type Eavesdropper = Arc<dyn Fn(&Spoken) + Send + Sync>;

/// A ring of the last lines, shared by the threads that talk and read.
#[derive(Clone)]
pub struct Transcript {
    started: Instant,
    lines: Arc<Mutex<VecDeque<Spoken>>>,
    eavesdropper: Option<Eavesdropper>,
}

impl fmt::Debug for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all()).finish()
    }
}

impl Transcript {
    /// An empty one; `eavesdropper` hears every line.
    pub(crate) fn new(eavesdropper: Option<Eavesdropper>) -> Self {
        Self { started: Instant::now(), lines: Arc::default(), eavesdropper }
    }

    /// Remembers a line.
    pub(crate) fn add(&self, direction: Direction, text: &str) {
        let mut end = text.len().min(KEPT_OF_LINE);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let spoken = Spoken { after: self.started.elapsed(), direction, text: text[..end].to_owned() };
        if let Some(listen) = &self.eavesdropper {
            listen(&spoken);
        }
        let mut lines = self.lock();
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(spoken);
    }

    /// The last `count` lines, oldest first.
    pub fn last(&self, count: usize) -> Vec<Spoken> {
        let lines = self.lock();
        lines.iter().skip(lines.len().saturating_sub(count)).cloned().collect()
    }

    /// All lines that are kept, oldest first.
    pub fn all(&self) -> Vec<Spoken> {
        self.last(KEPT)
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Spoken>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_keeps_the_newest_lines_and_cuts_long_ones() {
        let transcript = Transcript::new(None);
        (0..KEPT + 5).for_each(|i| transcript.add(Direction::FromEngine, &format!("line {i}")));
        transcript.add(Direction::Stderr, &"é".repeat(KEPT_OF_LINE));
        let lines = transcript.all();
        assert_eq!((lines.len(), lines[0].text.as_str()), (KEPT, "line 6"));
        assert!(lines[KEPT - 1].text.len() <= KEPT_OF_LINE);
        assert_eq!(transcript.last(2)[0].text, format!("line {}", KEPT + 4));
    }
}
