//! Gives the positions of games to an engine, and keeps what it thinks of each.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use chess::{Color, Game};
use serde::{Deserialize, Serialize};

use super::{GameReview, Subject};
use arena::config::{EngineConfig, Timeouts};
use arena::game::{EngineLimits, GameClock, append_move, start_command};
use arena::players::{MoveRequest, Player, PlayerError, PlayerFactory};
use uci::Score;

/// What an engine thinks of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opinion {
    /// The score, always White's; none if the game is over.
    pub score: Option<Score>,
    /// The best line in coordinates.
    pub line: Vec<String>,
    /// How deep it looked.
    pub depth: u32,
    /// How many nodes it looked at.
    pub nodes: u64,
}

/// How far a review has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The game.
    pub subject: &'a Subject,
    /// The position that has just been judged: after so many half moves.
    pub ply: usize,
    /// What was thought of it.
    pub opinion: &'a Opinion,
    /// Whether it was known before.
    pub remembered: bool,
}

/// An engine that judges games.
pub struct Reviewer {
    player: Box<dyn Player>,
    limits: EngineLimits,
    chess960: bool,
}

impl Reviewer {
    /// Seats the engine. Setting `stop` ends its thinking, and [`review`](Self::review) returns.
    ///
    /// # Errors
    /// The engine does not start.
    pub fn new(
        engine: &EngineConfig,
        limits: EngineLimits,
        chess960: bool,
        stop: Arc<AtomicBool>,
    ) -> Result<Reviewer, PlayerError> {
        let factory = PlayerFactory { chess960, timeouts: Timeouts::default(), tap: None };
        Ok(Reviewer { player: factory.create(engine, stop)?, limits, chess960 })
    }

    /// Judges every position of a game, from the first to the last. `known` may have an opinion already;
    /// `tell` hears of every position.
    ///
    /// # Errors
    /// The engine cannot go on, or was stopped.
    pub fn review(
        &mut self,
        subject: &Subject,
        mut known: impl FnMut(usize) -> Option<Opinion>,
        mut tell: impl FnMut(Progress),
    ) -> Result<GameReview, PlayerError> {
        self.player.new_game()?;
        let mut game = Game::new(subject.start);
        let mut command = start_command(&subject.start, self.chess960);
        let mut opinions = Vec::with_capacity(subject.moves.len() + 1);
        for ply in 0..=subject.moves.len() {
            let memory = known(ply);
            let remembered = memory.is_some();
            let opinion = match memory {
                Some(opinion) => opinion,
                None => self.judge(&game, &command)?,
            };
            tell(Progress { subject, ply, opinion: &opinion, remembered });
            opinions.push(opinion);
            if let Some(&mv) = subject.moves.get(ply) {
                append_move(&mut command, &mv.uci(self.chess960).to_string());
                game.play(mv);
            }
        }
        Ok(GameReview::new(subject, &opinions))
    }

    /// What the engine thinks of a position.
    ///
    /// # Errors
    /// The engine cannot go on, or was stopped.
    pub fn judge(&mut self, game: &Game, command: &str) -> Result<Opinion, PlayerError> {
        if game.position().outcome().is_some() {
            return Ok(Opinion::default());
        }
        let clocks = [GameClock::new(self.limits); 2];
        let thought = self.player.think(&MoveRequest { game, position: command, clocks: &clocks })?;
        let info = thought.info.unwrap_or_default();
        let black = game.position().turn() == Color::Black;
        let mut line = info.pv;
        if line.is_empty() {
            line.extend(thought.best.legal().map(|mv| mv.uci(self.chess960).to_string()));
        }
        Ok(Opinion {
            score: info.score.map(|score| if black { -score } else { score }),
            line,
            depth: info.depth.unwrap_or(0),
            nodes: info.nodes.unwrap_or(0),
        })
    }
}
