//! Self-play on a device.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use datagen::selfplay::{Goal, Run, SelfPlayProgress};
use record::packed::PackedGame;

use crate::abi::Counters;
use crate::context::DeviceContext;
use crate::error::GpuError;
use crate::games::{GameSettings, Outputs, check_plan, read_games};
use crate::player::NetworkPlayer;

/// Between two polls: short enough to show progress, long enough to cost nothing.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Buffer space for finished games between two polls, for each game in parallel.
const BYTES_PER_GAME: usize = 16 << 10;
const MIN_BYTES: usize = 1 << 20;

#[derive(Debug)]
pub enum SelfPlayError {
    Device(GpuError),
    /// A game could not be written.
    Io(io::Error),
}

impl std::fmt::Display for SelfPlayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SelfPlayError::Device(error) => error.fmt(f),
            SelfPlayError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SelfPlayError {}

impl From<GpuError> for SelfPlayError {
    fn from(error: GpuError) -> SelfPlayError {
        SelfPlayError::Device(error)
    }
}

/// Plays a run's games until its goal is reached. `take` gets the games in the order of their numbers; `report` gets the
/// progress after each poll, with the nodes of all games that were started. Returns the totals of the device as well.
///
/// # Errors
/// If the device fails, or what `take` failed with.
pub fn play(
    run: &Run,
    player: &NetworkPlayer,
    context: &mut DeviceContext,
    mut take: impl FnMut(&PackedGame) -> io::Result<()>,
    mut report: impl FnMut(&SelfPlayProgress),
) -> Result<(SelfPlayProgress, Counters), SelfPlayError> {
    check_plan(run.plan)?;
    let mut progress = SelfPlayProgress::new(run);
    let mut counters = Counters::default();
    if progress.is_complete() {
        return Ok((progress, counters));
    }
    let games = match run.goal {
        Goal::Games(games) => games - run.games_before,
        Goal::Positions(_) => u64::MAX,
    };
    let settings = GameSettings::of_plan(run.plan, run.games_before, games);
    let at_once = context.games_at_once(&player.network)?;
    let outputs = Outputs { game_bytes: (at_once * BYTES_PER_GAME).max(MIN_BYTES), ..Outputs::default() };
    let mut playing = context.start([player; 2], &settings, &outputs)?;
    // After compiling the device code.
    let clock = Instant::now();
    // Games that finished before an earlier one, by index.
    let mut early = BTreeMap::new();
    let mut arrived = Vec::new();
    loop {
        if run.interrupt.load(Relaxed) {
            playing.stop_starting();
        }
        let is_over = playing.is_over();
        if !is_over {
            playing.launch(POLL_INTERVAL)?;
        }
        // While the device plays, the games of the previous launch are decoded and written.
        for finished in read_games(&arrived)? {
            early.insert((finished.header.number - settings.first_game) / settings.game_step, finished.game);
        }
        while !progress.is_complete()
            && let Some(game) = early.remove(&progress.new_games)
        {
            take(&game).map_err(SelfPlayError::Io)?;
            progress.add_game(game.moves.len());
        }
        if is_over || progress.is_complete() {
            break;
        }
        counters = playing.poll()?.counters;
        arrived = playing.take_games()?;
        progress.nodes = counters.nodes;
        progress.elapsed = clock.elapsed();
        report(&progress);
    }
    report(&progress);
    Ok((progress, counters))
}
