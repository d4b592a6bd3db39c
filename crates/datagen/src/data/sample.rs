//! Draws games at random, without those between them in memory.

use std::path::{Path, PathBuf};

use record::dataset::{DataFormat, DatasetWriter};
use support::files::NewFile;
use support::random::Random;

use super::DataError;
use super::source::{self, ReadSummary};

/// Writes `count` games of the files, in their order; every choice of them is equally likely. Reads the files twice. A
/// position without a move counts as a game. Returns what was written, and the positions that the format cannot hold.
///
/// # Errors
/// If a file cannot be read or written.
pub fn sample(
    paths: &[PathBuf],
    from: Option<DataFormat>,
    out: &Path,
    format: DataFormat,
    (count, seed): (u64, u64),
    mut progress: impl FnMut(f64),
) -> Result<(ReadSummary, u64, u64), DataError> {
    let named = DataError::at(out);
    let mut writer = DatasetWriter::new(NewFile::create(out).map_err(&named)?, format).map_err(&named)?;
    let counted = source::read_entries(paths, from, |_, _, done| {
        progress(done / 2.0);
        Ok(())
    })?;
    let (mut left, mut wanted) = (counted.games(), count);
    let mut random = Random::new(seed);
    let mut written = 0;
    let reading = source::read_entries(paths, from, |entry, _, done| {
        progress(f64::midpoint(1.0, done));
        // The chance of each game is what is still wanted among those that are left.
        let is_drawn = random.unit() * (left as f64) < wanted as f64;
        left = left.saturating_sub(1);
        if !is_drawn || wanted == 0 {
            return Ok(());
        }
        wanted -= 1;
        written += 1;
        writer.write(&entry).map_err(&named)
    })?;
    let skipped = writer.skipped();
    writer.finish().and_then(NewFile::finish).map_err(&named)?;
    Ok((reading, written, skipped))
}
