//! Writes what a match leaves behind while it runs: games, final positions, fault reports, and its own state.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::config::MatchConfig;
use super::fault_report::write_fault_report;
use super::game_text::{epd_of, pgn_of};
use super::runner::FinishedGame;
use super::saved::{SaveError, SavedMatch};
use super::summary::GameSummary;

/// Fault reports of one match; a broken engine would fill the disk otherwise.
const MOST_FAULT_REPORTS: usize = 50;

/// The files of a running match.
#[derive(Debug)]
pub struct Recorder {
    pgn: Option<File>,
    epd: Option<File>,
    saved: SavedMatch,
    state_file: PathBuf,
    interval: u64,
    fault_reports: usize,
}

impl Recorder {
    /// Opens the files. `finished` are games of an earlier part of the match; its files are then continued.
    ///
    /// # Errors
    /// A file cannot be opened.
    pub fn open(
        config: &MatchConfig,
        finished: Vec<GameSummary>,
        state_file: PathBuf,
        interval: u64,
    ) -> Result<Self, SaveError> {
        let resumed = !finished.is_empty();
        let open = |path: &Path, append: bool| {
            let mut options = OpenOptions::new();
            options.create(true).write(true).append(append || resumed).truncate(!(append || resumed));
            options.open(path).map_err(|error| SaveError::File(path.to_owned(), error))
        };
        Ok(Self {
            pgn: config.pgn.as_ref().map(|pgn| open(&pgn.file, pgn.append)).transpose()?,
            epd: config.epd.as_ref().map(|file| open(file, true)).transpose()?,
            saved: SavedMatch::new(config.clone(), finished),
            state_file,
            interval,
            fault_reports: 0,
        })
    }

    /// Records a game. Returns the folder of a fault report, if there was one to write.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn record(&mut self, game: &FinishedGame) -> io::Result<Option<PathBuf>> {
        let config = &self.saved.config;
        // One write for a whole game: a reader never sees half of one.
        if let Some(file) = &mut self.pgn {
            let text = pgn_of(&game.played, &game.job, config, game.summary.duration).to_string();
            file.write_all(text.as_bytes())?;
        }
        if let Some(file) = &mut self.epd {
            file.write_all(format!("{}\n", epd_of(&game.played)).as_bytes())?;
        }
        let mut report = None;
        if let Some(folder) =
            config.fault_reports.as_deref().filter(|_| self.fault_reports < MOST_FAULT_REPORTS)
        {
            report = write_fault_report(folder, game, config)?;
            self.fault_reports += usize::from(report.is_some());
        }
        self.saved.finished.push(game.summary.clone());
        if self.interval > 0 && (self.saved.finished.len() as u64).is_multiple_of(self.interval) {
            self.save().map_err(io::Error::other)?;
        }
        Ok(report)
    }

    /// Saves the state of the match.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self) -> Result<&Path, SaveError> {
        self.saved.save(&self.state_file)?;
        Ok(&self.state_file)
    }

    /// Removes the state of a match that is over.
    pub fn forget(&self) {
        // It may never have been written.
        let _ = std::fs::remove_file(&self.state_file);
    }
}
