//! An external shuffle for more records than fit into memory. Each record goes to a random one of several
//! temporary files, then each file is shuffled in memory. Every order is equally likely.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::source::{self, ReadSummary};
use super::{DataError, source::total_bytes};
use support::files::{self, File, NewFile};
use support::random::Random;

/// Takes records and returns them in random order.
#[derive(Debug)]
pub struct Shuffler {
    folder: PathBuf,
    piles: Vec<BufWriter<File>>,
    random: Random,
}

impl Shuffler {
    /// A shuffler for about `bytes` of records that uses about `memory` bytes, and a folder for temporary files.
    ///
    /// # Errors
    /// If the temporary files cannot be created.
    pub fn new(folder: PathBuf, bytes: u64, memory: u64, seed: u64) -> Result<Shuffler, DataError> {
        // Files differ in size by chance, and need memory for the index of their records.
        let piles = (2 * bytes / memory.max(1) + 1).min(1000) as usize;
        let piles = (0..piles)
            .map(|index| {
                let path = pile(&folder, index);
                File::create_new(&path).map(BufWriter::new).map_err(DataError::at(&path))
            })
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Shuffler { folder, piles, random: Random::new(seed) })
    }

    /// Takes a record.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn add(&mut self, record: &[u8]) -> Result<(), DataError> {
        let index = self.random.below(self.piles.len());
        let file = &mut self.piles[index];
        let stored =
            file.write_all(&(record.len() as u32).to_le_bytes()).and_then(|()| file.write_all(record));
        stored.map_err(DataError::at(&pile(&self.folder, index)))
    }

    /// Passes all records to `take` in random order.
    ///
    /// # Errors
    /// If they cannot be read again, or `take` fails.
    pub fn finish(mut self, mut take: impl FnMut(&[u8]) -> Result<(), DataError>) -> Result<(), DataError> {
        for (index, file) in std::mem::take(&mut self.piles).into_iter().enumerate() {
            let path = pile(&self.folder, index);
            let named = DataError::at(&path);
            file.into_inner().map_err(|error| named(error.into_error()))?;
            let Pile { bytes, mut records } = Pile::read(&path).map_err(&named)?;
            files::remove_file(&path).map_err(&named)?;
            self.random.shuffle(&mut records);
            for record in records {
                take(&bytes[record])?;
            }
        }
        Ok(())
    }
}

/// The records of one temporary file.
#[derive(Default)]
struct Pile {
    bytes: Vec<u8>,
    /// The offset of each record.
    records: Vec<Range<usize>>,
}

impl Pile {
    fn read(path: &Path) -> io::Result<Pile> {
        let mut file = BufReader::new(std::fs::File::open(path)?);
        let mut pile = Pile::default();
        let mut length = [0; 4];
        loop {
            match file.read_exact(&mut length) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(pile),
                Err(error) => return Err(error),
            }
            let start = pile.bytes.len();
            let end = start + u32::from_le_bytes(length) as usize;
            pile.bytes.resize(end, 0);
            file.read_exact(&mut pile.bytes[start..])?;
            pile.records.push(start..end);
        }
    }
}

/// The temporary file of a pile.
fn pile(folder: &Path, index: usize) -> PathBuf {
    folder.join(index.to_string())
}

/// Writes the games of the files in random order, with about `memory` bytes of memory.
///
/// # Errors
/// If a file cannot be read or written.
pub fn shuffle(
    paths: &[PathBuf],
    out: &Path,
    seed: u64,
    memory: u64,
    mut progress: impl FnMut(f64),
) -> Result<ReadSummary, DataError> {
    let named = DataError::at(out);
    let mut writer = NewFile::create(out).map_err(&named)?;
    let folder = writer.scratch().map_err(&named)?;
    let mut shuffler = Shuffler::new(folder, total_bytes(paths)?, memory, seed)?;
    let mut bytes = Vec::new();
    let reading = source::read(paths, |game, done| {
        progress(done / 2.0);
        bytes.clear();
        game.pack_into(&mut bytes);
        shuffler.add(&bytes)
    })?;
    let mut written = 0;
    shuffler.finish(|record| {
        written += 1;
        progress(f64::midpoint(1.0, written as f64 / reading.games().max(1) as f64));
        writer.write_all(record).map_err(&named)
    })?;
    writer.finish().map_err(&named)?;
    Ok(reading)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffled(count: u32, memory: u64, seed: u64) -> Vec<u32> {
        let scratch = tempfile::tempdir().unwrap();
        let mut shuffler =
            Shuffler::new(scratch.path().to_owned(), 8 * u64::from(count), memory, seed).unwrap();
        for number in 0..count {
            // Records of different lengths.
            let mut record = number.to_le_bytes().to_vec();
            record.resize(4 + number as usize % 9, 7);
            shuffler.add(&record).unwrap();
        }
        let mut order = Vec::new();
        shuffler
            .finish(|record| {
                let number = u32::from_le_bytes(std::array::from_fn(|index| record[index]));
                assert_eq!(record.len(), 4 + number as usize % 9);
                order.push(number);
                Ok(())
            })
            .unwrap();
        assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
        order
    }

    #[test]
    fn everything_comes_back_once_in_another_order() {
        for memory in [1_000_000, 500] {
            let order = shuffled(2000, memory, 5);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..2000).collect::<Vec<_>>());
            assert_ne!(order, sorted);
            // Early records are spread over the whole file: their mean index is near the middle.
            let places: usize =
                order.iter().enumerate().filter(|(_, number)| **number < 200).map(|(place, _)| place).sum();
            assert!((800..1200).contains(&(places / 200)), "{}", places / 200);
        }
    }

    #[test]
    fn seed_determines_order() {
        assert_eq!(shuffled(300, 400, 1), shuffled(300, 400, 1));
        assert_ne!(shuffled(300, 400, 1), shuffled(300, 400, 2));
    }
}
