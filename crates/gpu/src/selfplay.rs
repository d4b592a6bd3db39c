//! A run of self-play whose games are played on a machine.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use datagen::selfplay::{Goal, Progress, Run};
use record::packed::PackedGame;

use crate::abi::Counters;
use crate::error::GpuError;
use crate::games::{Outputs, Terms, check_plan, read_games};
use crate::player::Player;
use crate::venue::Venue;

/// How long the device plays between two looks: short enough to see progress, long enough to cost nothing.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Room for finished games between two looks, for each game that is played at once.
const BYTES_PER_GAME: usize = 16 << 10;
const LEAST_BYTES: usize = 1 << 20;

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

/// Plays a run's games until its goal is reached. `take` gets the games in the order of their numbers, and `look` is told
/// where the run stands after each look; the nodes are those of all games that were begun. Ends with everything that the
/// device did.
///
/// # Errors
/// If the machine fails, or what `take` failed with.
pub fn play(
    run: &Run,
    player: &Player,
    venue: &mut Venue,
    mut take: impl FnMut(&PackedGame) -> io::Result<()>,
    mut look: impl FnMut(&Progress),
) -> Result<(Progress, Counters), RunError> {
    check_plan(run.plan)?;
    let mut progress = Progress::new(run);
    let mut counters = Counters::default();
    if progress.is_complete() {
        return Ok((progress, counters));
    }
    let games = match run.goal {
        Goal::Games(games) => games - run.games_before,
        Goal::Positions(_) => u64::MAX,
    };
    let terms = Terms::of_plan(run.plan, run.games_before, games);
    let at_once = venue.games_at_once(&player.network)?;
    let outputs = Outputs { game_bytes: (at_once * BYTES_PER_GAME).max(LEAST_BYTES), ..Outputs::default() };
    let mut playing = venue.begin([player; 2], &terms, &outputs)?;
    // The device code is compiled by now: what follows is play.
    let clock = Instant::now();
    // Games that were finished before an earlier one, by index.
    let mut early = BTreeMap::new();
    let mut arrived = Vec::new();
    loop {
        if run.interrupt.load(Relaxed) {
            playing.begin_no_more();
        }
        let is_over = playing.is_over();
        if !is_over {
            playing.launch(LOOK_EVERY)?;
        }
        // While the device plays on, the games of the launch before are replayed and written.
        for finished in read_games(&arrived)? {
            early.insert((finished.header.number - terms.first_game) / terms.game_step, finished.game);
        }
        while !progress.is_complete()
            && let Some(game) = early.remove(&progress.new_games)
        {
            take(&game).map_err(RunError::Io)?;
            progress.add_game(game.moves.len());
        }
        if is_over || progress.is_complete() {
            break;
        }
        counters = playing.look()?.counters;
        arrived = playing.take_games()?;
        progress.nodes = counters.nodes;
        progress.elapsed = clock.elapsed();
        look(&progress);
    }
    look(&progress);
    Ok((progress, counters))
}
