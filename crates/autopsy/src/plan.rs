//! Examines all lost games: on several threads, with a journal to resume from.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use arena::EngineConfig;
use arena::game::EngineLimits;
use arena::players::PlayerError;
use review::{Journal, JournalError, JournalHeader, PositionAnalysis, SourceGame};
use serde::{Deserialize, Serialize};
use support::sync::lock;

use crate::case::Case;
use crate::examine::Examiner;
use crate::probe::{EngineProber, Question};

/// The name and version of the journal's format.
const JOURNAL_SCHEMA: &str = "vedette-autopsy-journal/1";

/// How lost games are examined.
#[derive(Clone, Debug)]
pub struct AutopsyPlan {
    pub prober: EngineProber,
    /// The engine that knows better.
    pub reference: EngineConfig,
    /// Its limits for each position of a game; where the game may have been lost it gets four times as much.
    pub reference_limits: EngineLimits,
    /// The name of the engine under test in the games.
    pub player: String,
    /// The limits of the games; `None`: those of the PGN.
    pub limits: Option<EngineLimits>,
    /// Whether games are replayed, to find faults of hash and state.
    pub replay: bool,
    /// Games examined at once.
    pub concurrency: usize,
}

/// What has been done.
#[derive(Clone, Copy, Debug)]
pub enum AutopsyEvent<'a> {
    /// The reference has analysed the position after `ply` plies.
    Analysed { game: &'a SourceGame, ply: usize },
    /// The engine is being asked.
    Asking { game: &'a SourceGame, question: Question },
    /// A game is done; `remembered`: in an earlier run.
    Finished { case: &'a Case, remembered: bool },
}

/// What a journal keeps of a position, and of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Saved {
    Position(PositionAnalysis),
    /// Kept after the last position of the game.
    Case(Box<Case>),
}

/// Why a run ended early.
#[derive(Debug)]
pub enum AutopsyError {
    /// It was stopped.
    Interrupted,
    /// The reference engine failed.
    Reference(PlayerError),
    /// The journal cannot be written.
    Journal(JournalError),
    /// The limits of a game are not known: its place in the file, and what to do.
    Limits(usize, String),
}

impl fmt::Display for AutopsyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted"),
            Self::Reference(error) => write!(f, "reference engine: {error}"),
            Self::Journal(error) => error.fmt(f),
            Self::Limits(game, reason) => write!(f, "game {game}: {reason}"),
        }
    }
}

impl std::error::Error for AutopsyError {}

impl From<PlayerError> for AutopsyError {
    fn from(error: PlayerError) -> AutopsyError {
        match error {
            PlayerError::Interrupted => AutopsyError::Interrupted,
            error => AutopsyError::Reference(error),
        }
    }
}

impl From<JournalError> for AutopsyError {
    fn from(error: JournalError) -> AutopsyError {
        AutopsyError::Journal(error)
    }
}

/// The header of the journal of a plan for the games of a PGN text.
pub fn journal_header(plan: &AutopsyPlan, text: &str) -> JournalHeader {
    let AutopsyPlan { prober, reference, reference_limits, player, limits, replay, .. } = plan;
    let engine = |engine: &EngineConfig| {
        format!("{} {:?} {:?} {:?}", engine.name, engine.command, engine.arguments, engine.options)
    };
    let limits = limits.map_or("of the PGN".to_owned(), |limits| limits.to_string());
    let header = JournalHeader::new(
        &format!("{player}: {} by {}", engine(&prober.engine), engine(reference)),
        &format!("{limits}; {reference_limits}; replay {replay}; timeout {:?}", prober.timeout),
        text,
    );
    JournalHeader { schema: JOURNAL_SCHEMA.to_owned(), ..header }
}

/// What the threads share.
pub(crate) struct Shared<'a> {
    pub journal: Mutex<&'a mut Journal<Saved>>,
    listen: Mutex<&'a mut (dyn FnMut(AutopsyEvent) + Send)>,
}

impl Shared<'_> {
    pub fn tell(&self, event: AutopsyEvent) {
        (*lock(&self.listen))(event);
    }
}

impl AutopsyPlan {
    /// Examines the games of `chosen`, indexes into `games`. Each finished game is reported to `listen`, also those
    /// that the journal has.
    ///
    /// # Errors
    /// The run was stopped, or cannot go on. What was done is in the journal.
    pub fn run(
        &self,
        games: &[SourceGame],
        chosen: &[usize],
        journal: &mut Journal<Saved>,
        listen: &mut (dyn FnMut(AutopsyEvent) + Send),
    ) -> Result<(), AutopsyError> {
        let shared = Shared { journal: Mutex::new(journal), listen: Mutex::new(listen) };
        let next = AtomicUsize::new(0);
        let halt = AtomicUsize::new(0);
        let work = || -> Result<(), AutopsyError> {
            let mut examiner = Examiner::new(self, games, &shared)?;
            while halt.load(Ordering::Relaxed) == 0 {
                let Some(&index) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                if let Err(error) = examiner.game(index) {
                    halt.store(1, Ordering::Relaxed);
                    return Err(error);
                }
            }
            Ok(())
        };
        let threads = self.concurrency.clamp(1, chosen.len().max(1));
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let results: Vec<_> = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect();
            // A failure says more than the interruption of the others.
            let failed = |error: &AutopsyError| !matches!(error, AutopsyError::Interrupted);
            let mut errors: Vec<AutopsyError> = results.into_iter().filter_map(Result::err).collect();
            let first = errors.iter().position(failed).unwrap_or(0);
            if errors.is_empty() { Ok(()) } else { Err(errors.swap_remove(first)) }
        })
    }
}
