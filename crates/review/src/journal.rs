//! Analysed positions on disk while a review runs, one per line, so that an interruption costs no more than the
//! position being searched.

use std::collections::HashMap;
use std::fmt;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use support::files::{self, AppendFile, File};

use super::PositionAnalysis;

/// What the analyses depend on; a journal with another header is started over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHeader {
    pub schema: String,
    pub engine: String,
    /// Search limits per position.
    pub limits: String,
    /// FNV-1a of the PGN text.
    pub checksum: String,
}

/// The name and version of the format.
const SCHEMA: &str = "vedette-review-journal/1";

impl JournalHeader {
    /// The header of a review of `text`.
    pub fn new(engine: &str, limits: &str, text: &str) -> JournalHeader {
        JournalHeader {
            schema: SCHEMA.to_owned(),
            engine: engine.to_owned(),
            limits: limits.to_owned(),
            checksum: format!("{:016x}", support::hash::fnv1a(text.bytes())),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Entry<T> {
    game: usize,
    ply: usize,
    /// Journals of earlier versions have this name.
    #[serde(rename = "opinion")]
    analysis: T,
}

/// Why a journal cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// It cannot be written.
    Io(PathBuf, io::Error),
    /// Another process has it open.
    InUse(PathBuf),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::InUse(path) => write!(f, "{} is in use by another process", path.display()),
        }
    }
}

impl std::error::Error for JournalError {}

/// Between two syncs: what a power failure costs at most. A killed process costs nothing.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// What is known of each position, and the file that new entries are appended to. It is locked.
#[derive(Debug)]
pub struct Journal<T = PositionAnalysis> {
    path: PathBuf,
    file: AppendFile,
    known: HashMap<(usize, usize), T>,
    synced: Instant,
    sync_every: Duration,
}

impl<T: Clone + Serialize + DeserializeOwned> Journal<T> {
    /// Opens the journal and reads it if it has this header. A torn last line is dropped.
    ///
    /// # Errors
    /// The file cannot be written, or another process has it.
    pub fn open(path: &Path, header: &JournalHeader) -> Result<Journal<T>, JournalError> {
        let failed = |error| JournalError::Io(path.to_owned(), error);
        let mut file = files::lock(path, File::open_or_create).map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::InUse(path.to_owned()),
            TryLockError::Error(error) => failed(error),
        })?;
        let bytes = files::read_rest(&mut file, files::CONTENT_LIMIT).map_err(failed)?;
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let same = lines.next().and_then(|line| serde_json::from_str::<JournalHeader>(line).ok()).as_ref()
            == Some(header);
        let entries: Vec<Entry<T>> =
            lines.filter(|_| same).filter_map(|line| serde_json::from_str(line).ok()).collect();
        let known: HashMap<_, _> =
            entries.into_iter().map(|entry| ((entry.game, entry.ply), entry.analysis)).collect();
        let kept =
            if same { bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1) } else { 0 };
        let begin = || {
            let mut file = AppendFile::over(file)?;
            if kept < bytes.len() {
                file.truncate(kept as u64)?;
            }
            if !same {
                file.append(line_of(header)?.as_bytes())?;
            }
            file.sync()?;
            files::sync_parent(path)?;
            Ok(file)
        };
        let (file, synced) = (begin().map_err(failed)?, Instant::now());
        Ok(Journal { path: path.to_owned(), file, known, synced, sync_every: SYNC_EVERY })
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The analysis of a game's position after `ply` plies.
    pub fn get(&self, game: usize, ply: usize) -> Option<&T> {
        self.known.get(&(game, ply))
    }

    /// Appends an analysis.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, game: usize, ply: usize, analysis: &T) -> Result<(), JournalError> {
        let mut write = || {
            let line = line_of(&Entry { game, ply, analysis: analysis.clone() })?;
            self.file.append(line.as_bytes())?;
            if self.synced.elapsed() >= self.sync_every {
                self.file.sync()?;
                self.synced = Instant::now();
            }
            Ok(())
        };
        write().map_err(|error| JournalError::Io(self.path.clone(), error))?;
        self.known.insert((game, ply), analysis.clone());
        Ok(())
    }

    /// Removes the file once the review is complete.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(self) -> Result<(), JournalError> {
        files::remove_file(&self.path).map_err(|error| JournalError::Io(self.path, error))
    }
}

