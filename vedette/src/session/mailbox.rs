//! The session's mailbox: other threads send messages, the session receives them. Its size is bounded in lines and bytes:
//! a sender blocks when it is full.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use uci::{Line, MAX_LINE};

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
const MAX_LINES: usize = 1024;
/// Their bytes: two of the longest lines.
const MAX_BYTES: usize = 2 * MAX_LINE;
/// Reports that may wait.
const MAX_REPORTS: usize = 1024;

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

    /// Releases all blocked senders.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn messages_come_in_order_and_signals_first() {
        let mailbox = Mailbox::default();
        let now = Instant::now();
        mailbox.put_line(text("a"), now).unwrap();
        mailbox.put_line(text("b"), now).unwrap();
        mailbox.end_input();
        mailbox.put_report("c".to_owned(), true).unwrap();
        mailbox.interrupt();
        assert_eq!(mailbox.take(false), Message::Interrupted);
        assert_eq!(mailbox.take(false), Message::Report { text: "c".to_owned(), last: true });
        assert_eq!(mailbox.take(true), Message::Line { line: text("a"), received: now });
        assert_eq!(mailbox.take(true), Message::Line { line: text("b"), received: now });
        assert_eq!(mailbox.take(true), Message::EndOfInput);
    }

    /// A reader that never ends, and a session that never takes a line.
    #[test]
    fn endless_input_waits_in_bounded_memory() {
        for length in [0, 1000, MAX_LINE] {
            let (mailbox, read) = (Arc::new(Mailbox::default()), Arc::new(AtomicUsize::new(0)));
            let reader = thread::spawn({
                let (mailbox, read) = (Arc::clone(&mailbox), Arc::clone(&read));
                move || {
                    while mailbox.put_line(text(&"x".repeat(length)), Instant::now()).is_ok() {
                        read.fetch_add(1, Ordering::SeqCst);
                    }
                }
            });
            let full = MAX_BYTES.checked_div(length).map_or(MAX_LINES, |lines| lines.min(MAX_LINES));
            while read.load(Ordering::SeqCst) < full {
                thread::yield_now();
            }
            let contents = mailbox.lock();
            assert_eq!((contents.lines.len(), contents.bytes), (full, full * length));
            drop(contents);
            // One is taken, one more fits.
            assert!(matches!(mailbox.take(true), Message::Line { .. }));
            while read.load(Ordering::SeqCst) < full + 1 {
                thread::yield_now();
            }
            mailbox.close();
            reader.join().unwrap();
            assert_eq!(read.load(Ordering::SeqCst), full + 1);
        }
    }

    #[test]
    fn closing_releases_blocked_senders() {
        let mailbox = Arc::new(Mailbox::default());
        for _ in 0..MAX_REPORTS {
            mailbox.put_report(String::new(), false).unwrap();
        }
        let search = thread::spawn({
            let mailbox = Arc::clone(&mailbox);
            move || mailbox.put_report("one more".to_owned(), true)
        });
        mailbox.close();
        assert_eq!(search.join().unwrap(), Err(Closed));
    }
}
