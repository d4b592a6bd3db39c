//! Tools for files of training games: what is in them ([`audit`]), which games to keep ([`select`]), in which
//! order ([`shuffle`]), in which part ([`split`]), and their positions in other programs' formats ([`export`]).
//!
//! Games stream through; files may be larger than memory. Damaged games are skipped and reported.

pub mod audit;
pub mod export;
pub mod select;
pub mod shuffle;
pub mod source;
pub mod split;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a tool could not do its work.
#[derive(Debug)]
pub struct DataError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong with it.
    pub error: io::Error,
}

impl DataError {
    /// For use with `map_err`.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> DataError + '_ {
        |error| DataError { path: path.to_owned(), error }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for DataError {}
