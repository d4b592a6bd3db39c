//! A stage's training on the positions of its window, where they lie.

use std::path::Path;

use cuda::{Device, Gpu};
use nnue::FloatNetwork;
use support::files::create_dir_all;
use train::backend::cpu::CpuTrainingBackend;
use train::backend::cuda::{CudaTrainingBackend, ExampleBuffer, ExampleBuffers, ExampleBuffersError};
use train::backend::{BackendError, BackendSetup, DataSets, State, TrainingBackend};
use train::{
    Example, Files, LossPoint, NetworkReport, Recipe, TrainError, TrainingPlan, TrainingProgress,
    TrainingRun, parameters,
};

use crate::positions::{Examples, PositionBatch};

/// Positions for the validation loss: enough for four digits, and evaluated in a moment.
const MAX_VALIDATION: usize = 1 << 18;

/// Initial weights.
pub struct Parent {
    pub network: FloatNetwork,
    /// Of its quantised network; none for random weights.
    pub hash: Option<u64>,
}

pub struct TrainedNetwork {
    pub hash: u64,
    pub float: FloatNetwork,
    pub last: Option<LossPoint>,
    /// Training positions, each counted once.
    pub positions: usize,
    /// Training positions per second.
    pub speed: f64,
}

/// Where and how a stage is trained.
pub struct TrainingJob<'a> {
    pub recipe: &'a Recipe,
    pub output_scale: f32,
    pub device: Device,
    pub threads: usize,
    pub folder: &'a Path,
}

impl TrainingJob<'_> {
    /// Trains on some batches, the newest last, and writes the network. `None` if it was stopped.
    pub fn run(
        &self,
        parent: &Parent,
        window: &[&PositionBatch],
        stop: &dyn Fn() -> bool,
        report: &mut dyn FnMut(TrainingProgress, Option<LossPoint>),
    ) -> Result<Option<TrainedNetwork>, TrainError> {
        let data = Data::new(window)?;
        let plan = TrainingPlan::new(self.recipe, data.positions as u32);
        let state = State::new(parameters::flatten(&parent.network));
        let shape = parent.network.shape;
        let setup =
            BackendSetup { shape, state: &state, rounded: false, batch: plan.batch(), threads: self.threads };
        let backend = data.backend(self.device, &setup)?;
        let mut run = TrainingRun::new(plan, backend, data.validation, 0, Vec::new());
        let mut speed = 0.0;
        while !run.is_finished() {
            if stop() {
                return Ok(None);
            }
            let (progress, point) = run.advance()?;
            speed = progress.speed;
            report(progress, point);
        }
        let [float, _] = run.networks(shape)?;
        let float = float.scaled(self.output_scale);
        let description = NetworkReport {
            recipe: self.recipe,
            parent: parent.hash,
            output_scale: (self.output_scale < 1.0).then_some(self.output_scale),
            games: window.iter().map(|batch| batch.counters.games).sum(),
            positions: data.positions,
            steps: run.step(),
            points: run.points(),
        };
        let files = Files::new(self.folder, &self.recipe.name);
        create_dir_all(self.folder).map_err(|error| TrainError::Write(self.folder.to_owned(), error))?;
        let hash = description.write(&files, &float, &float.quantise());
        let hash = hash.map_err(|error| TrainError::Write(files.network.clone(), error))?;
        let last = run.points().last().copied();
        Ok(Some(TrainedNetwork { hash, float, last, positions: data.positions, speed }))
    }
}

/// The positions of a window, as a backend takes them.
struct Data {
    host: [Vec<Example>; 2],
    gpu: [ExampleBuffers; 2],
    positions: usize,
    validation: usize,
}

impl Data {
    fn new(window: &[&PositionBatch]) -> Result<Data, TrainError> {
        let too_many = |error: ExampleBuffersError| TrainError::Backend(error.into());
        let mut host = [Vec::new(), Vec::new()];
        let mut gpu: [Vec<ExampleBuffer>; 2] = [Vec::new(), Vec::new()];
        // Only the newest games validate.
        let newest = window.last().map(|batch| &batch.validation);
        let sets =
            window.iter().map(|batch| (0, &batch.training)).chain(newest.map(|examples| (1, examples)));
        for (set, examples) in sets {
            match examples {
                Examples::Host(list) => host[set].extend_from_slice(list),
                Examples::Gpu(buffer) => gpu[set].push(buffer.clone()),
            }
        }
        host[1].truncate(MAX_VALIDATION);
        gpu[1].iter_mut().for_each(|buffer| buffer.truncate(MAX_VALIDATION));
        let [training, validation] = gpu;
        let gpu = [
            ExampleBuffers::new(training).map_err(too_many)?,
            ExampleBuffers::new(validation).map_err(too_many)?,
        ];
        let [positions, validation] = [0, 1].map(|set| host[set].len() + gpu[set].len());
        if positions == 0 {
            return Err(TrainError::Backend("no position passes the filter".into()));
        }
        Ok(Data { host, gpu, positions, validation })
    }

    fn backend(
        &self,
        device: Device,
        setup: &BackendSetup,
    ) -> Result<Box<dyn TrainingBackend + '_>, BackendError> {
        let [training, validation] = &self.host;
        Ok(match device {
            Device::Cpu => Box::new(CpuTrainingBackend::new(setup, DataSets { training, validation })),
            Device::Cuda(number) => {
                let [training, validation] = self.gpu.clone();
                let gpu = Gpu::open_with_cublas(number)?;
                Box::new(CudaTrainingBackend::with_buffers(gpu, setup, training, validation)?)
            }
        })
    }
}
