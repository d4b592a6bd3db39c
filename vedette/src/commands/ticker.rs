//! Tells on standard error how long work goes: in place on a terminal, now and then as a line elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::remark::remark;

/// A line of progress.
pub struct Ticker {
    in_place: bool,
    told: Option<Instant>,
}

/// Pauses between two lines.
const ON_TERMINAL: Duration = Duration::from_millis(200);
const IN_FILE: Duration = Duration::from_secs(10);

impl Ticker {
    /// A ticker that has not said anything yet.
    pub fn new() -> Ticker {
        Ticker { in_place: io::stderr().is_terminal(), told: None }
    }

    /// Tells, unless it did so a moment ago.
    pub fn tell(&mut self, text: impl FnOnce() -> String) {
        let pause = if self.in_place { ON_TERMINAL } else { IN_FILE };
        if self.told.is_some_and(|told| told.elapsed() < pause) {
            return;
        }
        self.told = Some(Instant::now());
        // Whoever has closed standard error does not want to hear it.
        let _ = if self.in_place {
            write!(io::stderr(), "\r{}\x1b[K", text())
        } else {
            writeln!(io::stderr(), "{}", text())
        };
    }

    /// Leaves a last line, or nothing, so that results can follow.
    pub fn end(&self, last: Option<String>) {
        if self.in_place && self.told.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        if let Some(text) = last {
            remark!("{text}");
        }
    }
}

/// Hours, minutes and seconds.
pub fn time_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}
