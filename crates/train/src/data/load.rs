//! Reads training data of any format, and filters its positions. Each file has a thread of its own,
//! as far as there are threads; the order of the examples does not depend on them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use support::sync::{into_inner, lock};

use record::dataset;
use record::packed::Filter;

use super::Data;
use crate::example::Example;
use crate::random;
use crate::recipe::DataRecipe;

#[derive(Debug)]
pub enum LoadError {
    NoFiles,
    EmptyFolder(PathBuf),
    Io(PathBuf, io::Error),
    /// No position passes the filter.
    NothingLeft,
    /// More positions than 32-bit indices.
    TooMany(usize),
    Interrupted,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NoFiles => f.write_str("data.files is empty: expected files of training data"),
            LoadError::EmptyFolder(path) => {
                write!(f, "{}: no files *.{GAMES} in this folder", path.display())
            }
            LoadError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            LoadError::NothingLeft => f.write_str("no position passes the recipe's filter"),
            LoadError::TooMany(count) => {
                write!(f, "{count} positions, at most 2^32 supported: lower data.share")
            }
            LoadError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for LoadError {}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loading {
    pub files: usize,
    pub of: usize,
    pub positions: usize,
}

/// File extension of packed games in folders; files that are given by name may have another.
pub const GAMES: &str = "vd";

/// Games between two checks of the interrupt.
const CHECK_INTERVAL: u64 = 256;

/// Reads all files of a recipe; fails if it is interrupted.
///
/// # Errors
/// If a file cannot be read, or no position passes the filter. Damaged games are skipped and counted.
pub fn load(
    recipe: &DataRecipe,
    seed: u64,
    threads: usize,
    interrupt: &AtomicBool,
    mut report: impl FnMut(Loading) + Send,
) -> Result<Data, LoadError> {
    let files = list_files(&recipe.files)?;
    let next = AtomicUsize::new(0);
    let kept = AtomicU64::new(0);
    let of = files.len();
    let gathered = Mutex::new(Gathered::default());
    let report = Mutex::new(&mut report);
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, of) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = files.get(index) else { return };
                    let read = Source { recipe, seed, filter: recipe.filter.filter(), index };
                    let read = read.read(path, interrupt);
                    let positions =
                        read.as_ref().map_or(0, |data| data.training.len() + data.validation.len());
                    let positions = kept.fetch_add(positions as u64, Ordering::Relaxed) as usize + positions;
                    let files = lock(&gathered).add(index, read);
                    (lock(&report))(Loading { files, of, positions });
                }
            });
        }
    });
    let data = into_inner(gathered).data()?;
    match data.training.len() {
        0 => Err(LoadError::NothingLeft),
        count if count > u32::MAX as usize => Err(LoadError::TooMany(count)),
        _ => Ok(data),
    }
}

/// Files that were read, in their order.
#[derive(Default)]
struct Gathered {
    data: Data,
    next: usize,
    waiting: BTreeMap<usize, Data>,
    error: Option<LoadError>,
}

impl Gathered {
    /// Adds the data of a file, and returns the number of files read.
    fn add(&mut self, index: usize, read: Result<Data, LoadError>) -> usize {
        match read {
            Ok(data) => _ = self.waiting.insert(index, data),
            Err(error) => _ = self.error.get_or_insert(error),
        }
        let read = self.next + self.waiting.len();
        while let Some(data) = self.waiting.remove(&self.next) {
            self.data.append(data);
            self.next += 1;
        }
        read
    }

    fn data(self) -> Result<Data, LoadError> {
        self.error.map_or(Ok(self.data), Err)
    }
}

/// All files given, and those in folders given, sorted by name.
fn list_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, LoadError> {
    let mut files = Vec::new();
    for path in paths {
        let failed = |error| LoadError::Io(path.clone(), error);
        if !fs::metadata(path).map_err(failed)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).map_err(failed)? {
            let entry = entry.map_err(failed)?.path();
            if entry.is_file() && entry.extension() == Some(OsStr::new(GAMES)) {
                inside.push(entry);
            }
        }
        if inside.is_empty() {
            return Err(LoadError::EmptyFolder(path.clone()));
        }
        inside.sort();
        files.append(&mut inside);
    }
    if files.is_empty() { Err(LoadError::NoFiles) } else { Ok(files) }
}

struct Source<'a> {
    recipe: &'a DataRecipe,
    seed: u64,
    filter: Filter,
    index: usize,
}

impl Source<'_> {
    fn read(&self, path: &Path, interrupt: &AtomicBool) -> Result<Data, LoadError> {
        let failed = |error| LoadError::Io(path.to_owned(), error);
        let mut reader = dataset::open(path).map_err(failed)?;
        let filter = reader.format().filter(&self.filter);
        let mut data = Data::default();
        let file_seed = random::bits(self.seed, self.index as u64);
        for number in 0.. {
            if number % CHECK_INTERVAL == 0 && interrupt.load(Ordering::Relaxed) {
                return Err(LoadError::Interrupted);
            }
            let Some(entry) = reader.next_entry().map_err(failed)? else { break };
            // Two draws per game, or position without a move: whether it is used, and for which set.
            if random::unit(file_seed, 2 * number) >= self.recipe.share {
                continue;
            }
            let validation = random::unit(file_seed, 2 * number + 1) < self.recipe.validation;
            let examples = if validation { &mut data.validation } else { &mut data.training };
            let Ok(()) = entry.for_each(|sample| {
                if filter.keeps(sample) {
                    examples.push(Example::new(sample));
                }
                Ok::<(), Infallible>(())
            });
            data.games += 1;
        }
        data.damaged = reader.damage().len();
        Ok(data)
    }
}
