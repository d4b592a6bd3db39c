//! Texel tuning: minimises the logistic loss with Adam in mini-batches.
//!
//! The same seed and data give the same weights with any number of threads: a batch is split into chunks of
//! fixed size, whose gradients are summed in order.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use engine::evaluation::{FEATURES, Tapered};

use super::examples::{TuningExample, TuningExamples};
use super::model::{Vector, add_gradient, value};
use support::random::Random;

#[derive(Clone, Debug)]
pub struct FitSettings {
    pub epochs: u32,
    pub batch: usize,
    /// Initial learning rate in centipawns; it decays to a hundredth (cosine).
    pub rate: f64,
    /// Regularisation towards the initial weights: loss per squared centipawn, over all weights.
    pub anchor: f64,
    /// Weight of the search score in the target (lambda); the rest is the game's result.
    pub score_share: f64,
    /// Fraction of the data held out for validation, taken from its end.
    pub validation: f64,
    /// Seed of the order of positions.
    pub seed: u64,
    pub threads: usize,
}

/// The state after an epoch.
#[derive(Clone, Debug)]
pub struct EpochReport {
    /// Epochs done; 0 before the first.
    pub epoch: u32,
    pub epochs: u32,
    /// Training loss, averaged over the epoch.
    pub training_loss: f64,
    pub validation_loss: f64,
    /// Positions per second.
    pub speed: f64,
    pub time_left: Duration,
}

#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights with the lowest validation loss.
    pub weights: [Tapered; FEATURES],
    /// Scale of the sigmoid, per centipawn.
    pub steepness: f64,
    /// Validation loss before and after.
    pub validation_loss: [f64; 2],
    /// Whether it was stopped before the last epoch.
    pub interrupted: bool,
}

/// Positions per chunk.
const PIECE: usize = 1024;

/// Expected points for a value in centipawns.
fn expectation(centipawns: f64, steepness: f64) -> f64 {
    1.0 / (1.0 + (-centipawns * steepness).exp())
}

/// Fits weights to examples, starting from `start`. `interrupt` ends it after the batch in progress, with the
/// best weights so far.
pub fn fit(
    examples: &TuningExamples,
    start: &[Tapered; FEATURES],
    plan: &FitSettings,
    interrupt: &AtomicBool,
    mut report: impl FnMut(&EpochReport),
) -> Fitted {
    let kept = (examples.len() as f64 * plan.validation.clamp(0.0, 0.5)) as usize;
    let training: Vec<usize> = (0..examples.len() - kept).collect();
    // Without a validation set, use the training loss.
    let validation: Vec<usize> =
        if kept == 0 { training.clone() } else { (training.len()..examples.len()).collect() };

    let begin = Vector::from_weights(start);
    let fitting = Fitting { examples, plan, steepness: fit_steepness(examples, &training, &begin, plan) };
    let loss_at_start = fitting.loss(&begin, &validation);
    let mut progress = EpochReport {
        epoch: 0,
        epochs: plan.epochs,
        training_loss: fitting.loss(&begin, &training),
        validation_loss: loss_at_start,
        speed: 0.0,
        time_left: Duration::ZERO,
    };
    report(&progress);

    let mut order = training;
    let mut random = Random::new(plan.seed);
    let mut weights = begin.clone();
    let mut best = (loss_at_start, begin.clone());
    let mut adam = Adam::new();
    let clock = Instant::now();
    let steps = u64::from(plan.epochs) * order.len().div_ceil(plan.batch.max(1)) as u64;
    let mut interrupted = false;
    for epoch in 1..=plan.epochs {
        random.shuffle(&mut order);
        let mut loss_sum = 0.0;
        for batch in order.chunks(plan.batch.max(1)) {
            if interrupt.load(Ordering::Relaxed) {
                interrupted = true;
                break;
            }
            let (loss, mut gradient) = fitting.gradient(&weights, batch);
            loss_sum += loss;
            fitting.add_anchor(&weights, &begin, &mut gradient);
            let share = adam.steps as f64 / steps as f64;
            let rate = plan.rate * (0.01 + 0.99 * 0.5 * (1.0 + (std::f64::consts::PI * share).cos()));
            adam.step(&mut weights, &gradient, rate);
        }
        let validation_loss = fitting.loss(&weights, &validation);
        if validation_loss < best.0 {
            best = (validation_loss, weights.clone());
        }
        if interrupted {
            break;
        }
        let elapsed = clock.elapsed();
        progress = EpochReport {
            epoch,
            training_loss: loss_sum / order.len().max(1) as f64,
            validation_loss,
            speed: f64::from(epoch) * order.len() as f64 / elapsed.as_secs_f64(),
            time_left: elapsed / epoch * (plan.epochs - epoch),
            ..progress
        };
        report(&progress);
    }
    Fitted {
        weights: best.1.to_weights(),
        steepness: fitting.steepness,
        validation_loss: [loss_at_start, best.0],
        interrupted,
    }
}

