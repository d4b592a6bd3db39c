//! Messages to a session, and the threads that send them.

use std::io;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Instant;

use uci::{Line, LineReader};

/// Something for the session to handle.
pub enum Message {
    /// A line of input, and when it was read: the clock of a `go` starts then.
    Line {
        line: Line,
        /// When it was read.
        received: Instant,
    },
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

/// Lines that may wait before reading pauses: it bounds memory however fast input comes.
const CAPACITY: usize = 4096;

/// A channel to one session.
pub fn channel() -> (SyncSender<Message>, Receiver<Message>) {
    mpsc::sync_channel(CAPACITY)
}

/// Starts reading standard input.
///
/// # Errors
/// When the system gives no thread.
pub fn forward_stdin(messages: SyncSender<Message>) -> io::Result<()> {
    let read = move || {
        // A read error counts as the end of input.
        for line in LineReader::new(io::stdin().lock()).map_while(Result::ok) {
            if messages.send(Message::Line { line, received: Instant::now() }).is_err() {
                return;
            }
        }
        let _ = messages.send(Message::EndOfInput);
    };
    thread::Builder::new().name("stdin".to_owned()).spawn(read).map(drop)
}

/// Turns signals that end programs into messages.
///
/// # Errors
/// When the system gives no handler.
pub fn forward_signals(messages: SyncSender<Message>) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || {
        let _ = messages.send(Message::Interrupted);
    })
}
