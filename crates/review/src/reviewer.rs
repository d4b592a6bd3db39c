//! Has an engine search every position of a game.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chess::{Color, Game};
use engine::evaluation::Evaluation;
use serde::{Deserialize, Serialize};

use super::game::judge;
use super::{GameReview, Judgement, MoveExplanation, SourceGame};
use arena::config::EngineConfig;
use arena::game::{EngineLimits, GameClock, append_move, start_command};
use arena::players::{MoveRequest, Player, PlayerError, PlayerFactory};
use uci::Score;

/// What an engine found in a position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PositionAnalysis {
    /// From White's point of view; none if the game is over.
    pub score: Option<Score>,
    /// The PV in UCI notation.
    pub line: Vec<String>,
    pub depth: u32,
    pub nodes: u64,
    /// Why the move that led here was a mistake, if it was one and explanations are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Box<MoveExplanation>>,
}

/// A position that has just been analysed.
#[derive(Clone, Copy, Debug)]
pub struct AnalysedPosition<'a> {
    pub subject: &'a SourceGame,
    /// Plies before it.
    pub ply: usize,
    pub analysis: &'a PositionAnalysis,
    /// Whether it was known before, from a journal.
    pub remembered: bool,
}

/// Reviews games with one engine.
pub struct Reviewer {
    player: Box<dyn Player>,
    limits: EngineLimits,
    pub(crate) chess960: bool,
    stop: Arc<AtomicBool>,
    /// Whether mistakes are explained.
    explains: bool,
    /// Whose network says what the pieces are worth.
    pub(crate) evaluation: Evaluation,
    after_search: Box<dyn FnMut() + Send>,
}

impl Reviewer {
    /// Starts the engine. Setting `stop` ends its search, and [`review`](Self::review) returns.
    ///
    /// # Errors
    /// The engine does not start.
    pub fn new(
        engine: &EngineConfig,
        limits: EngineLimits,
        chess960: bool,
        stop: Arc<AtomicBool>,
    ) -> Result<Reviewer, PlayerError> {
        let factory = PlayerFactory { chess960, ..PlayerFactory::default() };
        Ok(Reviewer {
            player: factory.create(engine, Arc::clone(&stop))?,
            limits,
            chess960,
            stop,
            explains: false,
            evaluation: Evaluation::default(),
            after_search: Box::new(|| {}),
        })
    }

    /// The same reviewer, which explains every mistake and blunder.
    #[must_use]
    pub fn with_explanations(self) -> Reviewer {
        Reviewer { explains: true, ..self }
    }

    /// The same reviewer with this evaluation of single pieces, instead of the built-in one.
    #[must_use]
    pub fn with_evaluation(self, evaluation: Evaluation) -> Reviewer {
        Reviewer { evaluation, ..self }
    }

    /// The same reviewer, which calls this after every search.
    #[must_use]
    pub fn with_progress(self, after_search: impl FnMut() + Send + 'static) -> Reviewer {
        Reviewer { after_search: Box::new(after_search), ..self }
    }

    /// Analyses every position of a game in order. `known` returns an analysis from an earlier run;
    /// `on_position` is called for every position.
    ///
    /// # Errors
    /// The engine failed or was stopped.
    pub fn review(
        &mut self,
        subject: &SourceGame,
        mut known: impl FnMut(usize) -> Option<PositionAnalysis>,
        mut on_position: impl FnMut(AnalysedPosition),
    ) -> Result<GameReview, PlayerError> {
        self.player.new_game()?;
        let mut game = Game::new(subject.start);
        let mut command = start_command(&subject.start, self.chess960);
        let mut analyses: Vec<PositionAnalysis> = Vec::with_capacity(subject.moves.len() + 1);
        for ply in 0..=subject.moves.len() {
            // Also where nothing has to be searched: there may be very many such positions.
            if self.stop.load(Ordering::Relaxed) {
                return Err(PlayerError::Interrupted);
            }
            let memory = known(ply);
            let remembered = memory.is_some();
            let analysis = if let Some(analysis) = memory {
                analysis
            } else {
                let mut analysis = self.analyse(&game, &command)?;
                analysis.explanation = self.explain_mistake(subject, ply, analyses.last(), &analysis)?;
                analysis
            };
            on_position(AnalysedPosition { subject, ply, analysis: &analysis, remembered });
            analyses.push(analysis);
            if let Some(&mv) = subject.moves.get(ply) {
                append_move(&mut command, &mv.uci(self.chess960).to_string());
                game.play(mv);
            }
        }
        Ok(GameReview::new(subject, &analyses))
    }

