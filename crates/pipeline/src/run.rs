//! The pipeline: stage after stage.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use gpu::matches::MatchScore;
use gpu::{Device, DeviceContext, GpuError, check_network};
use train::recipe::TrainingSettings;
use train::{Files, LossPoint, TrainError, TrainingProgress};

use crate::positions::PlayProgress;
use crate::recipe::{PipelineRecipe, Stage};
use crate::report;
use crate::stage::{StageRun, read_network};
use crate::state::{PipelineState, StageResult, StateError, lock_folder};

/// A pipeline and where its files go.
#[derive(Clone, Debug)]
pub struct Pipeline {
    pub recipe: PipelineRecipe,
    /// For networks, tables and charts.
    pub folder: PathBuf,
    /// Plays and trains.
    pub device: Device,
    /// Of a training on the CPU.
    pub threads: usize,
    /// No stage is started that would end later.
    pub time: Option<Duration>,
    /// Continue what is in the folder.
    pub resume: bool,
}

/// Progress of a pipeline.
#[derive(Clone, Debug)]
pub enum PipelineEvent {
    /// The device's name.
    Opened(String),
    StageStarted {
        /// From 1.
        number: usize,
        of: usize,
        name: String,
    },
    /// Games of an earlier stage, which the window needs, are played again.
    Replaying(String),
    Playing(PlayProgress),
    Played {
        progress: PlayProgress,
        training: usize,
        validation: usize,
        /// That fits the results best.
        loss_scale: Option<f64>,
        /// Memory was full before the goal was reached.
        cut_short: bool,
    },
    /// The stage's own network is trained, and its learner, of this name, begins.
    LearnerStarted(String),
    Step(TrainingProgress),
    /// The loss was measured.
    Point(LossPoint, TrainingProgress),
    MatchProgress(MatchScore),
    /// With a summary in one line.
    StageFinished(Box<StageResult>, String),
}

/// Why a pipeline stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Done,
    /// There is no time for the next stage.
    Time,
    Interrupted,
}

#[derive(Debug)]
pub enum PipelineError {
    State(StateError),
    Device(GpuError),
    Training(TrainError),
    /// A network or a report.
    File(PathBuf, String),
}

impl fmt::Display for PipelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PipelineError::State(error) => error.fmt(f),
            PipelineError::Device(error) => error.fmt(f),
            PipelineError::Training(error) => error.fmt(f),
            PipelineError::File(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for PipelineError {}

impl From<StateError> for PipelineError {
    fn from(error: StateError) -> Self {
        PipelineError::State(error)
    }
}

impl From<GpuError> for PipelineError {
    fn from(error: GpuError) -> Self {
        PipelineError::Device(error)
    }
}

impl From<TrainError> for PipelineError {
    fn from(error: TrainError) -> Self {
        PipelineError::Training(error)
    }
}

impl Pipeline {
    /// Runs until all stages are finished, the time is up, or `interrupt` is set. Finished stages are kept.
    ///
    /// # Errors
    /// If anything on the way fails.
    pub fn run(
        &self,
        interrupt: &AtomicBool,
        mut report: impl FnMut(PipelineEvent),
    ) -> Result<(PipelineState, Stop), PipelineError> {
        // Nothing is written if the folder, the first network or the device cannot be used.
        self.check_start()?;
        PipelineState::open(&self.folder, &self.recipe, self.resume)?;
        let mut context = DeviceContext::open_for_training(self.device)?;
        let _lock = lock_folder(&self.folder)?;
        // Read again under the lock: another process may have changed it.
        let mut state = PipelineState::open(&self.folder, &self.recipe, self.resume)?;
        state.save(&self.folder)?;
        report(PipelineEvent::Opened(context.name()));
        let clock = Instant::now();
        let mut batches = BTreeMap::new();
        while state.results.len() < self.recipe.stages.len() {
            let index = state.results.len();
            let stage = &self.recipe.stages[index];
            let late = |time: Duration| clock.elapsed() + expected(stage, &state.results) > time;
            if self.time.is_some_and(late) {
                return Ok((state, Stop::Time));
            }
            report(PipelineEvent::StageStarted {
                number: index + 1,
                of: self.recipe.stages.len(),
                name: stage.name.clone(),
            });
            let mut run = StageRun { pipeline: self, state: &state, context: &mut context, interrupt };
            let Some(result) = run.run(index, &mut batches, &mut report)? else {
                return Ok((state, Stop::Interrupted));
            };
            state.results.push(result);
            state.save(&self.folder)?;
            let written = report::write(&state, &self.folder);
            written.map_err(|error| PipelineError::File(self.folder.clone(), error.to_string()))?;
            if let Some(result) = state.results.last() {
                report(PipelineEvent::StageFinished(Box::new(result.clone()), report::line(result)));
            }
        }
        Ok((state, Stop::Done))
    }

    /// The network to start with can be read, and a device can play it.
    fn check_start(&self) -> Result<(), PipelineError> {
        let Some(path) = &self.recipe.start else { return Ok(()) };
        let (network, _) = read_network(path)?;
        check_network(&network.quantise())
            .map_err(|error| PipelineError::File(path.clone(), error.to_string()))
    }

    pub(crate) fn files(&self, stage: &str) -> Files {
        Files::new(&self.folder, &format!("{}-{stage}", self.recipe.name))
    }
}

/// How long a stage will take, estimated from earlier ones.
fn expected(stage: &Stage, results: &[StageResult]) -> Duration {
    let last = results.last();
    let play = stage.games.seconds.or_else(|| {
        let (result, positions) = (last?, stage.games.positions?);
        let speed = result.positions as f64 * f64::from(result.nodes) / result.seconds[0].max(1e-3);
        Some(positions as f64 * f64::from(stage.games.nodes) / speed.max(1.0))
    });
    let train = expected_training(stage, results);
    let seconds = play.unwrap_or(0.0) + train + last.map_or(0.0, |result| result.seconds[2]);
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// Seconds that the stage's trainings will take, at the speed of an earlier one of at least as many weights, or else of the
/// last one.
fn expected_training(stage: &Stage, results: &[StageResult]) -> f64 {
    let weights = |hidden: usize, king_buckets: usize| (hidden * king_buckets) as f64;
    let speeds: Vec<(f64, f64)> = results
        .iter()
        .rev()
        .flat_map(|result| {
            let learner = result.learner.as_ref().map(|learner| {
                (weights(learner.network.hidden, learner.network.king_buckets), learner.training_speed)
            });
            learner.into_iter().chain([(weights(result.hidden, result.king_buckets), result.training_speed)])
        })
        .collect();
    let learner = stage.learner.as_ref().map(|learner| &learner.training);
    let seconds = |settings: &TrainingSettings| {
        let own = weights(settings.network.hidden, settings.network.king_buckets);
        let (like, speed) = speeds.iter().find(|(like, _)| *like >= own).or(speeds.first())?;
        Some(settings.training.positions? as f64 * (own / like).max(1.0) / speed.max(1.0))
    };
    [Some(&stage.training), learner].into_iter().flatten().filter_map(seconds).sum()
}
