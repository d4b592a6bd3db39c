//! The file of a running match.

use std::fs::{self, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use support::files::{self, AppendFile, FileLock};

use super::{Head, Line, OutputLengths, SaveError, SavedMatch, VERSION, lock_error};
use crate::cli::MatchOptions;
use crate::results::GameSummary;

const DEFAULT_FILE: &str = "vedette-match.json";

/// With `-testEnv`: fishtest and OpenBench end matches by killing the runner, and never resume one.
const TEST_FILE: &str = "vedette-testenv.json";

/// Saved matches in one folder.
const MAX_FILES: u32 = 10_000;

/// The state of a running match on disk.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
    /// Locked.
    file: AppendFile,
    games: usize,
    /// The file that this one replaces stays locked: another process may have just opened it.
    _replaced: Option<FileLock>,
}

impl StateFile {
    /// The file of a new match: the user's choice, or the first free default name, with a warning if another match has the
    /// usual one. An interrupted match is overwritten only with `discard` or `-testEnv`, a match in progress never.
    ///
    /// # Errors
    /// The file cannot be written, or holds another match.
    pub fn create(
        request: &MatchOptions,
        output: OutputLengths,
    ) -> Result<(Self, Option<String>), SaveError> {
        Self::create_with(request, &[], output)
    }

    /// As [`StateFile::create`], for a match that another program has begun.
    ///
    /// # Errors
    /// The file cannot be written, or holds another match.
    pub fn create_with(
        request: &MatchOptions,
        finished: &[GameSummary],
        output: OutputLengths,
    ) -> Result<(Self, Option<String>), SaveError> {
        let saving = &request.saving;
        let named = saving.file.as_deref().or(saving.discard.then_some(Path::new(DEFAULT_FILE)));
        match named {
            Some(path) => {
                let lock = lock_replaceable(path, saving.discard)?;
                Ok((Self::write(path, request, finished, output, Some(lock))?, None))
            }
            None => Self::create_unnamed(request, finished, output),
        }
    }

    /// The first free default name. The file is created at once: another match may start at the same time.
    fn create_unnamed(
        request: &MatchOptions,
        finished: &[GameSummary],
        output: OutputLengths,
    ) -> Result<(Self, Option<String>), SaveError> {
        let is_test = request.output.test_env;
        let first = Path::new(if is_test { TEST_FILE } else { DEFAULT_FILE });
        let mut warning = None;
        for number in 1..=MAX_FILES {
            let path = if number == 1 { first.to_owned() } else { numbered(first, number) };
            match FileLock::create(&path) {
                Ok(lock) if is_test || is_empty(&path) => {
                    let state = Self::write(&path, request, finished, output, Some(lock))?;
                    let warning =
                        warning.map(|what| format!("{what}. This match is saved in {}", path.display()));
                    return Ok((state, warning));
                }
                Err(TryLockError::Error(error)) if !path.exists() => {
                    return Err(SaveError::File(path, error));
                }
                _ if is_test => {}
                unusable => {
                    // Not locked while it is looked at.
                    drop(unusable);
                    warning.get_or_insert_with(|| occupied(&path));
                }
            }
        }
        Err(SaveError::File(first.to_owned(), io::ErrorKind::AlreadyExists.into()))
    }

    /// The file of a resumed match that this process has locked, or the file that the user chose instead.
    ///
    /// # Errors
    /// The file cannot be written, or the other file holds another match.
    pub fn resume_locked(
        lock: &FileLock,
        request: &MatchOptions,
        finished: &[GameSummary],
        output: OutputLengths,
    ) -> Result<Self, SaveError> {
        let path = request.saving.file.as_deref().unwrap_or(lock.path());
        let is_other = path != lock.path();
        let replaced = is_other.then(|| lock_replaceable(path, request.saving.discard)).transpose()?;
        Self::write(path, request, finished, output, replaced)
    }

    /// The file of a resumed match.
    ///
    /// # Errors
    /// The file cannot be written, or another process plays the match.
    pub fn resume(
        path: &Path,
        request: &MatchOptions,
        finished: &[GameSummary],
        output: OutputLengths,
    ) -> Result<Self, SaveError> {
        Self::write(path, request, finished, output, Some(lock_replaceable(path, true)?))
    }

    /// Writes the file. It is replaced atomically: an interruption leaves the old one. The new one is locked before it has its
    /// name, so that it never appears without a lock.
    fn write(
        path: &Path,
        request: &MatchOptions,
        finished: &[GameSummary],
        output: OutputLengths,
        replaced: Option<FileLock>,
    ) -> Result<Self, SaveError> {
        let write = || {
            let head =
                Head { version: VERSION, process: Some(std::process::id()), request, output: Some(output) };
            let mut text = line_of(&head)?;
            for game in finished {
                text.push_str(&line_of(&Line { game, output: None })?);
            }
            AppendFile::over(files::publish(path, text.as_bytes())?)
        };
        let file = write().map_err(|error| {
            // Nothing is left of a match that never began.
            if replaced.is_some() && is_empty(path) {
                let _ = files::remove_file(path);
            }
            SaveError::File(path.to_owned(), error)
        })?;
        Ok(Self { path: path.to_owned(), file, games: finished.len(), _replaced: replaced })
    }

    /// Adds a game, after which the output files have these lengths.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, game: &GameSummary, output: OutputLengths) -> Result<(), SaveError> {
        let failed = |error: io::Error| SaveError::File(self.path.clone(), error);
        let line = line_of(&Line { game, output: Some(output) }).map_err(failed)?;
        self.file.append(line.as_bytes()).map_err(failed)?;
        self.games += 1;
        Ok(())
    }

    /// Waits until all games are on the disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn sync(&self) -> Result<(), SaveError> {
        self.file.sync().map_err(SaveError::of_file(&self.path))
    }

    pub fn games(&self) -> usize {
        self.games
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn remove(self) {
        let _ = files::remove_file(&self.path);
    }
}

fn line_of(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

fn is_empty(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0)
}

/// Locks a file that may be overwritten: an empty or new one, a finished match (scripts are run again), or any match if
/// `discard` is set, but never one that another process plays.
fn lock_replaceable(path: &Path, discard: bool) -> Result<FileLock, SaveError> {
    let lock = FileLock::create(path).map_err(lock_error(path, path))?;
    if is_empty(path) {
        return Ok(lock);
    }
    match SavedMatch::load(path) {
        Ok(saved) if discard || saved.is_over() => Ok(lock),
        Ok(saved) => Err(SaveError::Unfinished(path.to_owned(), saved.summary())),
        Err(SaveError::Content(..)) if discard => Ok(lock),
        Err(error) => Err(error),
    }
}

/// `match.json` as `match-2.json`.
fn numbered(path: &Path, number: u32) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{number}.{extension}"))
}

/// A warning about the file that has the usual name.
fn occupied(path: &Path) -> String {
    let file = path.display();
    match SavedMatch::lock(path) {
        Ok((_, saved)) => format!(
            "{file} holds an interrupted match ({}), which is kept. To resume it: vedette match -config \
             file={file}; to discard it: delete the file",
            saved.summary()
        ),
        Err(SaveError::Running { what, .. }) => {
            format!("{file} belongs to a match in progress ({what})")
        }
        Err(_) => format!("{file} is not a saved match and is kept"),
    }
}
