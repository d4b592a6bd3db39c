//! Scores positions for the opening generator with a player.

use chess::{Game, Position};
use uci::Score;

use super::generator::Scorer;
use crate::game::{EngineLimits, GameClock, start_command};
use crate::players::{MoveRequest, Player};

pub struct PlayerScorer<P> {
    player: P,
    clocks: [GameClock; 2],
    chess960: bool,
}

impl<P: Player> PlayerScorer<P> {
    pub fn new(player: P, limits: EngineLimits, chess960: bool) -> Self {
        Self { player, clocks: [GameClock::new(limits); 2], chess960 }
    }
}

impl<P: Player + Send> Scorer for PlayerScorer<P> {
    fn score(&mut self, position: &Position) -> Result<Option<i32>, String> {
        let game = Game::new(*position);
        let command = start_command(position, self.chess960);
        let request = MoveRequest { game: &game, position: &command, clocks: &self.clocks };
        let started = self.player.new_game();
        let reply = started.and_then(|()| self.player.think(&request)).map_err(|error| error.to_string())?;
        Ok(reply.info.and_then(|info| info.score).map(Score::centipawns))
    }
}
