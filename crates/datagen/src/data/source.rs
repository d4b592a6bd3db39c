//! Reads the games of several files one after the other.

use std::fs::File;
use std::path::{Path, PathBuf};

use record::packed::{Damage, GameReader, PackedGame};

use super::DataError;

/// What was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// The files, with their numbers of games.
    pub files: Vec<(PathBuf, u64)>,
    /// Bytes of all files.
    pub bytes: u64,
    /// Damaged sections, by file.
    pub damage: Vec<(PathBuf, Damage)>,
}

impl Reading {
    /// Games of all files.
    pub fn games(&self) -> u64 {
        self.files.iter().map(|(_, games)| games).sum()
    }
}

/// Passes every game of the files to `take`, with the progress from 0 to 1.
///
/// # Errors
/// If a file cannot be read, or `take` fails.
pub fn read(
    paths: &[PathBuf],
    mut take: impl FnMut(PackedGame, f64) -> Result<(), DataError>,
) -> Result<Reading, DataError> {
    let total = total_bytes(paths)?.max(1) as f64;
    let mut reading = Reading::default();
    for path in paths {
        let named = DataError::at(path);
        let mut reader = GameReader::new(File::open(path).map_err(&named)?);
        let mut games = 0;
        while let Some(game) = reader.next_game().map_err(&named)? {
            games += 1;
            take(game, (reading.bytes + reader.offset()) as f64 / total)?;
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
