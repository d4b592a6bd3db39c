//! Any player as a judge of positions for opening books.

use chess::{Game, Position};
use uci::Score;

use super::generator::Scorer;
use crate::game::{EngineLimits, GameClock, start_command};
use crate::players::{MoveRequest, Player};

/// A player that scores positions.
pub struct PlayerScorer<P> {
    player: P,
    clocks: [GameClock; 2],
    chess960: bool,
}

impl<P: Player> PlayerScorer<P> {
    /// Scores with searches of these limits.
    pub fn new(player: P, limits: EngineLimits, chess960: bool) -> Self {
        Self { player, clocks: [GameClock::new(limits); 2], chess960 }
    }
}

impl<P: Player + Send> Scorer for PlayerScorer<P> {
    fn score(&mut self, position: &Position) -> Result<Option<i32>, String> {
        let game = Game::new(*position);
        let command = start_command(position, self.chess960);
        let question = MoveRequest { game: &game, position: &command, clocks: &self.clocks };
        let forgot = self.player.new_game();
        let thought =
            forgot.and_then(|()| self.player.think(&question)).map_err(|fault| fault.to_string())?;
        Ok(thought.info.and_then(|info| info.score).map(Score::centipawns))
    }
}
