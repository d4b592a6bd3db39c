//! The positions of a stage's games, recorded in device memory and kept there for the trainer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gpu::abi::{Counters, MAX_PLIES};
use gpu::games::{Outputs, RecordBuffer, Records};
use gpu::{DeviceContext, GpuError, NetworkPlayer};
use train::backend::cuda::ExampleBuffer;
use train::{EXAMPLE_BYTES, Example, fitted_scale};

use crate::recipe::GamesRecipe;

// Records on the device are the trainer's examples.
const _: () = assert!(gpu::abi::RECORD_BYTES == EXAMPLE_BYTES);

/// Between two polls.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The fraction of free memory for a stage's positions; shrinking the buffer needs as much again.
const MEMORY_FRACTION: f64 = 0.4;

/// Positions where the trainer reads them.
pub enum Examples {
    Host(Vec<Example>),
    Gpu(ExampleBuffer),
}

impl Examples {
    fn new(records: RecordBuffer, count: usize) -> Examples {
        match records {
            RecordBuffer::Gpu(slice) => Examples::Gpu(ExampleBuffer::new(Arc::new(slice), count)),
            RecordBuffer::Host(bytes) => {
                let (chunks, _) = bytes.as_chunks::<EXAMPLE_BYTES>();
                Examples::Host(chunks.iter().map(Example::from_bytes).collect())
            }
        }
    }

    /// The loss scale that fits the results best; see [`fitted_scale`].
    fn loss_scale(&self) -> Result<Option<f64>, GpuError> {
        const SAMPLE: usize = 1 << 20;
        Ok(match self {
            Examples::Host(list) => {
                let stride = list.len().div_ceil(SAMPLE).max(1);
                let sample: Vec<Example> = list.iter().step_by(stride).copied().collect();
                fitted_scale(&sample)
            }
            Examples::Gpu(buffer) => fitted_scale(&buffer.sample(SAMPLE)?),
        })
    }

    pub fn len(&self) -> usize {
        match self {
            Examples::Host(list) => list.len(),
            Examples::Gpu(buffer) => buffer.len(),
        }
    }
}

