//! A whole training, from a recipe to the network's files. `vedette train` calls this.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nnue::{AnyNetwork, FileError, FloatNetwork};

use cuda::Device;

use crate::backend::{self, BackendError, BackendSetup, DataSets, State};
use crate::checkpoint::{Checkpoint, CheckpointError, Fingerprint, Header};
use crate::curve::Point;
use crate::data::{self, Data, LoadError, Loading};
use crate::export::{Files, NetworkReport, QuantisationError};
use crate::parameters;
use crate::plan::Plan;
use crate::recipe::Recipe;
use crate::run::{Progress, TrainingRun};

/// A training and where its files go.
#[derive(Clone, Debug)]
pub struct Training {
    /// What to do.
    pub recipe: Recipe,
    /// The folder that the files are written to.
    pub output: PathBuf,
    /// Who does the arithmetic.
    pub device: Device,
    /// Threads to read and to work with.
    pub threads: usize,
    /// Whether to go on from a checkpoint, if there is one.
    pub resume: bool,
    /// Whether another training of this name in the folder may be given up.
    pub replace: bool,
    /// Time between two checkpoints.
    pub checkpoint_every: Duration,
}

/// What happens on the way.
#[derive(Clone, Debug)]
pub enum Event {
    /// A file has been read.
    Loading(Loading),
    /// All files have been read.
    Loaded {
        /// Games that are used.
        games: u64,
        /// Positions to learn from.
        training: usize,
        /// Positions kept validation.
        validation: usize,
        /// Stretches of the files that were no games and were skipped.
        damaged: usize,
    },
    /// The steps begin.
    Begins {
        /// Who does the arithmetic.
        backend: String,
        /// Steps there are.
        steps: u64,
        /// How often every position is seen.
        epochs: f64,
        /// Steps that a checkpoint had already.
        resumed_at: u64,
    },
    /// A step was taken.
    Step(Progress),
    /// The loss was looked at.
    Point(Point, Progress),
    /// The training could be resumed from here.
    Checkpoint(PathBuf),
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Trained {
    /// Where the files are. Without a finished network there is only the checkpoint and the picture.
    pub files: Files,
    /// How the loss fell.
    pub points: Vec<Point>,
    /// The network's hash and how much was lost by quantisation it, unless the training was interrupted.
    pub finished: Option<Finished>,
}

/// A finished network.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Finished {
    /// By which it is named.
    pub hash: u64,
    /// How far the integers are from the floating-point network.
    pub quantisation: QuantisationError,
}

/// Why a training failed.
#[derive(Debug)]
pub enum TrainError {
    /// The data could not be read.
    Data(LoadError),
    /// The network to begin with could not be read.
    Start(PathBuf, StartError),
    /// The folder holds the checkpoint of another training of this name.
    Taken(PathBuf),
    /// The checkpoint could not be read or written.
    Checkpoint(PathBuf, CheckpointError),
    /// A file could not be written.
    Write(PathBuf, io::Error),
    /// The backend failed.
    Backend(BackendError),
    /// The loss is not a number any more.
    Diverged {
        /// The step after which it was noticed.
        step: u64,
    },
}

