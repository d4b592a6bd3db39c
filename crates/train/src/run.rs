//! The steps of one training, over games from files (`vedette train`) or in GPU memory
//! (`vedette gpu loop`).

use std::time::{Duration, Instant};

use nnue::FloatNetwork;
use nnue::shape::Shape;

use crate::backend::{State, TrainingBackend};
use crate::curve::LossPoint;
use crate::parameters;
use crate::plan::TrainingPlan;
use crate::training::TrainError;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainingProgress {
    pub step: u64,
    pub steps: u64,
    /// Positions per second since the training started or was resumed.
    pub speed: f64,
    pub time_left: Duration,
}

/// Points of a loss curve: enough for a smooth one, few enough to cost nothing.
const POINTS: u64 = 100;

pub struct TrainingRun<'a> {
    plan: TrainingPlan,
    backend: Box<dyn TrainingBackend + 'a>,
    /// Number of examples.
    validation: usize,
    step: u64,
    points: Vec<LossPoint>,
    /// The step of the last point.
    measured_at: u64,
    /// The step at which the clock started.
    first: u64,
    began: Instant,
}

impl<'a> TrainingRun<'a> {
    /// Resumes after `step` steps with the points so far.
    pub fn new(
        plan: TrainingPlan,
        backend: Box<dyn TrainingBackend + 'a>,
        validation: usize,
        step: u64,
        points: Vec<LossPoint>,
    ) -> Self {
        let began = Instant::now();
        Self { plan, backend, validation, step, points, measured_at: step, first: step, began }
    }

    pub fn plan(&self) -> &TrainingPlan {
        &self.plan
    }

    pub fn step(&self) -> u64 {
        self.step
    }

    pub fn points(&self) -> &[LossPoint] {
        &self.points
    }

    pub fn is_finished(&self) -> bool {
        self.step >= self.plan.steps()
    }

    /// Takes a step, and measures the loss at some of them: the same ones, whether the training was
    /// interrupted or not.
    ///
    /// # Errors
    /// If the backend fails, or the loss is not finite.
    pub fn advance(&mut self) -> Result<(TrainingProgress, Option<LossPoint>), TrainError> {
        let step = self.plan.step(self.step);
        self.backend.step(&step.batch, &step.loss, &step.update)?;
        self.step += 1;
        let (done, steps) = (self.step, self.plan.steps());
        if done * POINTS / steps == (done - 1) * POINTS / steps {
            return Ok((self.progress(), None));
        }
        let point = self.measure(done - self.measured_at, step.learning_rate)?;
        self.measured_at = done;
        self.points.push(point);
        Ok((self.progress(), Some(point)))
    }

    fn progress(&self) -> TrainingProgress {
        let (step, steps) = (self.step, self.plan.steps());
        let taken = (step - self.first) as f64;
        let seconds = self.began.elapsed().as_secs_f64().max(f64::MIN_POSITIVE);
        let left = seconds / taken * (steps - step) as f64;
        TrainingProgress {
            step,
            steps,
            speed: taken * f64::from(self.plan.batch()) / seconds,
            time_left: Duration::try_from_secs_f64(left).unwrap_or_default(),
        }
    }

    fn measure(&mut self, steps: u64, learning_rate: f64) -> Result<LossPoint, TrainError> {
        let training_loss = self.backend.take_loss()? / self.plan.positions(steps) as f64;
        let validation_loss = match self.validation {
            0 => None,
            validation => {
                Some(self.backend.validation_loss(&self.plan.validation_loss())? / validation as f64)
            }
        };
        if !training_loss.is_finite() {
            return Err(TrainError::Diverged { step: self.step });
        }
        let positions = self.plan.positions(self.step);
        Ok(LossPoint { positions, training_loss, validation_loss, learning_rate })
    }

    ///
    /// # Errors
    /// If the backend fails.
    pub fn state(&mut self) -> Result<State, TrainError> {
        Ok(self.backend.state()?)
    }

    /// The network in full precision, and that of the forward pass, which a quantised finish rounds.
    ///
    /// # Errors
    /// If the backend fails.
    pub fn networks(&mut self, shape: Shape) -> Result<[FloatNetwork; 2], TrainError> {
        let exact = self.backend.state()?.weights;
        let mut used = exact.clone();
        if self.step > 0 && self.plan.rounds_after(self.step - 1) {
            for group in parameters::groups(shape) {
                group.round(&mut used[group.range.clone()]);
            }
        }
        Ok([exact, used].map(|list| parameters::unflatten(shape, &list)))
    }
}
