//! Writes all games and positions of files in another format.

use std::path::{Path, PathBuf};

use record::dataset::{DataFormat, DatasetWriter};
use support::files::NewFile;

use super::DataError;
use super::source::{self, ReadSummary};

/// What was converted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Converted {
    pub reading: ReadSummary,
    /// Positions that the format cannot hold.
    pub skipped: u64,
}

/// Writes the games and positions of the files, in their order.
///
/// # Errors
/// If a file cannot be read or written, or the format needs moves that a file does not have.
pub fn convert(
    paths: &[PathBuf],
    from: Option<DataFormat>,
    out: &Path,
    format: DataFormat,
    mut progress: impl FnMut(f64),
) -> Result<Converted, DataError> {
    let named = DataError::at(out);
    let mut writer = DatasetWriter::new(NewFile::create(out).map_err(&named)?, format).map_err(&named)?;
    let reading = source::read_entries(paths, from, |entry, origin, done| {
        progress(done);
        if format.has_moves() && format != DataFormat::Csv && !origin.format.has_moves() {
            return Err(origin.refuse(&format!("positions without moves: {format} needs them")));
        }
        writer.write(&entry).map_err(&named)
    })?;
    let skipped = writer.skipped();
    writer.finish().and_then(NewFile::finish).map_err(&named)?;
    Ok(Converted { reading, skipped })
}
