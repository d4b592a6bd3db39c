//! The steps of a recipe for a number of examples.

use crate::backend::Batch;
use crate::loss::Loss;
use crate::optimizer::Update;
use crate::recipe::{Recipe, TrainingSettings};
use crate::shuffle::Shuffle;

#[derive(Clone, Debug)]
pub struct TrainingPlan {
    seed: u64,
    settings: TrainingSettings,
    examples: u32,
    batch: u32,
    steps_per_epoch: u64,
    steps: u64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    pub batch: Batch,
    pub loss: Loss,
    pub update: Update,
    pub learning_rate: f64,
}

impl TrainingPlan {
    /// A batch is never larger than all examples.
    pub fn new(recipe: &Recipe, examples: u32) -> Self {
        let settings = &recipe.settings;
        let batch = (settings.training.batch as u32).min(examples).max(1);
        // The incomplete last batch of an epoch is dropped.
        let steps_per_epoch = u64::from(examples / batch).max(1);
        let epochs = |epochs: f64| epochs * steps_per_epoch as f64;
        let positions = |positions: u64| positions as f64 / f64::from(batch);
        let steps = settings.training.epochs.map(epochs).or(settings.training.positions.map(positions));
        let steps = (steps.unwrap_or(0.0).round() as u64).max(1);
        Self { seed: recipe.seed, settings: settings.clone(), examples, batch, steps_per_epoch, steps }
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub fn batch(&self) -> u32 {
        self.batch
    }

    pub fn epochs(&self) -> f64 {
        self.steps as f64 / self.steps_per_epoch as f64
    }

    /// Training positions of this many steps.
    pub fn positions(&self, steps: u64) -> u64 {
        steps * u64::from(self.batch)
    }

    /// Steps count from 0.
    pub fn step(&self, step: u64) -> Step {
        let share = step as f64 / self.steps as f64;
        let (epoch, place) = (step / self.steps_per_epoch, step % self.steps_per_epoch);
        let learning_rate = self.settings.learning_rate.at(step, self.steps);
        let quantise = self.rounds_after(step);
        Step {
            batch: Batch {
                order: Shuffle::new(self.seed, epoch, self.examples),
                first: place as u32 * self.batch,
                count: self.batch,
            },
            loss: self.settings.loss_at(share),
            update: self.settings.optimizer.update(step + 1, learning_rate, quantise),
            learning_rate,
        }
    }

    /// Whether the forward pass uses quantised weights after this step.
    pub fn rounds_after(&self, step: u64) -> bool {
        let finish = self.settings.training.quantised_finish;
        finish > 0.0 && (step + 1) as f64 >= (1.0 - finish) * self.steps as f64
    }

    /// The loss of the training's end, so that all points of a curve are
    /// comparable.
    pub fn validation_loss(&self) -> Loss {
        self.settings.loss_at(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn plan(training: &str, examples: u32) -> TrainingPlan {
        let text = format!("name = 'a'\nnetwork.hidden = 64\ndata.files = ['x']\n{training}");
        TrainingPlan::new(&Recipe::read(&text).unwrap(), examples)
    }

    #[test]
    fn epoch_has_every_batch_once() {
        let plan = plan("training.epochs = 2\ntraining.batch = 10", 57);
        assert_eq!((plan.steps(), plan.batch()), (10, 10));
        for epoch in 0..2 {
            let mut seen = HashSet::new();
            for step in 5 * epoch..5 * (epoch + 1) {
                let Batch { order, first, count } = plan.step(step).batch;
                assert!((first..first + count).all(|place| seen.insert(order.at(place))));
            }
            assert_eq!(seen.len(), 50);
        }
        assert_ne!(plan.step(0).batch.order, plan.step(5).batch.order);
    }

    #[test]
    fn batch_is_at_most_the_data() {
        let plan = plan("training.positions = 1000", 40);
        assert_eq!((plan.steps(), plan.batch()), (25, 40));
    }

    #[test]
    fn only_the_finish_is_quantised() {
        let plan = plan("training.epochs = 1\ntraining.batch = 1\ntraining.quantised_finish = 0.2", 100);
        let rounded = (0..100).filter(|&step| plan.step(step).update.quantise).count();
        assert_eq!(rounded, 21, "the network of the first step of the finish is rounded before it");
        assert!(plan.step(99).update.quantise && !plan.step(50).update.quantise);
    }
}
