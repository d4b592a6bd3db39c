//! Analysed positions on disk while a review runs, one per line, so that an interruption costs no more than the
//! position being searched.

use std::collections::HashMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

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
struct Entry {
    game: usize,
    ply: usize,
    /// Journals of earlier versions have this name.
    #[serde(rename = "opinion")]
    analysis: PositionAnalysis,
}

/// A journal cannot be written.
#[derive(Debug)]
pub struct JournalError(PathBuf, io::Error);

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.display(), self.1)
    }
}

impl std::error::Error for JournalError {}

/// Analysed positions, and the file that new ones are appended to.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    known: HashMap<(usize, usize), PositionAnalysis>,
}

impl Journal {
    /// Opens the journal and reads it if it has this header. A torn last line is dropped.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn open(path: &Path, header: &JournalHeader) -> Result<Journal, JournalError> {
        let named = |error| JournalError(path.to_owned(), error);
        let text =
            std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let same = lines.next().and_then(|line| serde_json::from_str::<JournalHeader>(line).ok()).as_ref()
            == Some(header);
        let entries: Vec<Entry> =
            lines.filter(|_| same).filter_map(|line| serde_json::from_str(line).ok()).collect();
        let known: HashMap<_, _> =
            entries.into_iter().map(|entry| ((entry.game, entry.ply), entry.analysis)).collect();
        let mut file =
            OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(named)?;
        let kept = if same { text.rfind('\n').map_or(0, |end| end + 1) } else { 0 };
        file.set_len(kept as u64).map_err(named)?;
        io::Seek::seek(&mut file, io::SeekFrom::End(0)).map_err(named)?;
        if !same {
            writeln!(file, "{}", serde_json::json!(header)).map_err(named)?;
        }
        Ok(Journal { path: path.to_owned(), file, known })
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The analysis of a game's position after `ply` plies.
    pub fn get(&self, game: usize, ply: usize) -> Option<&PositionAnalysis> {
        self.known.get(&(game, ply))
    }

    /// Appends an analysis.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, game: usize, ply: usize, analysis: &PositionAnalysis) -> Result<(), JournalError> {
        let line = serde_json::json!(Entry { game, ply, analysis: analysis.clone() });
        writeln!(self.file, "{line}").map_err(|error| JournalError(self.path.clone(), error))?;
        self.known.insert((game, ply), analysis.clone());
        Ok(())
    }

    /// Removes the file once the review is complete.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(self) -> Result<(), JournalError> {
        std::fs::remove_file(&self.path).map_err(|error| JournalError(self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::Score;

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
}
