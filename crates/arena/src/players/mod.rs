//! Who sits at the board: what the arena asks of a player, and what can go wrong with one.

mod factory;
mod in_process;
mod inspect;
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

/// A position and the clocks, as put before a player.
#[derive(Debug)]
pub struct MoveRequest<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// The same as a UCI `position` command.
    pub position: &'a str,
    /// The clocks of White and Black.
    pub clocks: &'a [GameClock; 2],
}

impl MoveRequest<'_> {
    /// The clock of the side to move.
    pub fn clock(&self) -> &GameClock {
        &self.clocks[self.game.position().turn().index()]
    }
}

/// A player's answer.
#[derive(Clone, Debug, Default)]
pub struct MoveReply {
    /// The move.
    pub best: ReplyMove,
    /// Time from question to answer.
    pub elapsed: Duration,
    /// What the player said of its search, last.
    pub info: Option<Info>,
    /// All lines of play that it showed, in order.
    pub lines: Vec<Info>,
    /// Answers that nobody had asked for, seen before this question.
    pub stray_answers: u32,
}

/// The move of a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ReplyMove {
    Legal(Move),
    /// Text that is no legal move, as the engine wrote it.
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

/// Why a player cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerError {
    /// It could not be started, or did not finish its start in time.
    Start(String),
    /// It is gone.
    Disconnected(String),
    /// It does not answer.
    Stalled(String),
    /// Our own side is stopping.
    Interrupted,
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(reason) | Self::Disconnected(reason) | Self::Stalled(reason) => f.write_str(reason),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for PlayerError {}

/// Someone who can play games.
pub trait Player: Send {
    /// Forgets the last game.
    ///
    /// # Errors
    /// The player cannot go on.
    fn new_game(&mut self) -> Result<(), PlayerError>;

    /// Finds a move.
    ///
    /// # Errors
    /// The player cannot go on.
    fn think(&mut self, question: &MoveRequest) -> Result<MoveReply, PlayerError>;

    /// The last lines of the conversation, for a report.
    fn transcript(&self) -> Vec<TranscriptLine>;
}

impl Player for Box<dyn Player> {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        (**self).new_game()
    }

    fn think(&mut self, question: &MoveRequest) -> Result<MoveReply, PlayerError> {
        (**self).think(question)
    }

    fn transcript(&self) -> Vec<TranscriptLine> {
        (**self).transcript()
    }
}
