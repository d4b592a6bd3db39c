//! A whole training, from a recipe to the network's files: `vedette train`.

use std::fmt;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cuda::Device;
use nnue::{AnyNetwork, FileError, FloatNetwork};
use support::files::{self, FileLock};

use crate::backend::{self, BackendError, BackendSetup, DataSets, State};
use crate::checkpoint::{Checkpoint, CheckpointError, Fingerprint, Header};
use crate::curve::{CurveLog, LossPoint};
use crate::data::{self, Data, LoadError, Loading};
use crate::export::{Files, NetworkReport, QuantisationError};
use crate::parameters;
use crate::plan::TrainingPlan;
use crate::recipe::Recipe;
use crate::run::{TrainingProgress, TrainingRun};

/// A training and where its files go.
#[derive(Clone, Debug)]
pub struct Training {
    pub recipe: Recipe,
    /// Folder for all files.
    pub output: PathBuf,
    pub device: Device,
    pub threads: usize,
    /// Resume from a checkpoint, if there is one.
    pub resume: bool,
    /// Overwrite another training of this name in the folder.
    pub replace: bool,
    pub checkpoint_every: Duration,
    /// Folder for TensorBoard's events, in a folder named after the training.
    pub tensorboard: Option<PathBuf>,
}

#[derive(Clone, Debug)]
pub enum TrainingEvent {
    Loading(Loading),
    Loaded {
        games: u64,
        training: usize,
        validation: usize,
        /// Damaged sections of the files, which were skipped.
        damaged: usize,
    },
    Begins {
        backend: String,
        steps: u64,
        epochs: f64,
        /// Steps of the checkpoint.
        resumed_at: u64,
    },
    Step(TrainingProgress),
    /// The loss was measured.
    Point(LossPoint, TrainingProgress),
    /// A checkpoint was written.
    Checkpoint(PathBuf),
}

#[derive(Clone, Debug)]
pub struct Trained {
    /// Without a finished network there are only the checkpoint and the loss curve.
    pub files: Files,
    pub points: Vec<LossPoint>,
    /// None if the training was interrupted.
    pub finished: Option<Finished>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Finished {
    pub hash: u64,
    pub quantisation: QuantisationError,
}

#[derive(Debug)]
pub enum TrainError {
    Data(LoadError),
    Start(PathBuf, StartError),
    /// The folder has a checkpoint of another training of this name.
    Taken(PathBuf),
    /// Another process runs a training of this name in the folder.
    InUse(PathBuf),
    Checkpoint(PathBuf, CheckpointError),
    Write(PathBuf, io::Error),
    Backend(BackendError),
    /// The loss is not finite.
    Diverged {
        step: u64,
    },
}

/// Why initial weights cannot be used.
#[derive(Debug)]
pub enum StartError {
    Io(io::Error),
    File(FileError),
    /// It has another shape than the recipe.
    Shape(String),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainError::Data(error) => error.fmt(f),
            TrainError::Start(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::Taken(path) => {
                write!(f, "{} exists: use --resume to continue or --force to overwrite", path.display())
            }
            TrainError::InUse(path) => write!(f, "{} is locked by another training", path.display()),
            TrainError::Checkpoint(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::Write(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::Backend(error) => error.fmt(f),
            TrainError::Diverged { step } => {
                write!(f, "training diverged after {step} steps: lower learning_rate.peak")
            }
        }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Io(error) => error.fmt(f),
            StartError::File(error) => error.fmt(f),
            StartError::Shape(found) => write!(f, "shape {found} differs from the recipe's"),
        }
    }
}

impl std::error::Error for TrainError {}
impl std::error::Error for StartError {}

impl From<BackendError> for TrainError {
    fn from(error: BackendError) -> Self {
        TrainError::Backend(error)
    }
}

impl Training {
    /// Runs the training. `interrupt` ends it after the step in progress, with a checkpoint.
    ///
    /// # Errors
    /// If anything on the way fails; files written until then stay.
    pub fn run(
        &self,
        interrupt: &AtomicBool,
        mut report: impl FnMut(TrainingEvent) + Send,
    ) -> Result<Trained, TrainError> {
        files::create_dir_all(&self.output).map_err(|error| TrainError::Write(self.output.clone(), error))?;
        let files = Files::new(&self.output, &self.recipe.name);
        let _lock = FileLock::create(&files.lock).map_err(|error| match error {
            TryLockError::WouldBlock => TrainError::InUse(files.lock.clone()),
            TryLockError::Error(error) => TrainError::Write(files.lock.clone(), error),
        })?;
        if !self.resume && !self.replace && files.checkpoint.exists() {
            return Err(TrainError::Taken(files.checkpoint));
        }
        // Checked before minutes are spent on reading games.
        let start = self.start()?;
        let data = data::load(&self.recipe.data, self.recipe.seed, self.threads, interrupt, |loading| {
            report(TrainingEvent::Loading(loading));
        })
        .map_err(TrainError::Data)?;
        report(TrainingEvent::Loaded {
            games: data.games,
            training: data.training.len(),
            validation: data.validation.len(),
            damaged: data.damaged,
        });
        let fingerprint = Fingerprint::of(&data.training, &data.validation);
        let found = self.find_checkpoint(&files.checkpoint, fingerprint)?;
        let (header, state) = found.map_or_else(
            || {
                let header =
                    Header { step: 0, data: fingerprint, recipe: self.recipe.clone(), points: Vec::new() };
                (header, State::new(parameters::flatten(&start.network)))
            },
            |checkpoint| (checkpoint.header, checkpoint.state),
        );
        let plan = TrainingPlan::new(&self.recipe, data.training.len() as u32);
        let sets = DataSets { training: &data.training, validation: &data.validation };
        let shape = start.network.shape;
        // A resumed quantised finish continues with quantised weights.
        let rounded = header.step > 0 && plan.rounds_after(header.step - 1);
        let setup =
            BackendSetup { shape, state: &state, rounded, batch: plan.batch(), threads: self.threads };
        let backend = backend::open(self.device, &setup, sets)?;
        report(TrainingEvent::Begins {
            backend: backend.describe(),
            steps: plan.steps(),
            epochs: plan.epochs(),
            resumed_at: header.step,
        });
        let events = self
            .tensorboard
            .as_ref()
            .map(|folder| folder.join(&self.recipe.name).join("events.out.tfevents"));
        let log = CurveLog::begin(&files.points, events.as_deref(), &header.points)
            .map_err(|error| TrainError::Write(events.unwrap_or_else(|| files.points.clone()), error))?;
        let run = TrainingRun::new(plan, backend, data.validation.len(), header.step, header.points.clone());
        let mut running =
            Running { training: self, run, header, files, log, parent: start.hash, data: &data };
        running.take_steps(interrupt, &mut report)?;
        running.finish()
    }

