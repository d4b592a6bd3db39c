//! Progress of a self-play run, on any device.

use std::time::Duration;

use super::plan::Goal;
use super::run::Run;

/// Progress of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SelfPlayProgress {
    /// Games of the shard, including earlier runs.
    pub games: u64,
    pub positions: u64,
    /// Games of this run alone.
    pub new_games: u64,
    /// Positions of this run alone.
    pub new_positions: u64,
    /// Nodes that this run has searched.
    pub nodes: u64,
    /// Time since its start.
    pub elapsed: Duration,
    goal: Goal,
    /// Progress before this run.
    done_before: f64,
}

impl SelfPlayProgress {
    /// At the start of a run.
    pub fn new(run: &Run) -> SelfPlayProgress {
        let Run { goal, games_before: games, positions_before: positions, .. } = *run;
        let done_before = goal.done(games, positions);
        let (nodes, elapsed) = (0, Duration::ZERO);
        SelfPlayProgress {
            games,
            positions,
            new_games: 0,
            new_positions: 0,
            nodes,
            elapsed,
            goal,
            done_before,
        }
    }

    /// Adds a game with this many positions.
    pub fn add_game(&mut self, positions: usize) {
        self.games += 1;
        self.new_games += 1;
        self.positions += positions as u64;
        self.new_positions += positions as u64;
    }

    /// Whether the goal is reached.
    pub fn is_complete(&self) -> bool {
        self.goal.is_reached(self.games, self.positions)
    }

    /// From 0 to 1.
    pub fn done(&self) -> f64 {
        self.goal.done(self.games, self.positions)
    }

    /// Positions per second of this run.
    pub fn positions_per_second(&self) -> f64 {
        self.new_positions as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Nodes per second of this run.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Estimated time left; `None` before the first game.
    pub fn time_left(&self) -> Option<Duration> {
        let fresh = self.done() - self.done_before;
        let left = (fresh > 0.0).then(|| self.elapsed.as_secs_f64() / fresh * (1.0 - self.done()))?;
        Duration::try_from_secs_f64(left).ok()
    }
}
