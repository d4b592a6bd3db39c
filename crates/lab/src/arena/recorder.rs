//! Writes what a match leaves behind while it runs: games, final positions, fault reports, and its own state.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::config::MatchConfig;
use super::fault_report::write_fault_report;
use super::game_text::{epd_of, pgn_of};
use super::runner::FinishedGame;
use super::saved::{SaveError, StateFile};

/// Reports of one match on faults that ended a game, and on what did not; a broken engine would fill the disk otherwise.
const MOST_FAULT_REPORTS: usize = 50;

/// The files of a running match.
#[derive(Debug)]
pub struct Recorder {
    config: MatchConfig,
    pgn: Option<File>,
    epd: Option<File>,
    state: StateFile,
    /// Reports written: on what ended a game, and on what did not.
    reports: [usize; 2],
}

impl Recorder {
    /// Opens the files. Those of a match that goes on are continued.
    ///
    /// # Errors
    /// A file cannot be opened.
    pub fn open(config: &MatchConfig, state: StateFile) -> Result<Self, SaveError> {
        let resumed = state.games() > 0;
        let pgn = config.pgn.as_ref().map(|pgn| open(&pgn.file, pgn.append || resumed)).transpose();
        let epd = config.epd.as_ref().map(|epd| open(&epd.file, epd.append || resumed)).transpose();
        match (pgn, epd) {
            (Ok(pgn), Ok(epd)) => Ok(Self { config: config.clone(), pgn, epd, state, reports: [0; 2] }),
            (Err(error), _) | (_, Err(error)) => {
                // A match that never began needs no state.
                if !resumed {
                    state.remove();
                }
                Err(error)
            }
        }
    }

    /// Records a game. Returns the folders of reports on what engines did wrong.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn record(&mut self, game: &FinishedGame) -> io::Result<Vec<PathBuf>> {
        // One write for a whole game: a reader never sees half of one.
        if let Some(file) = &mut self.pgn {
            let text = pgn_of(&game.played, &game.job, &self.config, game.summary.duration).to_string();
            file.write_all(text.as_bytes())?;
        }
        if let Some(file) = &mut self.epd {
            file.write_all(format!("{}\n", epd_of(&game.played)).as_bytes())?;
        }
        self.state.add(&game.summary).map_err(io::Error::other)?;
        let mut written = Vec::new();
        let Some(folder) = self.config.fault_reports.as_deref() else { return Ok(written) };
        for incident in &game.played.incidents {
            let count = &mut self.reports[usize::from(!incident.ended_the_game)];
            if *count < MOST_FAULT_REPORTS {
                *count += 1;
                written.push(write_fault_report(folder, incident, game, &self.config)?);
            }
        }
        Ok(written)
    }

    /// The file with the state of the match.
    pub fn state_file(&self) -> &Path {
        self.state.path()
    }

    /// Removes the state of a match that is over.
    pub fn forget(self) {
        self.state.remove();
    }
}

fn open(path: &Path, append: bool) -> Result<File, SaveError> {
    let mut options = OpenOptions::new();
    options.create(true).write(true).append(append).truncate(!append);
    options.open(path).map_err(|error| SaveError::File(path.to_owned(), error))
}