fn line_of(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::fs;
    use support::files::faults::{Survival, every_crash, every_fault};
    use uci::Score;

    type Journal = super::Journal<PositionAnalysis>;

    fn header() -> JournalHeader {
        JournalHeader::new("Vedette", "depth 8", "1. e4 *")
    }

    fn analysis(ply: usize) -> PositionAnalysis {
        PositionAnalysis {
            score: Some(Score::Centipawns(ply as i32)),
            line: vec!["e2e4".into()],
            depth: 8,
            nodes: 5,
            explanation: None,
        }
    }

    #[test]
    fn resume_after_torn_line() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("journal");
        let header = JournalHeader::new("Vedette", "depth 8", "1. e4 *");
        let analysis = PositionAnalysis {
            score: Some(Score::Centipawns(12)),
            line: vec!["e2e4".into()],
            depth: 8,
            nodes: 5,
            explanation: None,
        };
        let mut journal = Journal::open(&path, &header).expect("writable");
        journal.add(1, 0, &analysis).expect("writable");
        journal.add(1, 1, &analysis).expect("writable");
        drop(journal);
        // The machine went down while a line was written.
        let whole = std::fs::read(&path).expect("there");
        std::fs::write(&path, &whole[..whole.len() - 5]).expect("writable");
        let mut journal = Journal::open(&path, &header).expect("writable");
        assert_eq!((journal.len(), journal.get(1, 0), journal.get(1, 1)), (1, Some(&analysis), None));
        journal.add(1, 1, &analysis).expect("writable");
        drop(journal);
        assert_eq!(Journal::open(&path, &header).expect("writable").len(), 2);
        let other = JournalHeader::new("Vedette", "depth 9", "1. e4 *");
        assert!(Journal::open(&path, &other).expect("writable").is_empty());
        Journal::open(&path, &other).expect("writable").remove().expect("there");
        assert!(!path.exists());
    }

    #[test]
    fn journal_is_locked() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("journal");
        let mut journal = Journal::open(&path, &header()).expect("writable");
        journal.add(1, 0, &analysis(0)).expect("writable");
        let before = fs::read(&path).expect("there");
        let other = JournalHeader::new("Vedette", "depth 9", "1. e4 *");
        for header in [header(), other] {
            let error = Journal::open(&path, &header).expect_err("in use");
            assert!(error.to_string().contains("in use"), "{error}");
        }
        assert_eq!(fs::read(&path).expect("there"), before);
        drop(journal);
        assert_eq!(Journal::open(&path, &header()).expect("free").len(), 1);
    }

    const POSITIONS: usize = 5;

    /// Reviews the positions that the journal does not have, and returns how many it had.
    fn review(folder: &Path, sync_always: bool, added: &Cell<usize>) -> Result<usize, JournalError> {
        let mut journal = Journal::open(&folder.join("journal"), &header())?;
        if sync_always {
            journal.sync_every = Duration::ZERO;
        }
        let known = journal.len();
        for ply in 0..POSITIONS {
            if let Some(found) = journal.get(1, ply) {
                assert_eq!(*found, analysis(ply));
                continue;
            }
            journal.add(1, ply, &analysis(ply))?;
            added.set(added.get() + 1);
        }
        Ok(known)
    }

    fn check(folder: &Path, loses_nothing: bool, added: &Cell<usize>, point: &dyn fmt::Display) {
        let before = added.get();
        let known = review(folder, true, added).unwrap_or_else(|error| panic!("{point}: {error}"));
        assert!(
            known <= before + 1 && (known >= before || !loses_nothing),
            "{point}: {before} added, {known} known"
        );
        assert_eq!(added.get(), before + POSITIONS - known, "{point}");
        assert_eq!(review(folder, true, added).expect("writable"), POSITIONS, "{point}");
        let text = fs::read_to_string(folder.join("journal")).expect("text");
        assert_eq!(text.lines().count(), POSITIONS + 1, "{point}: {text}");
    }

    fn crashes(sync_always: bool) -> usize {
        let root = tempfile::tempdir().expect("a temporary folder");
        let added = Cell::new(0);
        every_crash(
            root.path(),
            &Survival::ALL,
            |_| added.set(0),
            |folder| review(folder, sync_always, &added).map(drop),
            |folder, point| {
                let loses_nothing = sync_always || point.survival() == Some(Survival::KILLED);
                check(folder, loses_nothing, &added, point);
            },
        )
    }

    #[test]
    fn crash_loses_no_added_position() {
        let count = crashes(true) + crashes(false);
        println!("journal: {count} crashes");
        assert!(count > 150, "{count}");
    }

    #[test]
    fn fault_loses_no_added_position() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let added = Cell::new(0);
        let count = every_fault(
            root.path(),
            |_| added.set(0),
            |folder| review(folder, true, &added).map(drop),
            |folder, point, _| check(folder, true, &added, point),
        );
        println!("journal: {count} faults");
        assert!(count > 30, "{count}");
    }

    /// One write for each line: a reader never sees a part of one.
    #[test]
    fn line_is_written_at_once() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let disk = support::files::faults::SimulatedDisk::new(folder.path(), None);
        review(folder.path(), false, &Cell::new(0)).expect("writable");
        let writes = disk.steps().iter().filter(|step| step.starts_with("write")).count();
        assert_eq!(writes, POSITIONS + 1, "{:?}", disk.steps());
    }
}
