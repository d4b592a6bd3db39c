//! Reads the games and positions of several files one after the other, each in its own format.

use std::path::{Path, PathBuf};

use record::dataset::{self, DataEntry, DataFormat};
use record::packed::{Damage, PackedGame};

use super::DataError;

/// What was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReadSummary {
    /// The files, with their numbers of games; a position without a move counts as one.
    pub files: Vec<(PathBuf, u64)>,
    /// Positions of all files.
    pub positions: u64,
    /// Bytes of all files.
    pub bytes: u64,
    /// Damaged sections, by file.
    pub damage: Vec<(PathBuf, Damage)>,
}

impl ReadSummary {
    /// Games of all files.
    pub fn games(&self) -> u64 {
        self.files.iter().map(|(_, games)| games).sum()
    }
}

/// Passes every game of the files to `take`, with the progress from 0 to 1.
///
/// # Errors
/// If a file cannot be read or has no moves, or `take` fails.
pub fn read(
    paths: &[PathBuf],
    mut take: impl FnMut(PackedGame, f64) -> Result<(), DataError>,
) -> Result<ReadSummary, DataError> {
    read_entries(paths, None, |entry, from, done| match entry {
        DataEntry::Game(game) => take(game, done),
        DataEntry::Position(_) => Err(from.refuse("positions without moves: this needs games")),
    })
}

/// The file of an entry.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    pub path: &'a Path,
    pub format: DataFormat,
}

impl Origin<'_> {
    /// An error about what the file holds.
    pub fn refuse(&self, reason: &str) -> DataError {
        let reason = format!("{}, {reason}", self.format);
        DataError::at(self.path)(std::io::Error::new(std::io::ErrorKind::InvalidData, reason))
    }
}

/// Passes every game and position of the files to `take`, with its file, and the progress from 0 to 1. Without `format`,
/// each file's is recognised; that of all files before the first is read.
///
/// # Errors
/// If a file cannot be read or is not training data, or `take` fails.
pub fn read_entries(
    paths: &[PathBuf],
    format: Option<DataFormat>,
    mut take: impl FnMut(DataEntry, Origin<'_>, f64) -> Result<(), DataError>,
) -> Result<ReadSummary, DataError> {
    let total = total_bytes(paths)?.max(1) as f64;
    let formats = paths
        .iter()
        .map(|path| format.map_or_else(|| dataset::recognise(path), Ok).map_err(DataError::at(path)))
        .collect::<Result<Vec<_>, _>>()?;
    let mut reading = ReadSummary::default();
    for (path, format) in paths.iter().zip(formats) {
        let named = DataError::at(path);
        let mut reader = dataset::open_as(path, format).map_err(&named)?;
        let mut games = 0;
        while let Some(entry) = reader.next_entry().map_err(&named)? {
            games += 1;
            reading.positions += entry.positions() as u64;
            take(entry, Origin { path, format }, (reading.bytes + reader.offset()) as f64 / total)?;
        }
        reading.files.push((path.clone(), games));
        reading.bytes += reader.offset();
        reading.damage.extend(reader.damage().iter().map(|damage| (path.clone(), damage.clone())));
    }
    Ok(reading)
}

/// The total size of the files.
pub(super) fn total_bytes(paths: &[PathBuf]) -> Result<u64, DataError> {
    let length = |path: &Path| path.metadata().map(|metadata| metadata.len()).map_err(DataError::at(path));
    paths.iter().map(|path| length(path)).sum()
}
