//! The CPU backend: sparse inputs, SIMD, threads.
//!
//! A batch is split into shards of fixed size with gradients of their own, which are summed in order. So the same
//! recipe gives the same network on any number of threads.

mod block;
mod layered;
mod layout;
mod level;

use std::sync::Mutex;
use std::thread;
use support::sync::lock;
use support::text::counted;

use self::block::{BLOCK, Worker};
use self::layout::ParameterLayout;
use self::level::Level;
use super::{BackendError, BackendSetup, Batch, DataSets, State, TrainingBackend};
use crate::example::Example;
use crate::inputs::InputTable;
use crate::loss::Loss;
use crate::optimizer::{Stretch, Update};

/// Positions per shard: enough to outweigh summing the shards, and few enough
/// to keep many cores busy with a batch.
const SHARD: usize = 8 * BLOCK;

/// Parameters per thread and update.
const STRETCH: usize = 1 << 14;

pub struct CpuTrainingBackend<'a> {
    examples: DataSets<'a>,
    table: InputTable,
    layout: ParameterLayout,
    level: Level,
    /// In the layout's order.
    state: State,
    /// Parameters of the forward pass.
    used: Vec<f32>,
    /// Whether the forward pass is that of the quantised network.
    rounded: bool,
    shards: Vec<Shard>,
    workers: Vec<Worker>,
    losses: f64,
}

/// The result of a shard.
struct Shard {
    gradients: Vec<f32>,
    losses: f64,
}

impl<'a> CpuTrainingBackend<'a> {
    ///
    /// # Panics
    /// If the state does not fit the shape.
    pub fn new(setup: &BackendSetup, examples: DataSets<'a>) -> Self {
        let BackendSetup { shape, state, rounded, threads, .. } = *setup;
        assert!(state.fits(shape), "the state has the lengths of the shape");
        let layout = ParameterLayout::new(shape);
        let state = State {
            weights: layout.arrange(&state.weights),
            first_moments: layout.arrange(&state.first_moments),
            second_moments: layout.arrange(&state.second_moments),
        };
        let mut used = state.weights.clone();
        if rounded {
            for group in layout.groups() {
                group.round(&mut used[group.range.clone()]);
            }
        }
        Self {
            examples,
            table: InputTable::new(setup.shape),
            level: Level::best(),
            used,
            rounded,
            state,
            shards: Vec::new(),
            workers: (0..threads.max(1)).map(|_| Worker::new(shape)).collect(),
            losses: 0.0,
            layout,
        }
    }

    /// Sums losses, and the gradients of shards, over `count` examples.
    fn pass(
        &mut self,
        count: usize,
        loss: &Loss,
        backward: bool,
        example: impl Fn(usize) -> &'a Example + Sync,
    ) -> f64 {
        let shards = count.div_ceil(SHARD);
        let gradients = if backward { self.used.len() } else { 0 };
        self.shards.resize_with(shards, || Shard { gradients: Vec::new(), losses: 0.0 });
        let (table, layout, level, used) = (&self.table, &self.layout, self.level, &self.used[..]);
        let rounded = self.rounded;
        let queue = Mutex::new(self.shards.iter_mut().enumerate());
        let work = |worker: &mut Worker| {
            // The guard must be dropped before the work starts.
            let take = || lock(&queue).next();
            while let Some((index, shard)) = take() {
                shard.losses = 0.0;
                shard.gradients.clear();
                shard.gradients.resize(gradients, 0.0);
                let end = count.min((index + 1) * SHARD);
                for first in (index * SHARD..end).step_by(BLOCK) {
                    worker.fill(table, loss, (first..end.min(first + BLOCK)).map(&example));
                    shard.losses += worker.work(level, layout, used, loss, rounded, &mut shard.gradients);
                }
            }
        };
        in_parallel(&mut self.workers, work);
        self.shards.iter().map(|shard| shard.losses).sum()
    }

