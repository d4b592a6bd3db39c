//! Writes the files of a match while it runs: games, final positions, fault reports, saved state.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use support::files::open_writable;

use super::fault_report::write_fault_report;
use super::pgn::{epd_of, pgn_of};
use crate::config::MatchConfig;
use crate::runner::FinishedGame;
use crate::saved::{SaveError, StateFile};

/// Maximum number of fault reports per match, for faults that ended a game and for warnings each.
const MAX_FAULT_REPORTS: usize = 50;

#[derive(Debug)]
pub struct MatchRecorder {
    config: MatchConfig,
    pgn: Option<GrowingFile>,
    epd: Option<GrowingFile>,
    state: StateFile,
    /// Reports written on faults that ended a game, and on warnings.
    reports: [usize; 2],
}

impl MatchRecorder {
    /// Opens the files, then calls `begin` to create the state file: nothing is lost if a file cannot be opened. The files of
    /// a resumed match are continued.
    ///
    /// # Errors
    /// A file cannot be opened or written.
    pub fn open(
        config: &MatchConfig,
        begin: impl FnOnce() -> Result<StateFile, SaveError>,
    ) -> Result<Self, SaveError> {
        let pgn = config.pgn.as_ref().map(|pgn| GrowingFile::open(&pgn.file, pgn.append)).transpose()?;
        let epd = config.epd.as_ref().map(|epd| GrowingFile::open(&epd.file, epd.append)).transpose()?;
        let state = begin()?;
        if state.games() == 0
            && let Err(error) = pgn.iter().chain(&epd).try_for_each(GrowingFile::begin)
        {
            state.remove();
            return Err(error);
        }
        Ok(Self { config: config.clone(), pgn, epd, state, reports: [0; 2] })
    }

    /// Records a game. Returns the directories of new fault reports.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn record(&mut self, game: &FinishedGame) -> Result<Vec<PathBuf>, SaveError> {
        if let Some(file) = &mut self.pgn {
            file.add(&pgn_of(&game.played, &game.job, &self.config, game.summary.duration).to_string())?;
        }
        if let Some(file) = &mut self.epd {
            file.add(&format!("{}\n", epd_of(&game.played)))?;
        }
        self.state.add(&game.summary)?;
        let mut written = Vec::new();
        let Some(folder) = self.config.fault_reports.as_deref() else { return Ok(written) };
        for incident in &game.played.incidents {
            let count = &mut self.reports[usize::from(!incident.ended_the_game)];
            if *count < MAX_FAULT_REPORTS {
                *count += 1;
                let report = write_fault_report(folder, incident, game, &self.config);
                written.push(report.map_err(SaveError::of_file(folder))?);
            }
        }
        Ok(written)
    }

    pub fn state_file(&self) -> &Path {
        self.state.path()
    }

    /// Saved games.
    pub fn games(&self) -> usize {
        self.state.games()
    }

    /// Removes the saved state of a match that is over or never began.
    pub fn forget(self) {
        self.state.remove();
    }
}

#[derive(Debug)]
struct GrowingFile {
    path: PathBuf,
    file: File,
    append: bool,
}

impl GrowingFile {
    /// Opens the file and checks that it is writable, without changing it.
    fn open(path: &Path, append: bool) -> Result<Self, SaveError> {
        let file = open_writable(path, OpenOptions::new().create(true).append(true));
        Ok(Self { path: path.to_owned(), file: file.map_err(SaveError::of_file(path))?, append })
    }

    /// Truncates the file before the first game unless it is appended to.
    fn begin(&self) -> Result<(), SaveError> {
        let is_file = self.file.metadata().is_ok_and(|metadata| metadata.is_file());
        if self.append || !is_file {
            return Ok(());
        }
        self.file.set_len(0).map_err(SaveError::of_file(&self.path))
    }

    /// Appends in one write, so that a reader never sees half of a game.
    fn add(&mut self, text: &str) -> Result<(), SaveError> {
        self.file.write_all(text.as_bytes()).map_err(SaveError::of_file(&self.path))
    }
}
