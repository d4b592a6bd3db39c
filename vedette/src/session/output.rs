//! The one writer of standard output, and of the log that `Debug Log File` asks for.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use super::End;

/// Where a session prints, and its log.
pub struct Output {
    out: Box<dyn Write + Send>,
    log: Option<Log>,
}

struct Log {
    file: File,
    opened: Instant,
}

impl Log {
    fn open(path: &Path) -> Result<Log, String> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|error| format!("cannot log to {}: {error}", path.display()))?;
        Ok(Log { file, opened: Instant::now() })
    }
}

impl Output {
    /// Prints to `out`, standard output unless it is a test.
    pub fn new(out: impl Write + Send + 'static) -> Output {
        Output { out: Box::new(out), log: None }
    }

    /// Prints `text` and a line end, and flushes.
    ///
    /// # Errors
    /// Standard output is closed.
    pub fn print(&mut self, text: &str) -> Result<(), End> {
        self.log("<<", text);
        let written = self.out.write_all(format!("{text}\n").as_bytes()).and_then(|()| self.out.flush());
        written.map_err(|_| End::OutputClosed)
    }

    /// Logs a line of input.
    pub fn log_input(&mut self, text: &str) {
        self.log(">>", text);
    }

    /// Logs input and output to `path` from now on, or nowhere.
    ///
    /// # Errors
    /// The file cannot be opened; the old log is kept.
    pub fn log_to(&mut self, path: Option<&Path>) -> Result<(), String> {
        self.log = path.map(Log::open).transpose()?;
        Ok(())
    }

    fn log(&mut self, direction: &str, text: &str) {
        let Some(log) = &mut self.log else { return };
        let seconds = log.opened.elapsed().as_secs_f64();
        let mut entries = text.lines().map(|line| format!("{seconds:10.3} {direction} {line}\n"));
        if entries.try_for_each(|entry| log.file.write_all(entry.as_bytes())).is_err() {
            // A full disk must not end a game.
            self.log = None;
        }
    }
}
