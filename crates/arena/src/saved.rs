//! A match on disk: its configuration and all finished games, so that it can be resumed. JSON Lines: the first line is the
//! match, each further line a game, appended as it ends, so that a crash loses no finished game.
//!
//! The process that plays a match holds the operating system's lock on its file: two processes never write to one file.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use support::files::{self, FileLock};

use crate::cli::MatchRequest;
use crate::results::{GameSummary, Tally, sprt_decision};

const VERSION: u32 = 2;

const DEFAULT_FILE: &str = "vedette-match.json";

/// Saved matches in one folder.
const MAX_FILES: u32 = 10_000;

#[derive(Clone, Debug, PartialEq)]
pub struct SavedMatch {
    pub request: MatchRequest,
    pub finished: Vec<GameSummary>,
    /// The process that played it last, if known.
    pub process: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct Head<R> {
    version: u32,
    #[serde(default)]
    process: Option<u32>,
    request: R,
}

/// Why a saved match cannot be read or written.
#[derive(Debug)]
pub enum SaveError {
    File(PathBuf, io::Error),
    /// Not a saved match, or of another version.
    Content(PathBuf, String),
    /// Another match that is not over.
    Unfinished(PathBuf, String),
    /// A match that another process is playing.
    Running {
        path: PathBuf,
        what: String,
        process: Option<u32>,
    },
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Content(path, reason) => write!(f, "{} is not a saved match: {reason}", path.display()),
            Self::Unfinished(path, what) => write!(
                f,
                "{0} holds an interrupted match ({what}). To resume it: -config file={0}; \
                 to overwrite it: -config outname={0} discard=true",
                path.display()
            ),
            Self::Running { path, what, process } => {
                write!(f, "{} holds a match in progress ({what})", path.display())?;
                process.map_or(Ok(()), |process| {
                    write!(f, ": let it finish, or stop and save it with kill {process}, before resuming it")
                })
            }
        }
    }
}

impl std::error::Error for SaveError {}

impl SaveError {
    pub fn of_file(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::File(path.to_owned(), error)
    }
}

impl SavedMatch {
    /// Reads a file. An incomplete last line is skipped.
    ///
    /// # Errors
    /// It cannot be read, or is not a saved match.
    pub fn load(path: &Path) -> Result<Self, SaveError> {
        let bytes = std::fs::read(path).map_err(SaveError::of_file(path))?;
        Self::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|reason| SaveError::Content(path.to_owned(), reason))
    }

    /// Locks a file and reads it.
    ///
    /// # Errors
    /// It cannot be read, is not a saved match, or is in progress.
    pub fn lock(path: &Path) -> Result<(FileLock, Self), SaveError> {
        let lock = FileLock::existing(path).map_err(lock_error(path, path))?;
        Ok((lock, Self::load(path)?))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let (head, games) = text.split_once('\n').ok_or("no complete line")?;
        let head: Head<serde_json::Value> = serde_json::from_str(head).map_err(|error| error.to_string())?;
        if head.version != VERSION {
            return Err(format!("version {}, expected {VERSION}", head.version));
        }
        let request: MatchRequest =
            serde_json::from_value(head.request).map_err(|error| error.to_string())?;
        let mut saved = Self { request, finished: Vec::new(), process: head.process };
        saved.check_plan()?;
        // After the last newline there is only part of a line.
        let whole = games.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let mut seen = std::collections::HashSet::new();
        for (number, line) in whole.lines().enumerate() {
            let wrong = |reason: &str| format!("line {}: {reason}", number + 2);
            let game: GameSummary = serde_json::from_str(line).map_err(|error| wrong(&error.to_string()))?;
            saved.check_game(&game).map_err(wrong)?;
            if !seen.insert(game.index) {
                return Err(wrong("duplicate game"));
            }
            saved.finished.push(game);
        }
        Ok(saved)
    }

    fn check_plan(&self) -> Result<(), &'static str> {
        let config = &self.request.config;
        if config.engines.len() != config.schedule.engines || config.schedule.is_empty() {
            return Err("the schedule does not match the engines");
        }
        if config.sprt.is_some() && config.engines.len() != 2 {
            return Err("an SPRT requires two engines");
        }
        Ok(())
    }

    fn check_game(&self, game: &GameSummary) -> Result<(), &'static str> {
        let job = self.request.config.schedule.job(game.index).ok_or("game is not in the schedule")?;
        if (game.white, game.black, game.meeting) != (job.white, job.black, job.meeting) {
            return Err("players differ from the schedule");
        }
        if game.white_half_points > 2 {
            return Err("more than one point");
        }
        if game.culprit.is_some_and(|culprit| culprit != game.white && culprit != game.black) {
            return Err("fault of an engine that did not play");
        }
        Ok(())
    }

    pub fn tally(&self) -> Tally {
        Tally::of(&self.request.config, &self.finished)
    }

    /// Whether all games are played or the SPRT is decided.
    pub fn is_over(&self) -> bool {
        let config = &self.request.config;
        self.finished.len() as u64 >= config.schedule.len() || sprt_decision(config, &self.tally()).is_some()
    }

    /// Rounds with a finished game.
    pub fn rounds_begun(&self) -> u64 {
        let schedule = &self.request.config.schedule;
        let rounds =
            self.finished.iter().filter_map(|game| schedule.job(game.index)).map(|job| job.round + 1);
        rounds.max().unwrap_or(0)
    }

    /// The engines and the number of games.
    fn summary(&self) -> String {
        let config = &self.request.config;
        let names: Vec<&str> = config.engines.iter().map(|engine| engine.name.as_str()).collect();
        format!("{}, {} of {} games", names.join(" - "), self.finished.len(), config.schedule.len())
    }
}

