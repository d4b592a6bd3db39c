//! A line of progress on standard error: redrawn in place on a terminal, printed every ten seconds elsewhere, and not
//! printed at all with `--quiet`.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::stderr::stderr;

/// Whether `--quiet` was given.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Prints no progress from now on.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

pub struct ProgressLine {
    in_place: bool,
    started: Instant,
    updated: Option<Instant>,
}

const TERMINAL_INTERVAL: Duration = Duration::from_millis(200);
const FILE_INTERVAL: Duration = Duration::from_secs(10);

impl ProgressLine {
    pub fn new() -> ProgressLine {
        ProgressLine { in_place: io::stderr().is_terminal(), started: Instant::now(), updated: None }
    }

    /// Shows the text, unless the last update is too recent. In a file, short work has no progress.
    pub fn update(&mut self, text: impl FnOnce() -> String) {
        let is_early = if self.in_place {
            self.updated.is_some_and(|updated| updated.elapsed() < TERMINAL_INTERVAL)
        } else {
            self.updated.unwrap_or(self.started).elapsed() < FILE_INTERVAL
        };
        if is_quiet() || is_early {
            return;
        }
        self.updated = Some(Instant::now());
        // A closed standard error is no reason to stop.
        let _ = if self.in_place {
            write!(io::stderr(), "\r{}\x1b[K", text())
        } else {
            writeln!(io::stderr(), "{}", text())
        };
    }

    /// Clears the line, and prints a last one if there is one.
    pub fn finish(&self, last: Option<String>) {
        if self.in_place && self.updated.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        if let Some(text) = last.filter(|_| !is_quiet()) {
            stderr!("{text}");
        }
    }
}