/// The positions of a stage's games.
pub struct PositionBatch {
    pub training: Examples,
    pub validation: Examples,
    pub counters: Counters,
    pub seconds: f64,
    /// Of these games.
    pub loss_scale: Option<f64>,
    /// From 0 to 1: less than 1 if memory was full before the goal was reached.
    pub done: f64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayProgress {
    /// Since the stage started.
    pub counters: Counters,
    pub elapsed: Duration,
    /// From 0 to 1.
    pub done: f64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum StageGoal {
    Seconds(f64),
    Positions(u64),
}

impl StageGoal {
    pub fn of(games: &GamesRecipe) -> StageGoal {
        match (games.seconds, games.positions) {
            (Some(seconds), _) => StageGoal::Seconds(seconds),
            (None, positions) => StageGoal::Positions(positions.unwrap_or_default()),
        }
    }

    fn done(self, records: u64, elapsed: Duration) -> f64 {
        let done = match self {
            StageGoal::Seconds(seconds) => elapsed.as_secs_f64() / seconds,
            StageGoal::Positions(positions) => records as f64 / positions.max(1) as f64,
        };
        done.min(1.0)
    }

    /// Time until the next poll: not beyond the end.
    fn poll_after(self, elapsed: Duration) -> Duration {
        match self {
            StageGoal::Seconds(seconds) => {
                let left =
                    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).saturating_sub(elapsed);
                left.clamp(Duration::from_millis(10), POLL_INTERVAL)
            }
            StageGoal::Positions(_) => POLL_INTERVAL,
        }
    }
}

/// The last games are abandoned once less than 1 / `IDLE_FACTOR` of the warps is still playing.
const IDLE_FACTOR: u64 = 50;

/// Plays a stage's games. Games in progress at the end are finished, since dropping them would favour short games; only the
/// last few are abandoned. `None` if it was stopped.
pub fn play(
    context: &mut DeviceContext,
    player: &NetworkPlayer,
    games: &GamesRecipe,
    goal: StageGoal,
    seed: u64,
    stop: &dyn Fn() -> bool,
    report: &mut dyn FnMut(PlayProgress),
) -> Result<Option<PositionBatch>, GpuError> {
    let clock = Instant::now();
    let warps = context.games_at_once(&player.network)?;
    let outputs = Outputs { records: capacities(context, games, goal, warps), ..Outputs::default() };
    let mut playing = context.start([player; 2], &games.settings(seed), &outputs)?;
    let mut poll_after = goal.poll_after(Duration::ZERO);
    let mut finishing = false;
    let mut done = 0.0;
    while !playing.is_over() {
        if stop() {
            return Ok(None);
        }
        let control = playing.advance(poll_after)?;
        let (counters, running, waiting) = (control.counters, control.running, control.waiting);
        let records = control.records_cursor.iter().sum();
        done = goal.done(records, clock.elapsed());
        report(PlayProgress { counters, elapsed: clock.elapsed(), done });
        // A full buffer is the end as well: it is never emptied.
        if waiting > 0 {
            break;
        }
        if finishing && running * IDLE_FACTOR < warps as u64 {
            break;
        }
        if done >= 1.0 && !finishing {
            finishing = true;
            playing.stop_starting();
        }
        poll_after = if finishing { POLL_INTERVAL / 4 } else { goal.poll_after(clock.elapsed()) };
    }
    let counters = playing.control().counters;
    let Records { buffers: [training, validation], counts } = playing.into_records()?;
    let training = Examples::new(training, counts[0]);
    let seconds = clock.elapsed().as_secs_f64();
    let loss_scale = training.loss_scale()?;
    Ok(Some(PositionBatch {
        training,
        loss_scale,
        validation: Examples::new(validation, counts[1]),
        counters,
        seconds,
        done,
    }))
}

/// Capacities of the training and the validation buffer.
fn capacities(context: &DeviceContext, games: &GamesRecipe, goal: StageGoal, warps: usize) -> [usize; 2] {
    // Every game in progress may end with the maximum number of positions.
    let in_progress = (warps as u64 * u64::from(MAX_PLIES)).min(1 << 22);
    let max = (context.free_memory() as f64 * MEMORY_FRACTION) as u64 / EXAMPLE_BYTES as u64;
    let positions = match goal {
        StageGoal::Positions(positions) => positions,
        StageGoal::Seconds(seconds) => {
            (seconds * context.max_nodes_per_second() / f64::from(games.nodes)) as u64
        }
    };
    let training = positions.saturating_add(in_progress).min(max);
    let validation = match games.validation_every {
        0 => 0,
        // Twice the expected number, since games differ.
        every => (2 * training / u64::from(every)).max(in_progress.min(max)),
    };
    [training as usize, validation as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::PipelineRecipe;
    use gpu::Device;
    use nnue::FloatNetwork;
    use nnue::shape::Shape;

    #[test]
    fn full_memory_ends_the_games_early() {
        let recipe = PipelineRecipe::read(
            "name = 'a'\n[[stages]]\nname = 'one'\nnetwork.hidden = 64\ntraining.positions = 1000\n\
             games = { nodes = 20, positions = 1, opening_nodes = 20, opening_score = 20000 }\n",
        );
        let games = recipe.unwrap().stages.remove(0).games;
        let player = NetworkPlayer::new(FloatNetwork::random(Shape::new(64).unwrap(), 1).quantise());
        let mut context = DeviceContext::open(Device::Cpu).unwrap();
        // 600 positions.
        context.limit_memory((600.0 * EXAMPLE_BYTES as f64 / MEMORY_FRACTION) as u64);
        let mut record = |positions| {
            let goal = StageGoal::Positions(positions);
            play(&mut context, &player, &games, goal, 1, &|| false, &mut |_| {}).unwrap().unwrap()
        };
        let whole = record(100);
        assert!(whole.done >= 1.0 && whole.training.len() + whole.validation.len() >= 100);
        let short = record(100_000);
        assert!(short.done < 1.0 && short.training.len() <= 600, "{}", short.training.len());
    }
}
