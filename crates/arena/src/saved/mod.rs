//! A match on disk: its configuration and all finished games, so that it can be resumed. JSON Lines: the first line is the
//! match, each further line a game, appended as it ends, so that a crash loses no finished game.
//!
//! The process that plays a match holds the operating system's lock on its file: two processes never write to one file.
//!
//! Each line has the lengths of the PGN and EPD files after its game, so that all of them hold the same games after a crash
//! ([`SavedMatch::repair`]).

mod fastchess;
mod repair;
mod state_file;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use support::files::{self, FileLock};

pub use fastchess::FastchessMatch;
pub use state_file::StateFile;

use crate::cli::MatchOptions;
use crate::fixtures::Fixtures;
use crate::results::{GameSummary, Tally, sprt_decision};

const VERSION: u32 = 2;

#[derive(Clone, Debug, PartialEq)]
pub struct SavedMatch {
    pub request: MatchOptions,
    pub finished: Vec<GameSummary>,
    /// The process that played it last, if known.
    pub process: Option<u32>,
    marks: Vec<Mark>,
}

/// The lengths of the output files of a match in bytes; none for files that are not written, and for pipes and devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputLengths {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pgn: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epd: Option<u64>,
    /// Whether these lengths were on the disk before this was written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub synced: bool,
}

/// The lengths of the output files after a number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    games: usize,
    lengths: OutputLengths,
}

#[derive(Serialize, Deserialize)]
struct Head<R> {
    version: u32,
    #[serde(default)]
    process: Option<u32>,
    request: R,
    /// With the games that were written together with this line.
    #[serde(default)]
    output: Option<OutputLengths>,
}

/// A game in the file.
#[derive(Serialize, Deserialize)]
struct Line<G> {
    #[serde(flatten)]
    game: G,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output: Option<OutputLengths>,
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
    /// Reads the `config.json` of fastchess; `None` if the file is something else.
    ///
    /// # Errors
    /// It cannot be read, or its settings are invalid.
    pub fn of_fastchess(path: &Path) -> Result<Option<FastchessMatch>, SaveError> {
        let bytes = files::read_limited(path, files::CONTENT_LIMIT).map_err(SaveError::of_file(path))?;
        let text = String::from_utf8_lossy(&bytes);
        if !fastchess::is_fastchess(&text) {
            return Ok(None);
        }
        FastchessMatch::read(&text).map(Some).map_err(|reason| SaveError::Content(path.to_owned(), reason))
    }

    /// Reads a file. An incomplete last line is skipped.
    ///
    /// # Errors
    /// It cannot be read, or is not a saved match.
    pub fn load(path: &Path) -> Result<Self, SaveError> {
        let bytes = files::read_limited(path, files::CONTENT_LIMIT).map_err(SaveError::of_file(path))?;
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
        let mut head: Head<serde_json::Value> =
            serde_json::from_str(head).map_err(|error| error.to_string())?;
        if head.version != VERSION {
            return Err(format!("version {}, expected {VERSION}", head.version));
        }
        let request: MatchOptions =
            serde_json::from_value(head.request).map_err(|error| error.to_string())?;
        let mut saved = Self { request, finished: Vec::new(), process: head.process, marks: Vec::new() };
        saved.check_plan()?;
        // After the last newline there is only part of a line.
        let whole = games.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let mut seen = std::collections::HashSet::new();
        let mut fixtures = Fixtures::new(&saved.request.config.schedule, &[]);
        for (number, line) in whole.lines().enumerate() {
            let wrong = |reason: &str| format!("line {}: {reason}", number + 2);
            let Line { game, output } =
                serde_json::from_str::<Line<GameSummary>>(line).map_err(|error| wrong(&error.to_string()))?;
            check_game(&game, &fixtures).map_err(wrong)?;
            if !seen.insert(game.index) {
                return Err(wrong("duplicate game"));
            }
            fixtures.add(&game);
            saved.finished.push(game);
            if let Some(lengths) = output {
                // Lines without lengths were written together with the head.
                let games = saved.finished.len();
                saved.marks.extend(head.output.take().map(|lengths| Mark { games: games - 1, lengths }));
                saved.marks.push(Mark { games, lengths });
            }
        }
        let games = saved.finished.len();
        saved.marks.extend(head.output.map(|lengths| Mark { games, lengths }));
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

    pub fn tally(&self) -> Tally {
        Tally::of(&self.request.config, &self.finished)
    }

    /// Whether all games are played or the SPRT is decided.
    pub fn is_over(&self) -> bool {
        let config = &self.request.config;
        Fixtures::new(&config.schedule, &self.finished).is_over()
            || sprt_decision(config, &self.tally()).is_some()
    }

    /// Rounds with a finished game.
    pub fn rounds_begun(&self) -> u64 {
        rounds_begun(&self.request, &self.finished)
    }

    /// The engines and the number of games.
    fn summary(&self) -> String {
        let config = &self.request.config;
        let names: Vec<&str> = config.engines.iter().map(|engine| engine.name.as_str()).collect();
        format!("{}, {} of {} games", names.join(" - "), self.finished.len(), config.schedule.len())
    }
}

/// `fixtures` has the games before it.
fn check_game(game: &GameSummary, fixtures: &Fixtures) -> Result<(), &'static str> {
    let job = fixtures.job(game.index).ok_or("game is not in the schedule")?;
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

/// Rounds of a match with a finished game.
pub fn rounds_begun(request: &MatchOptions, finished: &[GameSummary]) -> u64 {
    let fixtures = Fixtures::new(&request.config.schedule, finished);
    let rounds = finished.iter().filter_map(|game| fixtures.job(game.index)).map(|job| job.round + 1);
    rounds.max().unwrap_or(0)
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
