//! The threads that send messages to a session's mailbox: standard input and signals.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use uci::LineReader;

use super::mailbox::Mailbox;
use crate::cli::interrupt;

/// How long a session may take to end after a signal. It may be blocked in a write to stdout.
const GRACE: Duration = Duration::from_secs(2);

/// Starts reading standard input.
///
/// # Errors
/// When the system gives no thread.
pub fn forward_stdin(mailbox: Arc<Mailbox>) -> io::Result<()> {
    let read = move || {
        // A read error counts as the end of input.
        for line in LineReader::new(io::stdin().lock()).map_while(Result::ok) {
            if mailbox.put_line(line, Instant::now()).is_err() {
                return;
            }
        }
        mailbox.end_input();
    };
    thread::Builder::new().name("stdin".to_owned()).spawn(read).map(drop)
}

/// Forwards the first SIGINT, SIGTERM or SIGHUP. A second one, or two seconds, end the program even if the session is
/// blocked.
///
/// # Errors
/// When the system gives no handler or no thread.
pub fn forward_signals(mailbox: Arc<Mailbox>) -> io::Result<()> {
    interrupt::on_signal(move || {
        mailbox.interrupt();
        thread::sleep(GRACE);
        interrupt::exit_now();
    })
}
