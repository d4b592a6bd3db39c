//! A stage's training, over the games of its window where they lie.

use std::fs;
use std::path::Path;

use cuda::Gpu;
use nnue::FloatNetwork;
use train::backend::cpu::CpuBackend;
use train::backend::cuda::{CudaBackend, Part, Parts};
use train::backend::{Backend, BackendError, Beginning, Sets, State};
use train::course::{Course, Progress};
use train::curve::Point;
use train::example::Example;
use train::export::{Files, Report};
use train::parameters;
use train::plan::Plan;
use train::recipe::Recipe;
use train::training::TrainError;

use super::harvest::{Harvest, Store};
use crate::machine::MachineName;

/// Positions kept aside that the loss is looked at with: enough for four digits, and done in a moment.
const MOST_ASIDE: usize = 1 << 18;

/// A network to begin with.
pub struct Parent {
    /// Its weights.
    pub network: FloatNetwork,
    /// The hash of its network of integers; none for random weights.
    pub hash: Option<u64>,
}

/// A finished training.
pub struct Learned {
    /// The network's hash.
    pub hash: u64,
    /// The weights.
    pub float: FloatNetwork,
    /// The last look at the loss.
    pub last: Option<Point>,
    /// Positions that were learned from, each counted once.
    pub positions: usize,
    /// Positions seen in a second.
    pub speed: f64,
}

/// Learns from some harvests, the newest last, and multiplies all that the network says by `size`. `None` if somebody
/// asked to stop.
#[allow(clippy::too_many_arguments, reason = "the parts of a stage, each used once")]
pub fn learn(
    recipe: &Recipe,
    size: f32,
    machine: MachineName,
    threads: usize,
    parent: &Parent,
    window: &[&Harvest],
    folder: &Path,
    stop: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Progress, Option<Point>),
) -> Result<Option<Learned>, TrainError> {
    let data = Data::new(window)?;
    let plan = Plan::new(recipe, data.positions as u32);
    let state = State::new(parameters::flatten(&parent.network));
    let shape = parent.network.shape;
    let beginning = Beginning { shape, state: &state, rounded: false, batch: plan.batch(), threads };
    let aside = data.aside;
    let backend = data.backend(machine, &beginning)?;
    let mut course = Course::new(plan, backend, aside, 0, Vec::new());
    let mut speed = 0.0;
    while !course.is_finished() {
        if stop() {
            return Ok(None);
        }
        let (progress, point) = course.advance()?;
        speed = progress.speed;
        report(progress, point);
    }
    let [float, _] = course.networks(shape)?;
    let float = float.scaled(size);
    let described = Report {
        recipe,
        parent: parent.hash,
        size: (size < 1.0).then_some(size),
        games: window.iter().map(|harvest| harvest.counters.games).sum(),
        positions: data.positions,
        steps: course.step(),
        points: course.points(),
    };
    let files = Files::new(folder, &recipe.name);
    fs::create_dir_all(folder).map_err(|error| TrainError::Write(folder.to_owned(), error))?;
    let hash = described.write(&files, &float, &float.quantise());
    let hash = hash.map_err(|error| TrainError::Write(files.network.clone(), error))?;
    let last = course.points().last().copied();
    Ok(Some(Learned { hash, float, last, positions: data.positions, speed }))
}

/// The positions of a window, as a backend takes them.
struct Data {
    host: [Vec<Example>; 2],
    gpu: [Parts; 2],
    positions: usize,
    aside: usize,
}

impl Data {
    fn new(window: &[&Harvest]) -> Result<Data, TrainError> {
        let too_many = |error: train::backend::cuda::PartsError| TrainError::Backend(error.into());
        let mut host = [Vec::new(), Vec::new()];
        let mut gpu: [Vec<Part>; 2] = [Vec::new(), Vec::new()];
        // The newest games are those to be judged by.
        let newest = window.last().map(|harvest| &harvest.aside);
        let stores =
            window.iter().map(|harvest| (0, &harvest.training)).chain(newest.map(|store| (1, store)));
        for (which, store) in stores {
            match store {
                Store::Host(list) => host[which].extend_from_slice(list),
                Store::Gpu(part) => gpu[which].push(part.clone()),
            }
        }
        host[1].truncate(MOST_ASIDE);
        gpu[1].iter_mut().for_each(|part| part.shorten(MOST_ASIDE));
        let [training, aside] = gpu;
        let gpu = [Parts::new(training).map_err(too_many)?, Parts::new(aside).map_err(too_many)?];
        let [positions, aside] = [0, 1].map(|which| host[which].len() + gpu[which].len());
        if positions == 0 {
            return Err(TrainError::Backend("no position of the games passes the filter".into()));
        }
        Ok(Data { host, gpu, positions, aside })
    }

    fn backend(
        &self,
        machine: MachineName,
        beginning: &Beginning,
    ) -> Result<Box<dyn Backend + '_>, BackendError> {
        let [training, validation] = &self.host;
        match machine {
            MachineName::Lane => Ok(Box::new(CpuBackend::new(beginning, Sets { training, validation }))),
            MachineName::Cuda(number) => {
                let [training, validation] = self.gpu.clone();
                let gpu = Gpu::open_with_products(number)?;
                Ok(Box::new(CudaBackend::over(gpu, beginning, training, validation)?))
            }
        }
    }
}