/// The error for a file of the match at `path` that cannot be locked.
fn lock_error<'a>(file: &'a Path, path: &'a Path) -> impl Fn(TryLockError) -> SaveError + 'a {
    move |error| match error {
        TryLockError::WouldBlock => running(path),
        TryLockError::Error(error) => SaveError::File(file.to_owned(), error),
    }
}

/// The error for a match in progress. Its file may not be complete yet.
fn running(path: &Path) -> SaveError {
    let saved = SavedMatch::load(path).ok();
    let process = saved.as_ref().and_then(|saved| saved.process);
    let players = saved.map(|saved| saved.summary());
    let number = process.map(|process| format!("process {process}"));
    let known: Vec<String> = players.into_iter().chain(number).collect();
    let what = if known.is_empty() { "by another process".to_owned() } else { known.join(", ") };
    SaveError::Running { path: path.to_owned(), what, process }
}

/// The state of a running match on disk.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
    /// Opened to append, and locked.
    file: File,
    games: usize,
    /// The file that this one replaces stays locked: another process may have just opened it.
    _replaced: Option<FileLock>,
}

impl StateFile {
    /// The file of a new match: the user's choice, or the first free default name, with a warning if another match has the
    /// usual one. An interrupted match is overwritten only with `discard`, a match in progress never.
    ///
    /// # Errors
    /// The file cannot be written, or holds another match.
    pub fn create(request: &MatchRequest) -> Result<(Self, Option<String>), SaveError> {
        let saving = &request.saving;
        let named = saving.file.as_deref().or(saving.discard.then_some(Path::new(DEFAULT_FILE)));
        match named {
            Some(path) => {
                Ok((Self::write(path, request, &[], || lock_replaceable(path, saving.discard))?, None))
            }
            None => Self::create_unnamed(Path::new(DEFAULT_FILE), request),
        }
    }

    /// The first free default name. The file is created at once: another match may start at the same time.
    fn create_unnamed(first: &Path, request: &MatchRequest) -> Result<(Self, Option<String>), SaveError> {
        let mut warning = None;
        for number in 1..=MAX_FILES {
            let path = if number == 1 { first.to_owned() } else { numbered(first, number) };
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(_) => {
                    let state = Self::write(&path, request, &[], || Ok(None)).inspect_err(|_| {
                        let _ = std::fs::remove_file(&path);
                    })?;
                    let warning =
                        warning.map(|what| format!("{what}. This match is saved in {}", path.display()));
                    return Ok((state, warning));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    warning.get_or_insert_with(|| occupied(&path));
                }
                Err(error) => return Err(SaveError::File(path, error)),
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
        request: &MatchRequest,
        finished: &[GameSummary],
    ) -> Result<Self, SaveError> {
        let path = request.saving.file.as_deref().unwrap_or(lock.path());
        let is_other = path != lock.path();
        let replaced = || if is_other { lock_replaceable(path, request.saving.discard) } else { Ok(None) };
        Self::write(path, request, finished, replaced)
    }

    /// The file of a resumed match.
    ///
    /// # Errors
    /// The file cannot be written, or another process plays the match.
    pub fn resume(path: &Path, request: &MatchRequest, finished: &[GameSummary]) -> Result<Self, SaveError> {
        Self::write(path, request, finished, || lock_replaceable(path, true))
    }

    /// Writes the file if `lock` allows it. It is replaced atomically: an interruption leaves the old one. The new one is
    /// locked before it is renamed, so that it never appears without a lock.
    fn write(
        path: &Path,
        request: &MatchRequest,
        finished: &[GameSummary],
        lock: impl FnOnce() -> Result<Option<FileLock>, SaveError>,
    ) -> Result<Self, SaveError> {
        let draft = files::draft_of(path);
        // Not truncated until it is locked: it may belong to another process.
        let mut file = files::open_locked(&draft, OpenOptions::new().create(true).read(true).append(true))
            .map_err(lock_error(&draft, path))?;
        let replace = || -> Result<Option<FileLock>, SaveError> {
            let failed = SaveError::of_file(path);
            let head = Head { version: VERSION, process: Some(std::process::id()), request };
            let mut text = line_of(&head).map_err(&failed)?;
            for game in finished {
                text.push_str(&line_of(game).map_err(&failed)?);
            }
            let replaced = lock()?;
            file.set_len(0).and_then(|()| file.write_all(text.as_bytes())).map_err(&failed)?;
            std::fs::rename(&draft, path).map_err(&failed)?;
            Ok(replaced)
        };
        let replaced = replace().inspect_err(|_| {
            let _ = std::fs::remove_file(&draft);
        })?;
        Ok(Self { path: path.to_owned(), file, games: finished.len(), _replaced: replaced })
    }

    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, game: &GameSummary) -> Result<(), SaveError> {
        let failed = |error: io::Error| SaveError::File(self.path.clone(), error);
        let line = line_of(game).map_err(failed)?;
        // One write for the whole line.
        self.file.write_all(line.as_bytes()).map_err(failed)?;
        self.games += 1;
        Ok(())
    }

    pub fn games(&self) -> usize {
        self.games
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn remove(self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn line_of(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

/// Locks a file that may be overwritten: a finished match (scripts are run again), or any match if `discard` is set, but
/// never one that another process plays. `None` if there is no file.
fn lock_replaceable(path: &Path, discard: bool) -> Result<Option<FileLock>, SaveError> {
    match SavedMatch::lock(path) {
        Ok((lock, saved)) if discard || saved.is_over() => Ok(Some(lock)),
        Ok((_, saved)) => Err(SaveError::Unfinished(path.to_owned(), saved.summary())),
        Err(SaveError::File(_, error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(SaveError::Content(..)) if discard => Ok(None),
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
