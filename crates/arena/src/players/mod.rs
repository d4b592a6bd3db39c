//! Players: UCI processes and Vedette in this process, behind one trait.

mod factory;
mod in_process;
mod inspect;
mod line_matcher;
mod process;

use std::fmt;
use std::time::Duration;

use chess::{Game, Move, Position};
use uci::Info;
use uci::client::TranscriptLine;

use crate::game::GameClock;

pub use factory::PlayerFactory;
pub use in_process::InProcessPlayer;
pub use inspect::{inspect_engines, option_warnings};
pub use process::ProcessPlayer;

/// A position to find a move in, and the clocks.
#[derive(Debug)]
pub struct MoveRequest<'a> {
    pub game: &'a Game,
    /// The UCI `position` command of the game.
    pub position: &'a str,
    pub clocks: &'a [GameClock; 2],
}

impl MoveRequest<'_> {
    pub fn clock(&self) -> &GameClock {
        &self.clocks[self.game.position().turn().index()]
    }
}

#[derive(Clone, Debug, Default)]
pub struct MoveReply {
    pub best: ReplyMove,
    /// The expected answer to it, as the engine wrote it.
    pub ponder: Option<String>,
    /// Time from request to reply.
    pub elapsed: Duration,
    /// The last `info` with a score.
    pub info: Option<Info>,
    /// The `info`s with a PV, in order; of very many the last.
    pub lines: Vec<Info>,
    /// Number of `info` lines, free text not counted.
    pub infos: u32,
    /// The last line that each expression of `match_line=` matches.
    pub matched: Vec<String>,
    /// Unexpected `bestmove`s before this request.
    pub stray_answers: u32,
}

/// The move of a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ReplyMove {
    Legal(Move),
    /// Text that is not a legal move.
    Illegal(String),
    #[default]
    None,
}

impl ReplyMove {
    /// Parses the `bestmove` of an engine in `position`.
    pub fn parse(position: &Position, text: Option<String>) -> ReplyMove {
        match text {
            None => ReplyMove::None,
            Some(text) => position.parse_uci(&text).map_or(ReplyMove::Illegal(text), ReplyMove::Legal),
        }
    }

    pub fn legal(&self) -> Option<Move> {
        match self {
            ReplyMove::Legal(mv) => Some(*mv),
            ReplyMove::Illegal(_) | ReplyMove::None => None,
        }
    }

    /// UCI notation; empty if there is no move.
    pub fn uci(&self, chess960: bool) -> String {
        match self {
            ReplyMove::Legal(mv) => mv.uci(chess960).to_string(),
            ReplyMove::Illegal(text) => text.clone(),
            ReplyMove::None => String::new(),
        }
    }
}

impl From<Option<Move>> for ReplyMove {
    fn from(best: Option<Move>) -> ReplyMove {
        best.map_or(ReplyMove::None, ReplyMove::Legal)
    }
}

/// Why a player cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerError {
    /// It did not start, or not in time.
    Start(String),
    /// It exited or closed its output.
    Disconnected(String),
    /// It does not respond.
    Stalled(String),
    /// This system has no memory, threads or files left for it. No fault of the engine.
    NoResources(String),
    /// The match is being stopped.
    Interrupted,
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(reason)
            | Self::Disconnected(reason)
            | Self::Stalled(reason)
            | Self::NoResources(reason) => f.write_str(reason),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for PlayerError {}

pub trait Player: Send {
    /// Prepares for a new game.
    ///
    /// # Errors
    /// The player cannot continue.
    fn new_game(&mut self) -> Result<(), PlayerError>;

    /// Finds a move.
    ///
    /// # Errors
    /// The player cannot continue.
    fn think(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError>;

    /// The last lines of engine communication, for fault reports.
    fn transcript(&self) -> Vec<TranscriptLine>;

    /// `id name` of a UCI process.
    fn reported_name(&self) -> Option<&str> {
        None
    }
}

impl Player for Box<dyn Player> {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        (**self).new_game()
    }

    fn think(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError> {
        (**self).think(request)
    }

    fn transcript(&self) -> Vec<TranscriptLine> {
        (**self).transcript()
    }

    fn reported_name(&self) -> Option<&str> {
        (**self).reported_name()
    }
}
