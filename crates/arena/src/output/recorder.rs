//! Writes the files of a match while it runs: games, final positions, fault reports, saved state.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use support::files::{AppendFile, sync_parent};

use super::fault_report::write_fault_report;
use super::pgn::{epd_of, pgn_of};
use crate::config::MatchConfig;
use crate::runner::FinishedGame;
use crate::saved::{OutputLengths, SaveError, StateFile};

/// Maximum number of fault reports per match, for faults that ended a game and for warnings each.
const MAX_FAULT_REPORTS: usize = 50;

/// Between two syncs: what a power failure costs at most. A killed process costs nothing.
const SYNC_EVERY: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct MatchRecorder {
    config: MatchConfig,
    outputs: Outputs,
    state: StateFile,
    synced: Instant,
    sync_every: Duration,
    /// Reports written on faults that ended a game, and on warnings.
    reports: [usize; 2],
    /// The CRC-32 of the PGN file, if it is printed.
    checksum: Option<crc32fast::Hasher>,
}

impl MatchRecorder {
    /// Opens the files, then calls `begin` to create the state file: nothing is lost if a file cannot be opened. The files of
    /// a match that is resumed with some games are continued.
    ///
    /// # Errors
    /// A file cannot be opened or written.
    pub fn open(
        config: &MatchConfig,
        games: usize,
        begin: impl FnOnce(OutputLengths) -> Result<StateFile, SaveError>,
    ) -> Result<Self, SaveError> {
        let mut outputs = Outputs {
            pgn: config.pgn.as_ref().map(|pgn| Output::open(&pgn.file, pgn.append)).transpose()?,
            epd: config.epd.as_ref().map(|epd| Output::open(&epd.file, epd.append)).transpose()?,
        };
        let is_new = games == 0;
        let state = begin(outputs.lengths_before(is_new))?;
        if is_new && let Err(error) = outputs.begin() {
            state.remove();
            return Err(error);
        }
        let (synced, sync_every) = (Instant::now(), SYNC_EVERY);
        let checksum =
            config.pgn.as_ref().filter(|pgn| pgn.crc32).map(|pgn| checksum(&pgn.file)).transpose()?;
        Ok(Self { config: config.clone(), outputs, state, synced, sync_every, reports: [0; 2], checksum })
    }

    /// The PGN file and its CRC-32, if it is to be printed.
    pub fn pgn_checksum(&self) -> Option<(&Path, u32)> {
        let pgn = self.config.pgn.as_ref()?;
        Some((&pgn.file, self.checksum.clone()?.finalize()))
    }

    /// Records a game. Returns the directories of new fault reports.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn record(&mut self, game: &FinishedGame) -> Result<Vec<PathBuf>, SaveError> {
        if let Some(pgn) = &mut self.outputs.pgn {
            let text = pgn_of(&game.played, &game.job, &self.config, game.summary.duration).to_string();
            pgn.add(&text)?;
            if let Some(checksum) = &mut self.checksum {
                checksum.update(text.as_bytes());
            }
        }
        if let Some(epd) = &mut self.outputs.epd {
            epd.add(&format!("{}\n", epd_of(&game.played)))?;
        }
        // The state last: what it has is in the other files.
        let sync = self.synced.elapsed() >= self.sync_every;
        if sync {
            self.outputs.sync()?;
        }
        self.state.add(&game.summary, self.outputs.lengths(sync))?;
        if sync {
            self.state.sync()?;
            self.synced = Instant::now();
        }
        let mut written = Vec::new();
        let Some(folder) = self.config.fault_reports.as_deref() else { return Ok(written) };
        for fault in &game.played.faults {
            let count = &mut self.reports[usize::from(!fault.ended_the_game)];
            if *count < MAX_FAULT_REPORTS {
                *count += 1;
                let report = write_fault_report(folder, fault, game, &self.config);
                written.push(report.map_err(SaveError::of_file(folder))?);
            }
        }
        Ok(written)
    }

    /// Syncs after each game, however many there are.
    #[cfg(test)]
    pub(crate) fn sync_always(&mut self) {
        self.sync_every = Duration::ZERO;
    }

    pub fn state_file(&self) -> &Path {
        self.state.path()
    }

    /// Saved games.
    pub fn games(&self) -> usize {
        self.state.games()
    }

    /// Waits until all games are on the disk.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn sync(&self) -> Result<(), SaveError> {
        self.outputs.sync()?;
        self.state.sync()
    }

    /// Removes the saved state of a match that is over or never began.
    pub fn forget(self) {
        self.state.remove();
    }
}

/// The checksum of what is in a file before the first game.
fn checksum(path: &Path) -> Result<crc32fast::Hasher, SaveError> {
    let mut hasher = crc32fast::Hasher::new();
    let mut read = || -> std::io::Result<()> {
        let mut file = std::fs::File::open(path)?;
        // A pipe would never end.
        if !file.metadata()?.is_file() {
            return Ok(());
        }
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(()),
                length => hasher.update(&buffer[..length]),
            }
        }
    };
    read().map_err(SaveError::of_file(path))?;
    Ok(hasher)
}

/// The files that grow with every game.
#[derive(Debug)]
struct Outputs {
    pgn: Option<Output>,
    epd: Option<Output>,
}

impl Outputs {
    fn lengths(&self, synced: bool) -> OutputLengths {
        let length = |output: &Option<Output>| output.as_ref().and_then(|output| output.file.length());
        OutputLengths { pgn: length(&self.pgn), epd: length(&self.epd), synced }
    }

    /// Before the first game of this run.
    fn lengths_before(&self, is_new: bool) -> OutputLengths {
        let length = |output: &Option<Output>| {
            let output = output.as_ref()?;
            output.file.length().map(|length| if is_new && !output.append { 0 } else { length })
        };
        OutputLengths { pgn: length(&self.pgn), epd: length(&self.epd), synced: true }
    }

    fn begin(&mut self) -> Result<(), SaveError> {
        self.pgn.iter_mut().chain(&mut self.epd).try_for_each(Output::begin)
    }

    fn sync(&self) -> Result<(), SaveError> {
        self.pgn.iter().chain(&self.epd).try_for_each(Output::sync)
    }
}

#[derive(Debug)]
struct Output {
    path: PathBuf,
    file: AppendFile,
    append: bool,
}

impl Output {
    /// Opens the file and checks that it is writable, without changing it.
    fn open(path: &Path, append: bool) -> Result<Self, SaveError> {
        let open = || {
            let file = AppendFile::open(path)?;
            if file.length().is_some() {
                file.sync()?;
                sync_parent(path)?;
            }
            Ok(file)
        };
        Ok(Self { path: path.to_owned(), file: open().map_err(SaveError::of_file(path))?, append })
    }

    /// Truncates the file before the first game unless it is appended to.
    fn begin(&mut self) -> Result<(), SaveError> {
        if self.append || self.file.length().is_none_or(|length| length == 0) {
            return Ok(());
        }
        self.file.truncate(0).and_then(|()| self.file.sync()).map_err(SaveError::of_file(&self.path))
    }

    /// Appends in one write, so that a reader never sees half of a game.
    fn add(&mut self, text: &str) -> Result<(), SaveError> {
        self.file.append(text.as_bytes()).map_err(SaveError::of_file(&self.path))
    }

    fn sync(&self) -> Result<(), SaveError> {
        self.file.sync().map_err(SaveError::of_file(&self.path))
    }
}