/// Why a network to begin with cannot be used.
#[derive(Debug)]
pub enum StartError {
    /// It could not be read.
    Io(io::Error),
    /// It is no network of floating-point weights.
    File(FileError),
    /// It has another shape than the recipe says.
    Shape(String),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainError::Data(error) => error.fmt(f),
            TrainError::Start(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::Taken(path) => {
                write!(
                    f,
                    "{} holds a training already: --resume goes on with it, --force gives it up",
                    path.display()
                )
            }
            TrainError::Checkpoint(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::Write(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::Backend(error) => error.fmt(f),
            TrainError::Diverged { step } => {
                write!(f, "after {step} steps the loss is no number: lower learning_rate.peak")
            }
        }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Io(error) => error.fmt(f),
            StartError::File(error) => error.fmt(f),
            StartError::Shape(found) => write!(f, "has the shape {found}, not the recipe's"),
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
    /// Runs it. `interrupt` ends it after the step in progress, with a checkpoint.
    ///
    /// # Errors
    /// If anything on the way fails; what was written until then stays.
    pub fn run(
        &self,
        interrupt: &AtomicBool,
        mut report: impl FnMut(Event) + Send,
    ) -> Result<Trained, TrainError> {
        fs::create_dir_all(&self.output).map_err(|error| TrainError::Write(self.output.clone(), error))?;
        let files = Files::new(&self.output, &self.recipe.name);
        if !self.resume && !self.replace && files.checkpoint.exists() {
            return Err(TrainError::Taken(files.checkpoint));
        }
        // A start that cannot be used is told before minutes are spent on reading games.
        let start = self.start()?;
        let data = data::load(&self.recipe.data, self.recipe.seed, self.threads, interrupt, |loading| {
            report(Event::Loading(loading));
        })
        .map_err(TrainError::Data)?;
        report(Event::Loaded {
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
        let plan = Plan::new(&self.recipe, data.training.len() as u32);
        let sets = DataSets { training: &data.training, validation: &data.validation };
        let shape = start.network.shape;
        // A finish with rounded weights goes on with them.
        let rounded = header.step > 0 && plan.rounds_after(header.step - 1);
        let setup =
            BackendSetup { shape, state: &state, rounded, batch: plan.batch(), threads: self.threads };
        let backend = backend::open(self.device, &setup, sets)?;
        report(Event::Begins {
            backend: backend.describe(),
            steps: plan.steps(),
            epochs: plan.epochs(),
            resumed_at: header.step,
        });
        let run = TrainingRun::new(plan, backend, data.validation.len(), header.step, header.points.clone());
        let mut running = Running { training: self, run, header, files, parent: start.hash, data: &data };
        running.take_steps(interrupt, &mut report)?;
        running.finish()
    }

    /// The network to begin with.
    fn start(&self) -> Result<Start, TrainError> {
        let shape = self.recipe.shape().map_err(|error| TrainError::Backend(error.into()))?;
        let Some(path) = &self.recipe.start else {
            return Ok(Start { network: parameters::initial(shape, self.recipe.seed), hash: None });
        };
        let read = || {
            let bytes = fs::read(path).map_err(StartError::Io)?;
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

struct Start {
    network: FloatNetwork,
    hash: Option<u64>,
}

/// A training with its data and backend.
struct Running<'a> {
    training: &'a Training,
    run: TrainingRun<'a>,
    header: Header,
    files: Files,
    parent: Option<u64>,
    data: &'a Data,
}

impl Running<'_> {
    fn take_steps(
        &mut self,
        interrupt: &AtomicBool,
        report: &mut impl FnMut(Event),
    ) -> Result<(), TrainError> {
        let mut saved = Instant::now();
        while !self.run.is_finished() && !interrupt.load(Ordering::Relaxed) {
            match self.run.advance()? {
                (progress, None) => report(Event::Step(progress)),
                (progress, Some(point)) => report(Event::Point(point, progress)),
            }
            if saved.elapsed() >= self.training.checkpoint_every {
                self.save()?;
                report(Event::Checkpoint(self.files.checkpoint.clone()));
                saved = Instant::now();
            }
        }
        // A finished training keeps its last checkpoint as well: it can be lengthened by its floating-point weights.
        self.save()?;
        report(Event::Checkpoint(self.files.checkpoint.clone()));
        Ok(())
    }

    fn save(&mut self) -> Result<(), TrainError> {
        self.header.step = self.run.step();
        self.header.points = self.run.points().to_vec();
        let checkpoint = Checkpoint { header: self.header.clone(), state: self.run.state()? };
        let path = &self.files.checkpoint;
        checkpoint.write(path).map_err(|error| TrainError::Checkpoint(path.clone(), error))
    }

    /// Writes the network if all steps were taken; the picture in any case.
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
            // What the integers have to agree with is the network that learned, be it a rounded one.
            Some(Finished { hash, quantisation: QuantisationError::measure(&used, &network, examples) })
        } else {
            report.draw(&self.files).map_err(failed)?;
            None
        };
        Ok(Trained { files: self.files, points: self.run.points().to_vec(), finished })
    }
}
