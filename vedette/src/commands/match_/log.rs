//! The log of a match: events and, if enabled, all engine communication, with the time of day (UTC).

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use arena::cli::{LogConfig, LogLevel};
use support::files::File;
use support::sync::lock;
use uci::client::{Tap, TranscriptLine};

use crate::cli::output_file::path_error;

#[derive(Clone)]
pub struct MatchLog {
    sink: Arc<Mutex<Box<dyn Write + Send>>>,
    level: LogLevel,
    conversations: bool,
}

impl MatchLog {
    /// Opens the log that the options ask for.
    pub fn open(log: &LogConfig) -> Result<Self, String> {
        let sink: Box<dyn Write + Send> = match &log.file {
            None => Box::new(io::stderr()),
            Some(path) => {
                let file = if log.append { File::append(path) } else { File::create(path) };
                Box::new(file.map_err(|error| path_error(path, &error))?)
            }
        };
        Ok(Self { sink: Arc::new(Mutex::new(sink)), level: log.level, conversations: log.conversations })
    }

    /// Writes a line, if its level is enabled.
    pub fn note(&self, level: LogLevel, text: &str) {
        if level <= self.level {
            self.write(text);
        }
    }

    /// Logs engine communication, if enabled.
    pub fn tap(&self) -> Option<Tap> {
        let log = self.clone();
        self.conversations
            .then(|| -> Tap { Arc::new(move |line: &TranscriptLine| log.write(&line.to_string())) })
    }

    fn write(&self, text: &str) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seconds = now.as_secs() % 86_400;
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        let line = format!("{hours:02}:{minutes:02}:{:02}.{:03} {text}\n", seconds % 60, now.subsec_millis());
        let mut sink = lock(&self.sink);
        // A failing log does not end the match.
        let _ = sink.write_all(line.as_bytes());
    }
}
