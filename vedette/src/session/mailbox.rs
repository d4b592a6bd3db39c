//! The session's mailbox: other threads send messages, the session receives them. Its size is bounded in lines and bytes:
//! a sender blocks when it is full.
//!
//! `interleavings.rs` compiles this file a second time, with the locks of a scheduler that tries many orders.

use std::collections::VecDeque;
use std::time::Instant;

use uci::{Line, MAX_LINE};

use super::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Something for the session to handle.
#[derive(Debug, PartialEq, Eq)]
pub enum Message {
    /// A line of input, and when it was read: the clock of a `go` starts then.
    Line { line: Line, received: Instant },
    /// No more input.
    EndOfInput,
    /// SIGINT, SIGTERM, SIGHUP or Ctrl-C.
    Interrupted,
    /// Output of a search or a job.
    Report {
        /// One or more lines.
        text: String,
        /// Whether nothing will follow.
        last: bool,
    },
}

/// The session has ended and receives no messages.
#[derive(Debug, PartialEq, Eq)]
pub struct Closed;

/// Lines of input that may wait.
pub const MAX_LINES: usize = 1024;
/// Their bytes: two of the longest lines.
pub const MAX_BYTES: usize = 2 * MAX_LINE;
/// Reports that may wait.
pub const MAX_REPORTS: usize = 1024;

#[derive(Default)]
pub struct Mailbox {
    contents: Mutex<Contents>,
    changed: Condvar,
}

#[derive(Default)]
struct Contents {
    interrupted: bool,
    reports: VecDeque<(String, bool)>,
    lines: VecDeque<(Line, Instant)>,
    /// Bytes of `lines`.
    bytes: usize,
    input_ended: bool,
    closed: bool,
}

impl Contents {
    fn has_room_for(&self, bytes: usize) -> bool {
        self.lines.is_empty() || self.lines.len() < MAX_LINES && self.bytes + bytes <= MAX_BYTES
    }

    /// The next message. A signal comes first. What a search has printed comes before new input, so that a flood of
    /// input holds up no answer.
    fn next(&mut self, with_input: bool) -> Option<Message> {
        if std::mem::take(&mut self.interrupted) {
            return Some(Message::Interrupted);
        }
        if let Some((text, last)) = self.reports.pop_front() {
            return Some(Message::Report { text, last });
        }
        if !with_input {
            return None;
        }
        if let Some((line, received)) = self.lines.pop_front() {
            self.bytes -= bytes_of(&line);
            return Some(Message::Line { line, received });
        }
        std::mem::take(&mut self.input_ended).then_some(Message::EndOfInput)
    }
}

fn bytes_of(line: &Line) -> usize {
    match line {
        Line::Text(text) => text.len(),
        Line::TooLong | Line::NotText => 0,
    }
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `is_possible`, or the mailbox is closed.
    fn wait(&self, is_possible: impl Fn(&Contents) -> bool) -> Result<MutexGuard<'_, Contents>, Closed> {
        let is_impossible = |contents: &mut Contents| !contents.closed && !is_possible(contents);
        let waited = self.changed.wait_while(self.lock(), is_impossible);
        let contents = waited.unwrap_or_else(PoisonError::into_inner);
        if contents.closed { Err(Closed) } else { Ok(contents) }
    }

    /// Sends a line of input; blocks while the mailbox is full.
    pub fn put_line(&self, line: Line, received: Instant) -> Result<(), Closed> {
        let bytes = bytes_of(&line);
        let mut contents = self.wait(|contents| contents.has_room_for(bytes))?;
        contents.lines.push_back((line, received));
        contents.bytes += bytes;
        self.changed.notify_all();
        Ok(())
    }

    /// No more lines will come.
    pub fn end_input(&self) {
        self.lock().input_ended = true;
        self.changed.notify_all();
    }

    /// Sends output of a search or a job; blocks while the mailbox is full.
    pub fn put_report(&self, text: String, last: bool) -> Result<(), Closed> {
        let mut contents = self.wait(|contents| contents.reports.len() < MAX_REPORTS)?;
        contents.reports.push_back((text, last));
        self.changed.notify_all();
        Ok(())
    }

    /// Sends a signal. Never blocks.
    pub fn interrupt(&self) {
        self.lock().interrupted = true;
        self.changed.notify_all();
    }

    /// The next message; waits for one. Without `with_input`, lines and the end of input stay where they are.
    pub fn take(&self, with_input: bool) -> Message {
        let mut contents = self.lock();
        loop {
            if let Some(message) = contents.next(with_input) {
                self.changed.notify_all();
                return message;
            }
            contents = self.changed.wait(contents).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// How many lines wait, and their bytes.
    #[cfg(test)]
    pub fn size(&self) -> (usize, usize) {
        let contents = self.lock();
        (contents.lines.len(), contents.bytes)
    }

    /// Releases all blocked senders.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}
