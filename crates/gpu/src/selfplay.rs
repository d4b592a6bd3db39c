//! Self-play on a machine, handed out in the order of the games' numbers: the file is the same whenever and however
//! often the run is interrupted.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use lab::selfplay::{Goal, Plan};
use record::packed::PackedGame;

use crate::abi::Counters;
use crate::error::GpuError;
use crate::games::{Outputs, Terms, check_plan};
use crate::player::Player;
use crate::venue::Venue;

/// How long the device plays between two looks: short enough to see progress, long enough to cost nothing.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Room for finished games between two looks, for each game that is played at once.
const BYTES_PER_GAME: usize = 16 << 10;
const LEAST_BYTES: usize = 1 << 20;

/// Games of one plan.
pub struct Run<'a> {
    /// How they are played.
    pub plan: &'a Plan,
    /// Who plays.
    pub player: &'a Player,
    /// What the shard is to have in the end, the games that it has already included.
    pub goal: Goal,
    /// Games that it has already.
    pub games_before: u64,
    /// Positions of these games.
    pub positions_before: u64,
    /// Set from outside to end the run once the games in progress are over.
    pub interrupt: &'a AtomicBool,
}

/// Where a run stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Games that were handed out, those of earlier runs included.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Games of this run that were handed out.
    pub new_games: u64,
    /// Their positions.
    pub new_positions: u64,
    /// Everything that the device did.
    pub counters: Counters,
    /// How long it has been going on.
    pub elapsed: Duration,
    /// Part of the goal that is done, from 0 to 1.
    pub done: f64,
    done_before: f64,
}

impl Progress {
    /// Nodes in a second.
    pub fn nodes_per_second(&self) -> f64 {
        self.counters.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Positions of finished games in a second.
    pub fn positions_per_second(&self) -> f64 {
        self.counters.plies as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// What the rest will take at this speed; `None` before the first games.
    pub fn time_left(&self) -> Option<Duration> {
        let fresh = self.done - self.done_before;
        let left = (fresh > 0.0).then(|| self.elapsed.as_secs_f64() / fresh * (1.0 - self.done))?;
        Duration::try_from_secs_f64(left).ok()
    }
}

/// Why a run ended early.
#[derive(Debug)]
pub enum RunError {
    /// The machine failed.
    Machine(GpuError),
    /// A game could not be written.
    Io(io::Error),
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Machine(error) => error.fmt(f),
            RunError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

impl From<GpuError> for RunError {
    fn from(error: GpuError) -> RunError {
        RunError::Machine(error)
    }
}

impl Run<'_> {
    /// Plays until the goal is reached. `take` gets the games in the order of their numbers, and `look` is told where
    /// the run stands after each look.
    ///
    /// # Errors
    /// If the machine fails, or what `take` failed with.
    pub fn play(
        &self,
        venue: &mut Venue,
        mut take: impl FnMut(&PackedGame) -> io::Result<()>,
        mut look: impl FnMut(&Progress),
    ) -> Result<Progress, RunError> {
        check_plan(self.plan)?;
        let clock = Instant::now();
        let mut progress = self.begin();
        if self.goal.is_reached(progress.games, progress.positions) {
            return Ok(progress);
        }
        let games = match self.goal {
            Goal::Games(games) => games - self.games_before,
            Goal::Positions(_) => u64::MAX,
        };
        let terms = Terms::of_plan(self.plan, self.games_before, games);
        let at_once = venue.games_at_once(self.player.network.shape().hidden())?;
        let outputs =
            Outputs { game_bytes: (at_once * BYTES_PER_GAME).max(LEAST_BYTES), ..Outputs::default() };
        let mut playing = venue.begin([self.player; 2], &terms, &outputs)?;
        // Games that were finished before an earlier one, by index.
        let mut early = BTreeMap::new();
        while !playing.is_over() {
            if self.interrupt.load(Relaxed) {
                playing.begin_no_more();
            }
            playing.advance(LOOK_EVERY)?;
            for finished in playing.take_games()? {
                early.insert((finished.header.number - terms.first_game) / terms.game_step, finished.game);
            }
            progress.counters = playing.control().counters;
            while let Some(game) = early.remove(&progress.new_games) {
                take(&game).map_err(RunError::Io)?;
                progress.add(&game, self.goal);
                if self.goal.is_reached(progress.games, progress.positions) {
                    progress.elapsed = clock.elapsed();
                    return Ok(progress);
                }
            }
            progress.elapsed = clock.elapsed();
            look(&progress);
        }
        Ok(progress)
    }

    fn begin(&self) -> Progress {
        let done = self.goal.done(self.games_before, self.positions_before);
        Progress {
            games: self.games_before,
            positions: self.positions_before,
            new_games: 0,
            new_positions: 0,
            counters: Counters::default(),
            elapsed: Duration::ZERO,
            done,
            done_before: done,
        }
    }
}

impl Progress {
    fn add(&mut self, game: &PackedGame, goal: Goal) {
        let positions = game.moves.len() as u64;
        self.games += 1;
        self.new_games += 1;
        self.positions += positions;
        self.new_positions += positions;
        self.done = goal.done(self.games, self.positions);
    }
}
