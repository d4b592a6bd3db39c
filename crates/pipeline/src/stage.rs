//! One stage: play, train, match.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use gpu::matches::{Match, MatchScore};
use gpu::{DeviceContext, GpuError, NetworkPlayer};
use nnue::shape::Shape;
use nnue::{AnyNetwork, FloatNetwork};
use support::files;
use train::recipe::NetworkRecipe;
use train::{Files, LossPoint, Recipe, parameters, random};

use crate::positions::{self, PlayProgress, PositionBatch, StageGoal};
use crate::recipe::{Learner, MatchRecipe, Stage, learner_name};
use crate::run::{Pipeline, PipelineError, PipelineEvent};
use crate::state::{LearnerResult, MatchResult, PipelineState, StageResult};
use crate::training::{Parent, TrainedNetwork, TrainingJob};

/// A pipeline in one of its stages.
pub struct StageRun<'a> {
    pub pipeline: &'a Pipeline,
    pub state: &'a PipelineState,
    pub context: &'a mut DeviceContext,
    pub interrupt: &'a AtomicBool,
}

/// The best network so far.
struct Champion {
    /// Its stage, or the file that the pipeline starts with; none for random weights.
    stage: Option<String>,
    network: FloatNetwork,
    hash: Option<u64>,
}

impl StageRun<'_> {
    /// Runs a stage; `None` if it was interrupted.
    pub fn run(
        &mut self,
        index: usize,
        batches: &mut BTreeMap<usize, PositionBatch>,
        report: &mut dyn FnMut(PipelineEvent),
    ) -> Result<Option<StageResult>, PipelineError> {
        let stage = &self.pipeline.recipe.stages[index];
        let champion = self.champion(&stage.training.network)?;
        let player = NetworkPlayer::new(champion.network.quantise());
        if !self.play(index, &player, batches, report)? {
            return Ok(None);
        }
        let window: Vec<&PositionBatch> = batches.values().collect();
        let clock = Instant::now();
        let Some(trained) = self.train_actor(stage, &champion, &window, report)? else { return Ok(None) };
        let training_seconds = clock.elapsed().as_secs_f64();
        let learner = match &stage.learner {
            None => None,
            Some(learner) => match self.train_learner(stage, learner, &window, report)? {
                None => return Ok(None),
                trained => trained,
            },
        };
        let clock = Instant::now();
        let Some(matches) = self.play_matches(stage, &trained, &player, &champion, report)? else {
            return Ok(None);
        };
        let Some(own) = batches.get(&index) else { return Ok(None) };
        let mut result = StageResult {
            stage: stage.name.clone(),
            hash: format!("{:016x}", trained.hash),
            hidden: stage.training.network.hidden,
            king_buckets: stage.training.network.king_buckets,
            output_scale: stage.output_scale,
            parent: champion.stage.clone(),
            nodes: stage.games.nodes,
            games: own.counters.games,
            positions: own.counters.records,
            window: trained.positions as u64,
            seen: trained.last.map_or(0, |point| point.positions),
            wdl_weight: stage.training.loss.wdl_weight.at(1.0),
            loss: trained.last.map(|point| point.training_loss),
            validation_loss: trained.last.and_then(|point| point.validation_loss),
            seconds: [own.seconds, training_seconds, clock.elapsed().as_secs_f64()],
            nodes_per_second: own.counters.nodes as f64 / own.seconds.max(1e-9),
            loss_scale: own.loss_scale,
            training_speed: trained.speed,
            learner,
            matches,
            kept: true,
        };
        let keep = stage.gate.as_ref().map_or(f64::NEG_INFINITY, |gate| gate.keep);
        result.kept = result.elo().is_none_or(|(elo, _)| elo >= keep);
        Ok(Some(result))
    }

    /// Plays the games of the window. Those of earlier sessions are played again, by the best network now. False if it was
    /// interrupted.
    fn play(
        &mut self,
        index: usize,
        player: &NetworkPlayer,
        batches: &mut BTreeMap<usize, PositionBatch>,
        report: &mut dyn FnMut(PipelineEvent),
    ) -> Result<bool, PipelineError> {
        let recipe = &self.pipeline.recipe;
        let first = (index + 1).saturating_sub(recipe.stages[index].window);
        batches.retain(|&played, _| played >= first);
        for needed in first..=index {
            if batches.contains_key(&needed) {
                continue;
            }
            let games = &recipe.stages[needed].games;
            let goal = match self.state.results.get(needed) {
                Some(result) => {
                    report(PipelineEvent::Replaying(result.stage.clone()));
                    StageGoal::Positions(result.positions)
                }
                None => StageGoal::of(games),
            };
            let seed = random::bits(recipe.seed, (self.state.sessions << 32) + needed as u64);
            let stop = || self.interrupt.load(Relaxed);
            let mut playing = |progress| report(PipelineEvent::Playing(progress));
            let batch = positions::play(self.context, player, games, goal, seed, &stop, &mut playing)?;
            let Some(batch) = batch else { return Ok(false) };
            report(PipelineEvent::Played {
                progress: PlayProgress {
                    counters: batch.counters,
                    elapsed: Duration::try_from_secs_f64(batch.seconds).unwrap_or_default(),
                    done: batch.done,
                },
                training: batch.training.len(),
                validation: batch.validation.len(),
                loss_scale: batch.loss_scale,
                cut_short: batch.done < 1.0,
            });
            batches.insert(needed, batch);
        }
        Ok(true)
    }

    /// The last network that was kept, or the one to start with, or random weights of this shape.
    fn champion(&self, wanted: &NetworkRecipe) -> Result<Champion, PipelineError> {
        let Some(result) = self.state.champion() else {
            if let Some(path) = &self.pipeline.recipe.start {
                let (network, hash) = read_network(path)?;
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
                return Ok(Champion { stage: Some(name), network, hash: Some(hash) });
            }
            let shape = wanted.shape().map_err(|error| GpuError::Input(error.to_string()))?;
            let network = parameters::initial(shape, self.pipeline.recipe.seed);
            return Ok(Champion { stage: None, network, hash: None });
        };
        let network = read_floats(&self.pipeline.files(&result.stage))?;
        // The hash in the table, so that ancestors can be found there.
        let hash = u64::from_str_radix(&result.hash, 16).ok();
        Ok(Champion { stage: Some(result.stage.clone()), network, hash })
    }

    /// Trains the network that plays.
    fn train_actor(
        &self,
        stage: &Stage,
        champion: &Champion,
        window: &[&PositionBatch],
        report: &mut dyn FnMut(PipelineEvent),
    ) -> Result<Option<TrainedNetwork>, PipelineError> {
        let recipe = self.pipeline.recipe.training(stage);
        let parent = stage.warm_start.then_some((&champion.network, champion.hash));
        self.train(&recipe, parent, stage.output_scale, window, report)
    }

    /// Trains the stage's second network, on from the last one; `None` if it was interrupted.
    fn train_learner(
        &self,
        stage: &Stage,
        learner: &Learner,
        window: &[&PositionBatch],
        report: &mut dyn FnMut(PipelineEvent),
    ) -> Result<Option<LearnerResult>, PipelineError> {
        let clock = Instant::now();
        let recipe = self.pipeline.recipe.learner_training(stage, learner);
        let shape = recipe.shape().map_err(|error| GpuError::Input(error.to_string()))?;
        let mut earlier = None;
        if let Some((result, last)) = self.state.learner().filter(|_| learner.warm_start) {
            let network = read_floats(&self.pipeline.files(&learner_name(&result.stage)))?;
            if fits(&network, shape).is_some() {
                earlier = Some((result.stage.clone(), network, u64::from_str_radix(&last.hash, 16).ok()));
            }
        }
        let parent = earlier.as_ref().map(|(_, network, hash)| (network, *hash));
        report(PipelineEvent::LearnerStarted(recipe.name.clone()));
        let trained = self.train(&recipe, parent, learner.output_scale, window, report)?;
        Ok(trained.map(|trained| LearnerResult {
            hash: format!("{:016x}", trained.hash),
            network: learner.training.network.clone(),
            output_scale: learner.output_scale,
            parent: earlier.map(|(stage, ..)| stage),
            seen: trained.last.map_or(0, |point| point.positions),
            wdl_weight: learner.training.loss.wdl_weight.at(1.0),
            loss: trained.last.map(|point| point.training_loss),
            validation_loss: trained.last.and_then(|point| point.validation_loss),
            seconds: clock.elapsed().as_secs_f64(),
            training_speed: trained.speed,
        }))
    }

    /// Trains a network, from a parent if that has the recipe's shape, and else from random weights.
    fn train(
        &self,
        recipe: &Recipe,
        parent: Option<(&FloatNetwork, Option<u64>)>,
        output_scale: f32,
        window: &[&PositionBatch],
        report: &mut dyn FnMut(PipelineEvent),
    ) -> Result<Option<TrainedNetwork>, PipelineError> {
        let pipeline = self.pipeline;
        let shape = recipe.shape().map_err(|error| GpuError::Input(error.to_string()))?;
        let warm = parent.and_then(|(network, hash)| Some(Parent { network: fits(network, shape)?, hash }));
        let random = || Parent { network: parameters::initial(shape, recipe.seed), hash: None };
        let job = TrainingJob {
            recipe,
            output_scale,
            device: pipeline.device,
            threads: pipeline.threads,
            folder: &pipeline.folder,
        };
        let stop = || self.interrupt.load(Relaxed);
        let mut step = |progress, point: Option<LossPoint>| {
            report(
                point.map_or(PipelineEvent::Step(progress), |point| PipelineEvent::Point(point, progress)),
            );
        };
        Ok(job.run(&warm.unwrap_or_else(random), window, &stop, &mut step)?)
    }

    /// Plays the stage's matches; `None` if it was interrupted.
    fn play_matches(
        &mut self,
        stage: &Stage,
        trained: &TrainedNetwork,
        parent: &NetworkPlayer,
        champion: &Champion,
        report: &mut dyn FnMut(PipelineEvent),
    ) -> Result<Option<Vec<MatchResult>>, PipelineError> {
        let Some(gate) = &stage.gate else { return Ok(Some(Vec::new())) };
        let new = NetworkPlayer::new(trained.float.quantise());
        let mut matches = Vec::new();
        let Some(first) = self.play_match(gate, &new, parent, champion.stage.clone(), report)? else {
            return Ok(None);
        };
        matches.push(first);
        for name in gate.also.iter().filter(|&name| Some(name) != champion.stage.as_ref()) {
            let network = read_floats(&self.pipeline.files(name))?;
            let other = NetworkPlayer::new(network.quantise());
            let Some(result) = self.play_match(gate, &new, &other, Some(name.clone()), report)? else {
                return Ok(None);
            };
            matches.push(result);
        }
        Ok(Some(matches))
    }

    fn play_match(
        &mut self,
        gate: &MatchRecipe,
        new: &NetworkPlayer,
        other: &NetworkPlayer,
        against: Option<String>,
        report: &mut dyn FnMut(PipelineEvent),
    ) -> Result<Option<MatchResult>, PipelineError> {
        /// Far from the seeds of self-play, so that no match repeats its openings.
        const OPENINGS: u64 = 1 << 60;
        let settings = Match {
            nodes: [gate.nodes; 2],
            pairs: gate.games / 2,
            seed: OPENINGS ^ self.pipeline.recipe.seed,
            dfrc_share: 0.0,
            sprt: None,
        };
        let progress = |score: &MatchScore| report(PipelineEvent::MatchProgress(*score));
        let end = settings.play(self.context, [new, other], self.interrupt, progress)?;
        Ok(end.complete.then_some(MatchResult { against, nodes: gate.nodes, score: end.score }))
    }
}

/// The network with more king buckets if that is all that differs from this shape.
fn fits(network: &FloatNetwork, shape: Shape) -> Option<FloatNetwork> {
    network.with_king_buckets(shape.king_buckets()).filter(|network| network.shape == shape)
}

/// The floating-point network of a stage, or its quantised one if only that was kept.
fn read_floats(files: &Files) -> Result<FloatNetwork, PipelineError> {
    let path = if files.floats.exists() { &files.floats } else { &files.network };
    Ok(read_network(path)?.0)
}

/// A network with its hash.
pub fn read_network(path: &Path) -> Result<(FloatNetwork, u64), PipelineError> {
    let failed = |error: String| PipelineError::File(path.to_owned(), error);
    let bytes = files::read_limited(path, files::CONTENT_LIMIT).map_err(|error| failed(error.to_string()))?;
    let (network, label) = AnyNetwork::read(&bytes).map_err(|error| failed(error.to_string()))?;
    Ok((network.into_floats(), label.hash))
}