/// The scale of the sigmoid that fits the results best with the given weights. The loss has one minimum, so a
/// ternary search finds it.
fn fit_steepness(examples: &TuningExamples, indices: &[usize], weights: &Vector, plan: &FitSettings) -> f64 {
    let (mut low, mut high) = (1e-4_f64, 5e-2_f64);
    // Only results count here, regardless of lambda.
    let plan = FitSettings { score_share: 0.0, ..plan.clone() };
    let loss = |steepness| Fitting { examples, plan: &plan, steepness }.loss(weights, indices);
    for _ in 0..24 {
        let (a, b) = ((2.0 * low.ln() + high.ln()) / 3.0, (low.ln() + 2.0 * high.ln()) / 3.0);
        if loss(a.exp()) < loss(b.exp()) {
            high = b.exp();
        } else {
            low = a.exp();
        }
    }
    (low * high).sqrt()
}

struct Fitting<'a> {
    examples: &'a TuningExamples,
    plan: &'a FitSettings,
    steepness: f64,
}

impl Fitting<'_> {
    fn target(&self, example: &TuningExample) -> f64 {
        match example.score {
            Some(score) => {
                let share = self.plan.score_share;
                share * expectation(score, self.steepness) + (1.0 - share) * example.points
            }
            None => example.points,
        }
    }

    /// Mean loss.
    fn loss(&self, weights: &Vector, indices: &[usize]) -> f64 {
        let sums = self.in_pieces(indices, |piece| {
            piece
                .iter()
                .map(|&index| {
                    let example = self.examples.get(index);
                    let expected = expectation(value(&example, weights).centipawns, self.steepness);
                    cross_entropy(expected, self.target(&example))
                })
                .sum::<f64>()
        });
        sums.iter().sum::<f64>() / indices.len().max(1) as f64
    }

    /// Summed loss, and the gradient of the mean loss.
    fn gradient(&self, weights: &Vector, batch: &[usize]) -> (f64, Vector) {
        let factor = self.steepness / batch.len().max(1) as f64;
        let parts = self.in_pieces(batch, |piece| {
            let (mut loss, mut gradient) = (0.0, Vector::zero());
            for &index in piece {
                let example = self.examples.get(index);
                let value = value(&example, weights);
                let expected = expectation(value.centipawns, self.steepness);
                let target = self.target(&example);
                loss += cross_entropy(expected, target);
                add_gradient(&example, &value, factor * (expected - target), &mut gradient);
            }
            (loss, gradient)
        });
        let mut sum = (0.0, Vector::zero());
        for (loss, gradient) in &parts {
            sum.0 += loss;
            sum.1.add(gradient);
        }
        sum
    }

    /// Adds the gradient of the regularisation.
    fn add_anchor(&self, weights: &Vector, begin: &Vector, gradient: &mut Vector) {
        let all = weights.0.iter().flatten().zip(begin.0.iter().flatten());
        for (slope, (weight, begin)) in gradient.0.iter_mut().flatten().zip(all) {
            *slope += 2.0 * self.plan.anchor * (weight - begin);
        }
    }

    /// Runs a job on chunks of a list with all threads; results are in the order of the chunks.
    fn in_pieces<T: Send>(&self, list: &[usize], work: impl Fn(&[usize]) -> T + Sync) -> Vec<T> {
        let pieces: Vec<&[usize]> = list.chunks(PIECE).collect();
        let next = AtomicUsize::new(0);
        let take = || {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(piece) = pieces.get(number) else { return done };
                done.push((number, work(piece)));
            }
        };
        let threads = self.plan.threads.clamp(1, pieces.len().max(1));
        let mut answers: Vec<(usize, T)> = thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
            let mut answers = take();
            for helper in helpers {
                // The worker's panic message is already printed; propagate it.
                answers.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            answers
        });
        answers.sort_by_key(|&(number, _)| number);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }
}

/// Cross entropy of `target` points with `expected` points.
fn cross_entropy(expected: f64, target: f64) -> f64 {
    // Keeps the loss finite.
    let expected = expected.clamp(1e-9, 1.0 - 1e-9);
    -(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln())
}

/// The Adam optimiser (Kingma and Ba, 2015) with the usual constants.
struct Adam {
    steps: u64,
    mean: Vector,
    square: Vector,
}

impl Adam {
    const MEAN_DECAY: f64 = 0.9;
    const SQUARE_DECAY: f64 = 0.999;
    const EPSILON: f64 = 1e-8;

    fn new() -> Adam {
        Adam { steps: 0, mean: Vector::zero(), square: Vector::zero() }
    }