    /// Sums the gradients of the shards and updates the parameters.
    fn update(&mut self, update: &Update) {
        let groups = self.layout.groups();
        let shards = &self.shards[..];
        let mut stretches = Vec::new();
        let State { weights, first_moments, second_moments } = &mut self.state;
        let mut rest =
            (&mut weights[..], &mut self.used[..], &mut first_moments[..], &mut second_moments[..]);
        for group in groups {
            for begin in group.range.clone().step_by(STRETCH) {
                let count = STRETCH.min(group.range.end - begin);
                let (weights, used, first, second) = rest;
                let weights = weights.split_at_mut(count);
                let used = used.split_at_mut(count);
                let first = first.split_at_mut(count);
                let second = second.split_at_mut(count);
                stretches.push((group, begin, weights.0, used.0, first.0, second.0));
                rest = (weights.1, used.1, first.1, second.1);
            }
        }
        let level = self.level;
        let queue = Mutex::new(stretches.into_iter());
        let work = |sums: &mut Vec<f32>| {
            let take = || lock(&queue).next();
            while let Some((group, begin, weights, used, first_moments, second_moments)) = take() {
                sums.clear();
                sums.resize(weights.len(), 0.0);
                let end = begin + sums.len();
                let buffers = shards.iter().map(|shard| &shard.gradients[begin..end]);
                level.add_up(buffers, sums);
                let mut stretch = Stretch { weights, used, first_moments, second_moments, gradients: sums };
                level.apply(update, group, &mut stretch);
            }
        };
        in_parallel(&mut vec![Vec::new(); self.workers.len()], work);
        self.rounded = update.quantise;
    }
}

/// Runs a job on each item on a thread of its own; a single one on this thread.
fn in_parallel<T: Send>(tools: &mut [T], work: impl Fn(&mut T) + Sync) {
    if let [tool] = tools {
        return work(tool);
    }
    thread::scope(|scope| {
        for tool in tools {
            scope.spawn(|| work(tool));
        }
    });
}

impl TrainingBackend for CpuTrainingBackend<'_> {
    fn describe(&self) -> String {
        format!("CPU, {}, {}", self.level, counted(self.workers.len(), "thread", "threads"))
    }

    fn step(&mut self, batch: &Batch, loss: &Loss, update: &Update) -> Result<(), BackendError> {
        let training = self.examples.training;
        let Batch { order, first, count } = *batch;
        self.losses +=
            self.pass(count as usize, loss, true, |index| &training[order.at(first + index as u32) as usize]);
        self.update(update);
        Ok(())
    }

    fn take_loss(&mut self) -> Result<f64, BackendError> {
        Ok(std::mem::take(&mut self.losses))
    }

    fn validation_loss(&mut self, loss: &Loss) -> Result<f64, BackendError> {
        let validation = self.examples.validation;
        Ok(self.pass(validation.len(), loss, false, |index| &validation[index]))
    }

    fn state(&mut self) -> Result<State, BackendError> {
        let restore = |list: &[f32]| self.layout.restore(list);
        Ok(State {
            weights: restore(&self.state.weights),
            first_moments: restore(&self.state.first_moments),
            second_moments: restore(&self.state.second_moments),
        })
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the last bit is the point")]
mod tests {
    use super::*;
    use crate::optimizer::Optimizer;
    use crate::parameters;
    use crate::shuffle::Shuffle;
    use chess::Position;
    use nnue::shape::{Head, Shape};
    use record::packed::{PackedResult, Sample};

    /// The positions of a game of first moves, which is as good as any.
    fn examples(count: usize) -> Vec<Example> {
        let mut position = Position::startpos();
        let mut examples = Vec::new();
        while examples.len() < count {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(examples.len() % moves.len().max(1)) else {
                position = Position::startpos();
                continue;
            };
            let score = (examples.len() * 37 % 800) as i16 - 400;
            examples.push(Example::new(&Sample {
                position,
                mv: Some(mv),
                score,
                result: PackedResult::WhiteWins,
                index: 0,
            }));
            position.play(mv);
        }
        examples
    }

    #[test]
    fn simd_levels_are_bit_identical() {
        let single = Shape::new(128).unwrap();
        for shape in [single, single.with_head(Head::Layered).unwrap()] {
            check_levels(shape);
        }
    }

    fn check_levels(shape: Shape) {
        let state = State::new(parameters::flatten(&parameters::initial(shape, 1)));
        let examples = examples(1500);
        let sets = DataSets { training: &examples, validation: &[] };
        let results = Level::all().into_iter().map(|level| {
            let setup = BackendSetup { shape, state: &state, rounded: false, batch: 1500, threads: 1 };
            let mut backend = CpuTrainingBackend { level, ..CpuTrainingBackend::new(&setup, sets) };
            let batch = Batch { order: Shuffle::new(1, 0, 1500), first: 0, count: 1500 };
            for step in 1..=3 {
                let loss = Loss { scale: 400.0, power: 2.0, wdl_weight: 0.2 };
                backend.step(&batch, &loss, &Optimizer::default().update(step, 0.01, step > 1)).unwrap();
            }
            (level, backend.state().unwrap(), backend.take_loss().unwrap())
        });
        let results: Vec<_> = results.collect();
        let (_, expected, expected_loss) = &results[0];
        assert_ne!(expected.weights, state.weights);
        for (level, state, loss) in &results {
            assert!(state == expected && loss == expected_loss, "{shape}: {level}");
        }
    }
}