    /// Clears what the engine remembers of other positions, so that an analysis depends on nothing else.
    ///
    /// # Errors
    /// The engine failed or was stopped.
    pub fn new_game(&mut self) -> Result<(), PlayerError> {
        self.player.new_game()
    }

    /// Explains the move that led to a position, if it was a mistake.
    fn explain_mistake(
        &mut self,
        subject: &SourceGame,
        ply: usize,
        before: Option<&PositionAnalysis>,
        after: &PositionAnalysis,
    ) -> Result<Option<Box<MoveExplanation>>, PlayerError> {
        let Some(earlier) = ply.checked_sub(1).filter(|_| self.explains) else { return Ok(None) };
        let (game, mv) = (subject.game_after(earlier), subject.moves[earlier]);
        if judge(game.position(), mv, before, Some(after)).0 < Judgement::Mistake || game.outcome().is_some()
        {
            return Ok(None);
        }
        Ok(self.explain(&game, Some(mv))?.map(Box::new))
    }

    /// Analyses one position.
    ///
    /// # Errors
    /// The engine failed or was stopped.
    pub fn analyse(&mut self, game: &Game, command: &str) -> Result<PositionAnalysis, PlayerError> {
        self.analyse_within(game, command, self.limits)
    }

    /// Analyses one position within `factor` times the limits.
    pub(crate) fn analyse_longer(
        &mut self,
        game: &Game,
        command: &str,
        factor: u32,
    ) -> Result<PositionAnalysis, PlayerError> {
        self.analyse_within(game, command, longer(&self.limits, factor))
    }

    fn analyse_within(
        &mut self,
        game: &Game,
        command: &str,
        limits: EngineLimits,
    ) -> Result<PositionAnalysis, PlayerError> {
        if game.position().outcome().is_some() {
            return Ok(PositionAnalysis::default());
        }
        let clocks = [GameClock::new(limits); 2];
        let thought = self.player.think(&MoveRequest { game, position: command, clocks: &clocks })?;
        (self.after_search)();
        let info = thought.info.unwrap_or_default();
        let black = game.position().turn() == Color::Black;
        let mut line = info.pv;
        if line.is_empty() {
            line.extend(thought.best.legal().map(|mv| mv.uci(self.chess960).to_string()));
        }
        Ok(PositionAnalysis {
            score: info.score.map(|score| if black { -score } else { score }),
            line,
            depth: info.depth.unwrap_or(0),
            nodes: info.nodes.unwrap_or(0),
            explanation: None,
        })
    }
}

/// The limits of a search that takes about `factor` times as long; a ply more for each doubling.
pub fn longer(limits: &EngineLimits, factor: u32) -> EngineLimits {
    EngineLimits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_mul(u64::from(factor))),
        move_time: limits.move_time.map(|time| time.saturating_mul(factor)),
        depth: limits.depth.map(|depth| depth + factor.ilog2()),
        ..*limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn reviewer(stop: &Arc<AtomicBool>) -> Reviewer {
        let limits = EngineLimits { depth: Some(1), ..EngineLimits::default() };
        Reviewer::new(&EngineConfig::in_process(), limits, false, Arc::clone(stop)).expect("it starts")
    }

    /// The game is over after eight plies, and goes on: there is nothing to search.
    #[test]
    fn stop_works_in_finished_positions() {
        let stop = Arc::new(AtomicBool::new(false));
        let (games, _) = read(&format!("{} *", "Nf3 Nf6 Ng1 Ng8 ".repeat(20)));
        let mut seen = 0;
        let reviewed = reviewer(&stop).review(
            &games[0],
            |_| None,
            |progress| {
                seen = progress.ply;
                stop.store(progress.ply == 30, Ordering::Relaxed);
            },
        );
        assert!(matches!(reviewed, Err(PlayerError::Interrupted)));
        assert_eq!(seen, 30);
    }

    #[test]
    fn stop_works_in_known_positions() {
        let stop = Arc::new(AtomicBool::new(false));
        let (games, _) = read("1. e4 e5 2. Nf3 Nc6 *");
        let known = |ply| {
            stop.store(ply == 2, Ordering::Relaxed);
            Some(PositionAnalysis::default())
        };
        assert!(reviewer(&stop).review(&games[0], known, |_| {}).is_err());
    }
}
