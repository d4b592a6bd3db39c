//! The reading side of the client: a thread turns bytes into lines, an inbox hands them over with their time of
//! arrival.

use std::collections::VecDeque;
use std::io::{BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use support::sync::lock;
use support::text::printable;

use crate::line::LineReader;

/// Bytes per read.
const BUFFER: usize = 64 * 1024;

/// Bytes of lines that may wait. When there are more, the reading thread stops, and an engine that floods stdout blocks.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Bytes that a line takes besides its text.
const LINE_OVERHEAD: usize = 64;

/// A line and the moment it was read.
#[derive(Debug)]
pub(crate) struct Received {
    pub at: Instant,
    pub text: String,
}

impl Received {
    fn bytes(&self) -> usize {
        self.text.len() + LINE_OVERHEAD
    }

    fn is_urgent(&self) -> bool {
        !self.text.starts_with("info")
    }
}

/// Lines between the reading thread and the client, in bounded memory; none is lost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inbox(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    /// Signalled when there is something to read.
    arrived: Condvar,
    /// Signalled when there is room, or the inbox is abandoned.
    room: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    lines: VecDeque<Received>,
    bytes: usize,
    /// Something other than an `info` line waits.
    urgent: bool,
    /// Nothing more will come.
    closed: bool,
    /// The receiver is gone.
    abandoned: bool,
}

impl Queue {
    fn is_full(&self) -> bool {
        self.bytes >= MAX_BYTES
    }
}

impl Inbox {
    /// Adds a line, as soon as there is room. `info` lines do not wake the receiver: they are needed only with the move
    /// that follows, and waking up for each of them costs the engines CPU time.
    pub fn push(&self, text: String) {
        let line = Received { at: Instant::now(), text };
        let queue = lock(&self.0.queue);
        let blocked = |queue: &mut Queue| queue.is_full() && !queue.abandoned;
        let mut queue = self.0.room.wait_while(queue, blocked).unwrap_or_else(PoisonError::into_inner);
        if queue.abandoned {
            return;
        }
        queue.bytes += line.bytes();
        queue.urgent |= line.is_urgent();
        queue.lines.push_back(line);
        if queue.urgent || queue.is_full() {
            self.0.arrived.notify_one();
        }
    }

    /// Nothing more will come.
    pub fn close(&self) {
        lock(&self.0.queue).closed = true;
        self.0.arrived.notify_one();
    }

    /// The receiver is gone: further lines are discarded.
    pub fn abandon(&self) {
        lock(&self.0.queue).abandoned = true;
        self.0.room.notify_one();
    }

    /// Puts lines back to the front, in order.
    pub fn put_back(&self, lines: impl DoubleEndedIterator<Item = Received>) {
        let mut queue = lock(&self.0.queue);
        for line in lines.rev() {
            queue.bytes += line.bytes();
            queue.urgent |= line.is_urgent();
            queue.lines.push_front(line);
        }
    }

    /// Waits for a line other than `info`, for a full inbox, or for the timeout, and returns all lines received. An empty
    /// list: the engine has closed its output. `None`: nothing arrived in time.
    pub fn wait(&self, limit: Duration) -> Option<VecDeque<Received>> {
        let waiting = |queue: &mut Queue| !queue.urgent && !queue.closed && !queue.is_full();
        let queue = lock(&self.0.queue);
        let woken = self.0.arrived.wait_timeout_while(queue, limit, waiting);
        let (mut queue, _) = woken.unwrap_or_else(PoisonError::into_inner);
        queue.urgent = false;
        queue.bytes = 0;
        let lines = std::mem::take(&mut queue.lines);
        self.0.room.notify_one();
        if lines.is_empty() && !queue.closed { None } else { Some(lines) }
    }
}

/// Reads lines until the end of the stream. All text of engines passes here: invalid UTF-8 and control characters are
/// replaced, long lines are cut.
pub(crate) fn read_lines(stream: impl Read, mut deliver: impl FnMut(String)) {
    let mut reader = LineReader::new(BufReader::with_capacity(BUFFER, stream));
    let mut bytes = Vec::new();
    while let Ok(Some(_)) = reader.read_up_to_limit(&mut bytes) {
        let line = String::from_utf8_lossy(&bytes);
        deliver(printable(line.trim_end_matches('\r')).into_owned());
        bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::MAX_LINE;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(bytes, |line| lines.push(line));
        lines
    }

    fn texts(lines: &VecDeque<Received>) -> Vec<&str> {
        lines.iter().map(|line| line.text.as_str()).collect()
    }

    #[test]
    fn any_line_end_and_byte_is_read() {
        assert_eq!(lines(b"uciok\r\nreadyok\n\nbest"), ["uciok", "readyok", "", "best"]);
        assert_eq!(lines(b"a\xffb\n"), ["a\u{fffd}b"]);
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(lines(b"id name \x1b[31mA\tB\r\n"), ["id name \u{fffd}[31mA B"]);
    }

    #[test]
    fn endless_line_is_cut() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE];
        bytes.extend_from_slice(b"\nreadyok\n");
        let lines = lines(&bytes);
        assert_eq!((lines[0].len(), lines[1].as_str()), (MAX_LINE, "readyok"));
    }

    #[test]
    fn waiting_ends_with_a_line_or_the_limit() {
        let inbox = Inbox::default();
        assert!(inbox.wait(Duration::ZERO).is_none());
        inbox.push("info depth 1".to_owned());
        inbox.push("bestmove e2e4".to_owned());
        let lines = inbox.wait(Duration::from_mins(1)).expect("lines");
        assert_eq!(texts(&lines), ["info depth 1", "bestmove e2e4"]);
        inbox.put_back(lines.into_iter().skip(1));
        assert_eq!(texts(&inbox.wait(Duration::from_mins(1)).expect("it is urgent")), ["bestmove e2e4"]);
        inbox.close();
        assert!(inbox.wait(Duration::from_mins(1)).expect("closed").is_empty());
    }

    /// The writer is a hundred times faster than any bound, the reader sees every line, and no batch is large.
    #[test]
    fn flood_is_bounded_and_complete() {
        const LINES: usize = 100_000;
        let inbox = Inbox::default();
        let flood = inbox.clone();
        let engine = std::thread::spawn(move || {
            (0..LINES).for_each(|i| flood.push(format!("info nodes {i} string {}", "x".repeat(200))));
            flood.close();
        });
        let mut seen = 0;
        loop {
            let batch = inbox.wait(Duration::from_mins(1)).expect("it goes on");
            if batch.is_empty() {
                break;
            }
            assert!(batch.iter().map(Received::bytes).sum::<usize>() < MAX_BYTES + 1024);
            for line in batch {
                assert!(line.text.starts_with(&format!("info nodes {seen} ")), "{}", line.text);
                seen += 1;
            }
        }
        engine.join().expect("no panic");
        assert_eq!(seen, LINES);
    }

    #[test]
    fn abandoned_inbox_does_not_block() {
        let inbox = Inbox::default();
        let flood = inbox.clone();
        let engine = std::thread::spawn(move || (0..100).for_each(|_| flood.push("x".repeat(MAX_BYTES))));
        inbox.wait(Duration::from_mins(1)).expect("a line");
        inbox.abandon();
        engine.join().expect("no panic");
    }
}