    fn step(&mut self, weights: &mut Vector, gradient: &Vector, rate: f64) {
        self.steps += 1;
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let mean_share = 1.0 - Adam::MEAN_DECAY.powi(steps);
        let square_share = 1.0 - Adam::SQUARE_DECAY.powi(steps);
        let moments = self.mean.0.iter_mut().flatten().zip(self.square.0.iter_mut().flatten());
        for ((weight, &slope), (mean, square)) in
            weights.0.iter_mut().flatten().zip(gradient.0.iter().flatten()).zip(moments)
        {
            *mean = Adam::MEAN_DECAY * *mean + (1.0 - Adam::MEAN_DECAY) * slope;
            *square = Adam::SQUARE_DECAY * *square + (1.0 - Adam::SQUARE_DECAY) * slope * slope;
            *weight -= rate * (*mean / mean_share) / ((*square / square_share).sqrt() + Adam::EPSILON);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::sample::TuningPosition;
    use chess::{Color, Position};
    use engine::evaluation::{EvaluationRecord, Evaluator, Term, WEIGHTS};
    use record::pgn::GameResult;

    /// Positions from random games, with results sampled from the evaluation.
    fn synthetic(count: usize) -> TuningExamples {
        let mut random = Random::new(11);
        let mut evaluator = Evaluator::new();
        let mut examples = TuningExamples::default();
        while examples.len() < count {
            let mut position = Position::startpos();
            for _ in 0..120 {
                if position.outcome().is_some() {
                    break;
                }
                let moves = position.legal_moves();
                position = position.after(moves[random.below(moves.len())]);
                let value = evaluator.evaluate(&position);
                let white = if position.turn() == Color::White { value } else { -value };
                let won = random.unit() < expectation(white.into(), 0.004);
                let result = if won { GameResult::WhiteWins } else { GameResult::BlackWins };
                examples.push(&TuningPosition { position, score: Some(white), result });
            }
        }
        examples
    }

    fn plan() -> FitSettings {
        FitSettings {
            epochs: 6,
            batch: 1024,
            rate: 4.0,
            anchor: 0.0,
            score_share: 0.0,
            validation: 0.1,
            seed: 1,
            threads: 1,
        }
    }

    /// The true weights with two of them changed.
    fn spoiled() -> [Tapered; FEATURES] {
        let mut weights = WEIGHTS;
        weights[Term::Material.at(4).index()] = Tapered::new(500, 500);
        weights[Term::Material.at(3).index()] = Tapered::new(900, 900);
        weights
    }

    #[test]
    fn perturbed_weights_are_recovered() {
        let examples = synthetic(30_000);
        let never = AtomicBool::new(false);
        let mut losses = Vec::new();
        // Without sampled results: 30,000 are too few to distinguish weights.
        let plan = FitSettings { epochs: 12, rate: 8.0, score_share: 1.0, ..plan() };
        let fitted =
            fit(&examples, &spoiled(), &plan, &never, |progress| losses.push(progress.validation_loss));
        assert!(!fitted.interrupted && losses.len() == 13);
        assert!(fitted.validation_loss[1] < fitted.validation_loss[0] - 0.001, "{losses:?}");
        // A queen's value is spread over material, squares and mobility, so whole positions are compared.
        for odds in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1",
        ] {
            let record = EvaluationRecord::new(&Position::from_fen(odds).unwrap());
            let off = |weights: &_| (record.value(weights) - record.value(&WEIGHTS)).abs();
            assert!(3 * off(&fitted.weights) < off(&spoiled()), "{odds}: {}", off(&fitted.weights));
        }
    }

    #[test]
    fn true_scale_is_recovered() {
        let examples = synthetic(20_000);
        let all: Vec<usize> = (0..examples.len()).collect();
        let steepness = fit_steepness(&examples, &all, &Vector::from_weights(&WEIGHTS), &plan());
        assert!((0.0035..0.0045).contains(&steepness), "{steepness}");
    }

    #[test]
    fn threads_do_not_change_the_fit() {
        let examples = synthetic(5_000);
        let never = AtomicBool::new(false);
        let weights = |plan: &FitSettings| fit(&examples, &spoiled(), plan, &never, |_| ()).weights;
        let alone = weights(&plan());
        assert_eq!(alone, weights(&FitSettings { threads: 3, ..plan() }));
        assert_ne!(alone, weights(&FitSettings { seed: 2, ..plan() }));
    }

    #[test]
    fn strong_anchor_keeps_weights() {
        let examples = synthetic(5_000);
        let never = AtomicBool::new(false);
        let far = |anchor: f64| {
            let fitted = fit(&examples, &spoiled(), &FitSettings { anchor, ..plan() }, &never, |_| ());
            let moved =
                fitted.weights[Term::Material.at(4).index()] - spoiled()[Term::Material.at(4).index()];
            moved.middlegame().abs()
        };
        assert!(far(0.0) > 3 * far(1.0), "{} {}", far(0.0), far(1.0));
    }

    #[test]
    fn interrupted_fit_returns_best_weights() {
        let examples = synthetic(5_000);
        let interrupt = AtomicBool::new(false);
        let fitted = fit(&examples, &spoiled(), &plan(), &interrupt, |progress| {
            interrupt.store(progress.epoch == 2, Ordering::Relaxed);
        });
        assert!(fitted.interrupted);
        assert!(fitted.validation_loss[1] < fitted.validation_loss[0]);
    }

    #[test]
    fn no_data_keeps_weights() {
        let never = AtomicBool::new(false);
        assert_eq!(fit(&TuningExamples::default(), &WEIGHTS, &plan(), &never, |_| ()).weights, WEIGHTS);
    }
}
