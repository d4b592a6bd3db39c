//! The reading side of the client: a thread turns bytes into lines, an inbox hands them over with their time of
//! arrival.

use std::collections::VecDeque;
use std::io::{BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::line::LineReader;

/// Bytes per read.
const BUFFER: usize = 64 * 1024;

/// Lines that may wait; when an engine floods us, the oldest are dropped.
const MAX_LINES: usize = 20_000;

/// Above this many waiting lines, `info string` lines are dropped, so that a flood of them drops no score.
const MAX_BEFORE_STRINGS: usize = MAX_LINES / 2;

/// A line and the moment it was read.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub at: Instant,
    pub text: String,
}

/// Lines between the reading thread and the client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inbox(Arc<(Mutex<Queue>, Condvar)>);

#[derive(Debug, Default)]
struct Queue {
    lines: VecDeque<Received>,
    /// Something other than an `info` line waits.
    urgent: bool,
    closed: bool,
}

impl Inbox {
    /// Adds a line. `info` lines wake nobody: they are only of use together with the move that follows, and waking for
    /// each of them costs the engines CPU time.
    pub fn push(&self, text: &str) {
        let at = Instant::now();
        let mut queue = self.lock();
        if queue.lines.len() >= MAX_BEFORE_STRINGS && text.starts_with("info string") {
            return;
        }
        if queue.lines.len() == MAX_LINES {
            queue.lines.pop_front();
        }
        queue.lines.push_back(Received { at, text: text.to_owned() });
        if !text.starts_with("info") {
            queue.urgent = true;
            self.0.1.notify_one();
        }
    }

    /// Nothing more will come.
    pub fn close(&self) {
        self.lock().closed = true;
        self.0.1.notify_one();
    }

    /// Puts lines back to the front, in order.
    pub fn put_back(&self, lines: &[Received]) {
        let mut queue = self.lock();
        for line in lines.iter().rev() {
            queue.urgent |= !line.text.starts_with("info");
            queue.lines.push_front(line.clone());
        }
    }

    /// Waits for a line that matters, or for the limit to pass, and returns all that has come. An empty list: the engine
    /// has closed its output. `None`: nothing at all came in time.
    pub fn wait(&self, limit: Duration) -> Option<Vec<Received>> {
        let queue = self.lock();
        let (mut queue, _) = self
            .0
            .1
            .wait_timeout_while(queue, limit, |queue| !queue.urgent && !queue.closed)
            .unwrap_or_else(PoisonError::into_inner);
        queue.urgent = false;
        let lines: Vec<Received> = queue.lines.drain(..).collect();
        if lines.is_empty() && !queue.closed { None } else { Some(lines) }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads lines until the end of the stream. Invalid UTF-8 is replaced, endless lines are cut.
pub(crate) fn read_lines(stream: impl Read, mut deliver: impl FnMut(&str)) {
    let mut reader = LineReader::new(BufReader::with_capacity(BUFFER, stream));
    let mut bytes = Vec::new();
    while let Ok(Some(_)) = reader.read_up_to_limit(&mut bytes) {
        deliver(String::from_utf8_lossy(&bytes).trim_end_matches('\r'));
        bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::MAX_LINE;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(bytes, |line| lines.push(line.to_owned()));
        lines
    }

    #[test]
    fn any_line_end_and_byte_is_read() {
        assert_eq!(lines(b"uciok\r\nreadyok\n\nbest"), ["uciok", "readyok", "", "best"]);
        assert_eq!(lines(b"a\xffb\n"), ["a\u{fffd}b"]);
    }

    #[test]
    fn endless_line_is_cut() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE];
        bytes.extend_from_slice(b"\nreadyok\n");
        let lines = lines(&bytes);
        assert_eq!((lines[0].len(), lines[1].as_str()), (MAX_LINE, "readyok"));
    }

    #[test]
    fn flood_of_info_strings_drops_no_score() {
        let inbox = Inbox::default();
        inbox.push("info depth 1 score cp 7");
        for _ in 0..2 * MAX_LINES {
            inbox.push("info string noise");
        }
        inbox.push("info depth 2 score cp 9");
        inbox.push("bestmove e2e4");
        let lines = inbox.wait(Duration::ZERO).expect("they came");
        let kept: Vec<&str> =
            lines.iter().map(|line| line.text.as_str()).filter(|text| !text.contains("noise")).collect();
        assert_eq!(lines.len(), MAX_BEFORE_STRINGS + 2);
        assert_eq!(kept, ["info depth 1 score cp 7", "info depth 2 score cp 9", "bestmove e2e4"]);
    }

    #[test]
    fn waiting_ends_with_a_line_or_the_limit() {
        let inbox = Inbox::default();
        assert!(inbox.wait(Duration::ZERO).is_none());
        inbox.push("info depth 1");
        inbox.push("bestmove e2e4");
        let lines = inbox.wait(Duration::from_secs(10)).expect("lines");
        assert_eq!(
            lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(),
            ["info depth 1", "bestmove e2e4"]
        );
        inbox.close();
        assert!(inbox.wait(Duration::from_secs(10)).expect("closed").is_empty());
    }

    #[test]
    fn flood_is_bounded() {
        let inbox = Inbox::default();
        (0..MAX_LINES + 10).for_each(|i| inbox.push(&format!("info nodes {i}")));
        let lines = inbox.wait(Duration::ZERO).expect("lines");
        assert_eq!((lines.len(), lines[0].text.as_str()), (MAX_LINES, "info nodes 10"));
    }
}