    /// The initial network.
    fn start(&self) -> Result<Start, TrainError> {
        let shape = self.recipe.shape().map_err(|error| TrainError::Backend(error.into()))?;
        let Some(path) = &self.recipe.start else {
            return Ok(Start { network: parameters::initial(shape, self.recipe.seed), hash: None });
        };
        let read = || {
            let bytes = files::read_limited(path, MAX_NETWORK_BYTES).map_err(StartError::Io)?;
            let (network, label) = AnyNetwork::read(&bytes).map_err(StartError::File)?;
            let network = network.into_floats();
            let refused = StartError::Shape(network.shape.to_string());
            let taught =
                network.with_king_buckets(shape.king_buckets()).filter(|network| network.shape == shape);
            Ok(Start { network: taught.ok_or(refused)?, hash: Some(label.hash) })
        };
        read().map_err(|error| TrainError::Start(path.clone(), error))
    }

    fn find_checkpoint(&self, path: &Path, data: Fingerprint) -> Result<Option<Checkpoint>, TrainError> {
        if !self.resume || !path.exists() {
            return Ok(None);
        }
        let read = || {
            let checkpoint = Checkpoint::read(path)?;
            checkpoint.check(&self.recipe, data)?;
            Ok(checkpoint)
        };
        read().map(Some).map_err(|error| TrainError::Checkpoint(path.to_owned(), error))
    }
}

/// More than the largest network needs.
const MAX_NETWORK_BYTES: u64 = 64 << 20;

struct Start {
    network: FloatNetwork,
    hash: Option<u64>,
}

struct Running<'a> {
    training: &'a Training,
    run: TrainingRun<'a>,
    header: Header,
    files: Files,
    log: CurveLog,
    parent: Option<u64>,
    data: &'a Data,
}

impl Running<'_> {
    fn take_steps(
        &mut self,
        interrupt: &AtomicBool,
        report: &mut impl FnMut(TrainingEvent),
    ) -> Result<(), TrainError> {
        let mut saved = Instant::now();
        while !self.run.is_finished() && !interrupt.load(Ordering::Relaxed) {
            match self.run.advance()? {
                (progress, None) => report(TrainingEvent::Step(progress)),
                (progress, Some(point)) => {
                    let failed = |error| TrainError::Write(self.files.points.clone(), error);
                    self.log.add(&point).map_err(failed)?;
                    report(TrainingEvent::Point(point, progress));
                }
            }
            if saved.elapsed() >= self.training.checkpoint_every {
                self.save()?;
                report(TrainingEvent::Checkpoint(self.files.checkpoint.clone()));
                saved = Instant::now();
            }
        }
        // A finished training keeps its last checkpoint as well.
        self.save()?;
        report(TrainingEvent::Checkpoint(self.files.checkpoint.clone()));
        Ok(())
    }

    fn save(&mut self) -> Result<(), TrainError> {
        self.header.step = self.run.step();
        self.header.points = self.run.points().to_vec();
        let checkpoint = Checkpoint { header: self.header.clone(), state: self.run.state()? };
        let path = &self.files.checkpoint;
        checkpoint.write(path).map_err(|error| TrainError::Checkpoint(path.clone(), error))
    }

    /// Writes the network if the training is finished; the loss curve in any case.
    fn finish(mut self) -> Result<Trained, TrainError> {
        let shape = self.training.recipe.shape().map_err(|error| TrainError::Backend(error.into()))?;
        let [float, used] = self.run.networks(shape)?;
        let report = NetworkReport {
            output_scale: None,
            recipe: &self.training.recipe,
            parent: self.parent,
            games: self.data.games,
            positions: self.data.training.len(),
            steps: self.run.step(),
            points: self.run.points(),
        };
        let failed = |error| TrainError::Write(self.training.output.clone(), error);
        let finished = if self.run.is_finished() {
            let network = float.quantise();
            let hash = report.write(&self.files, &float, &network).map_err(failed)?;
            let validation = &self.data.validation;
            let examples = if validation.is_empty() { &self.data.training } else { validation };
            // Compared with the network of the forward pass, which a quantised finish rounds.
            Some(Finished { hash, quantisation: QuantisationError::measure(&used, &network, examples) })
        } else {
            report.draw(&self.files).map_err(failed)?;
            None
        };
        Ok(Trained { files: self.files, points: self.run.points().to_vec(), finished })
    }
}
