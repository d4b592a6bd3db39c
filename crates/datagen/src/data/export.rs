//! Writes the positions that a filter keeps, in the formats of other trainers.

use std::path::{Path, PathBuf};

use record::dataset::{DataFormat, DatasetWriter};
use record::packed::{Filter, Sample};
use support::files::NewFile;

use super::DataError;
use super::shuffle::Shuffler;
use super::source::{self, ReadSummary, total_bytes};

#[derive(Clone, PartialEq, Debug)]
pub struct Export {
    /// The format of the files; without one it is recognised.
    pub from: Option<DataFormat>,
    pub format: DataFormat,
    pub filter: Filter,
    /// Seed of the random order; without one the order of the games is kept.
    pub shuffle: Option<u64>,
    /// Memory for the shuffle, in bytes.
    pub memory: u64,
}

/// What was exported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    pub reading: ReadSummary,
    /// Positions that the filter keeps.
    pub kept: u64,
    /// Positions among them that the format cannot hold.
    pub skipped: u64,
}

/// Maximum size of a position in the temporary files of the shuffle, relative to the bytes of a position in the input.
const GROWTH: u64 = 16;

impl Export {
    /// Writes the positions of the files, and returns their number.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn run(
        &self,
        paths: &[PathBuf],
        out: &Path,
        mut progress: impl FnMut(f64),
    ) -> Result<Exported, DataError> {
        let named = DataError::at(out);
        let sink = NewFile::create(out).map_err(&named)?;
        let mut shuffler = match self.shuffle {
            Some(seed) => {
                let folder = sink.scratch().map_err(&named)?;
                Some(Shuffler::new(folder, GROWTH * total_bytes(paths)?, self.memory, seed)?)
            }
            None => None,
        };
        let mut writer = DatasetWriter::new(sink, self.format).map_err(&named)?;
        let mut kept = 0;
        let reading = source::read_entries(paths, self.from, |entry, origin, done| {
            progress(done);
            let filter = origin.format.filter(&self.filter);
            entry.for_each(|sample| {
                if !filter.keeps(sample) {
                    return Ok(());
                }
                kept += 1;
                match &mut shuffler {
                    Some(shuffler) => shuffler.add(&sample.pack()),
                    None => writer.write_position(sample).map_err(&named),
                }
            })
        })?;
        if let Some(shuffler) = shuffler {
            shuffler.finish(|record| {
                let sample = Sample::unpack(record).map_err(|error| named(std::io::Error::other(error)))?;
                writer.write_position(&sample).map_err(&named)
            })?;
        }
        let skipped = writer.skipped();
        writer.finish().and_then(NewFile::finish).map_err(&named)?;
        Ok(Exported { reading, kept, skipped })
    }
}
