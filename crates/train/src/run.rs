//! The steps of one training, wherever its examples lie: `vedette train` takes them over games from files, the GPU's
//! loop over games in its memory.

use std::time::{Duration, Instant};

use nnue::FloatNetwork;
use nnue::shape::Shape;

use crate::backend::{Backend, State};
use crate::curve::Point;
use crate::parameters;
use crate::plan::Plan;
use crate::training::TrainError;

/// How far the steps are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Steps taken.
    pub step: u64,
    /// Steps there are.
    pub steps: u64,
    /// Positions per second since the training began or was resumed.
    pub speed: f64,
    /// What the rest will take at this speed.
    pub time_left: Duration,
}

/// Looks at the loss in one training: enough for a smooth curve, few enough to cost nothing.
const POINTS: u64 = 100;

/// A training under way.
pub struct TrainingRun<'a> {
    plan: Plan,
    backend: Box<dyn Backend + 'a>,
    /// Examples kept validation.
    validation: usize,
    step: u64,
    points: Vec<Point>,
    /// The step after which the loss was last looked at.
    looked_at: u64,
    /// The step that the clock began with.
    first: u64,
    began: Instant,
}

impl<'a> TrainingRun<'a> {
    /// Goes on after `step` steps, of which these points are known.
    pub fn new(
        plan: Plan,
        backend: Box<dyn Backend + 'a>,
        validation: usize,
        step: u64,
        points: Vec<Point>,
    ) -> Self {
        let began = Instant::now();
        Self { plan, backend, validation, step, points, looked_at: step, first: step, began }
    }

    /// The steps there are.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Steps taken.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// How the loss fell.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Whether all steps were taken.
    pub fn is_finished(&self) -> bool {
        self.step >= self.plan.steps()
    }

    /// Takes a step, and looks at the loss if it is time to. The same steps are looked at, whether the training was
    /// interrupted or not.
    ///
    /// # Errors
    /// If the backend fails, or the loss is no number any more.
    pub fn advance(&mut self) -> Result<(Progress, Option<Point>), TrainError> {
        let step = self.plan.step(self.step);
        self.backend.step(&step.batch, &step.loss, &step.update)?;
        self.step += 1;
        let (done, steps) = (self.step, self.plan.steps());
        if done * POINTS / steps == (done - 1) * POINTS / steps {
            return Ok((self.progress(), None));
        }
        let point = self.look(done - self.looked_at, step.learning_rate)?;
        self.looked_at = done;
        self.points.push(point);
        Ok((self.progress(), Some(point)))
    }

    fn progress(&self) -> Progress {
        let (step, steps) = (self.step, self.plan.steps());
        let taken = (step - self.first) as f64;
        let seconds = self.began.elapsed().as_secs_f64().max(f64::MIN_POSITIVE);
        let left = seconds / taken * (steps - step) as f64;
        Progress {
            step,
            steps,
            speed: taken * f64::from(self.plan.batch()) / seconds,
            time_left: Duration::try_from_secs_f64(left).unwrap_or_default(),
        }
    }

    /// Looks at the loss.
    fn look(&mut self, steps: u64, learning_rate: f64) -> Result<Point, TrainError> {
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
        Ok(Point { positions, training_loss, validation_loss, learning_rate })
    }

    /// What has been learned.
    ///
    /// # Errors
    /// If the backend fails.
    pub fn state(&mut self) -> Result<State, TrainError> {
        Ok(self.backend.state()?)
    }

    /// The network as it is learned, and as it computes at the end: rounded, if the finish is.
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
