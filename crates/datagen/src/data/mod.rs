//! Tools for files of training games: statistics ([`audit`]), selection of games ([`select`]), shuffling
//! ([`shuffle`]), splitting ([`split`]), correction by tablebases ([`rescore`]), conversion ([`convert`]) and export of
//! positions ([`export`]).
//!
//! Games are streamed, so files may be larger than memory. Damaged games are skipped and reported.

pub mod audit;
pub mod convert;
pub mod export;
pub mod rescore;
pub mod sample;
pub mod select;
pub mod shuffle;
pub mod source;
pub mod split;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// An error with its file.
#[derive(Debug)]
pub struct DataError {
    pub path: PathBuf,
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
