//! The loop itself.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use nnue::{AnyNetwork, FloatNetwork};
use train::course::Progress;
use train::curve::Point;
use train::export::Files;
use train::parameters;
use train::random;
use train::recipe::NetworkRecipe;
use train::training::TrainError;

use super::claim::Claim;
use super::harvest::{self, Harvest, Playing, Wanted};
use super::learn::{self, Learned, Parent};
use super::recipe::{JudgeRecipe, LoopRecipe, Stage};
use super::report;
use super::state::{Meeting, Row, State, StateError};
use crate::duel::{Duel, Score};
use crate::error::GpuError;
use crate::machine::MachineName;
use crate::player::Player;
use crate::venue::Venue;

/// A loop and where its files go.
#[derive(Clone, Debug)]
pub struct Loop {
    /// What to do.
    pub recipe: LoopRecipe,
    /// The folder for networks, tables and pictures.
    pub folder: PathBuf,
    /// Who plays and learns.
    pub machine: MachineName,
    /// Threads of the CPU, where that learns.
    pub threads: usize,
    /// No stage is begun that would end later than so long after the beginning.
    pub time: Option<Duration>,
    /// Whether to go on with what is in the folder.
    pub resume: bool,
}

/// What happens on the way.
#[derive(Clone, Debug)]
pub enum Event {
    /// The machine is ready.
    Opened(String),
    /// A stage begins.
    Stage {
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        of: usize,
        /// Its name.
        name: String,
    },
    /// Games of an earlier stage, which the window needs, are played again.
    Again(String),
    /// Games are played.
    Playing(Playing),
    /// All of a stage's games are played.
    Played {
        /// What happened, and how long it took.
        playing: Playing,
        /// Positions to learn from.
        positions: usize,
        /// Positions kept aside.
        aside: usize,
        /// Whether memory was full before all that is wanted was played.
        cut_short: bool,
    },
    /// A step was taken.
    Step(Progress),
    /// The loss was looked at.
    Point(Point, Progress),
    /// A match is played.
    Meeting(Score),
    /// A stage is over.
    Judged(Box<Row>, String),
}

/// Why a loop stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// All stages are done.
    Done,
    /// There is no time for the next stage.
    Time,
    /// Somebody asked to stop.
    Interrupted,
}

/// Why a loop failed.
#[derive(Debug)]
pub enum LoopError {
    /// The state.
    State(StateError),
    /// The machine.
    Machine(GpuError),
    /// A training.
    Training(TrainError),
    /// A file of a network, or of the report.
    File(PathBuf, String),
}

impl fmt::Display for LoopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoopError::State(error) => error.fmt(f),
            LoopError::Machine(error) => error.fmt(f),
            LoopError::Training(error) => error.fmt(f),
            LoopError::File(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for LoopError {}

impl From<StateError> for LoopError {
    fn from(error: StateError) -> Self {
        LoopError::State(error)
    }
}

impl From<GpuError> for LoopError {
    fn from(error: GpuError) -> Self {
        LoopError::Machine(error)
    }
}

impl From<TrainError> for LoopError {
    fn from(error: TrainError) -> Self {
        LoopError::Training(error)
    }
}

impl Loop {
    /// Runs until all stages are done, the time is over, or `interrupt` is set. Finished stages stay done.
    ///
    /// # Errors
    /// If anything on the way fails.
    pub fn run(
        &self,
        interrupt: &AtomicBool,
        mut report: impl FnMut(Event),
    ) -> Result<(State, Stop), LoopError> {
        // A loop that may not go on, or finds no machine, leaves nothing behind.
        State::open(&self.folder, &self.recipe, self.resume)?;
        let mut venue = Venue::new(self.machine.open_to_learn()?)?;
        let _claim = Claim::take(&self.folder)?;
        // Read again: another loop may have ended in between.
        let mut state = State::open(&self.folder, &self.recipe, self.resume)?;
        state.save(&self.folder)?;
        report(Event::Opened(venue.machine().describe()));
        let clock = Instant::now();
        let mut harvests = BTreeMap::new();
        while state.rows.len() < self.recipe.stages.len() {
            let index = state.rows.len();
            let stage = &self.recipe.stages[index];
            let late = |time: Duration| clock.elapsed() + expected(stage, &state.rows) > time;
            if self.time.is_some_and(late) {
                return Ok((state, Stop::Time));
            }
            report(Event::Stage {
                number: index + 1,
                of: self.recipe.stages.len(),
                name: stage.name.clone(),
            });
            let mut running = Running { order: self, state: &state, venue: &mut venue, interrupt };
            let Some(row) = running.stage(index, &mut harvests, &mut report)? else {
                return Ok((state, Stop::Interrupted));
            };
            state.rows.push(row);
            state.save(&self.folder)?;
            let written = report::write(&state, &self.folder);
            written.map_err(|error| LoopError::File(self.folder.clone(), error.to_string()))?;
            if let Some(row) = state.rows.last() {
                report(Event::Judged(Box::new(row.clone()), report::line(row)));
            }
        }
        Ok((state, Stop::Done))
    }

    fn files(&self, stage: &str) -> Files {
        Files::new(&self.folder, &format!("{}-{stage}", self.recipe.name))
    }
}

/// How long a stage will take, as far as earlier ones tell.
fn expected(stage: &Stage, rows: &[Row]) -> Duration {
    let last = rows.last();
    let play = stage.games.seconds.or_else(|| {
        let (row, positions) = (last?, stage.games.positions?);
        let speed = row.positions as f64 * f64::from(row.nodes) / row.seconds[0].max(1e-3);
        Some(positions as f64 * f64::from(stage.games.nodes) / speed.max(1.0))
    });
    let weights = stage.network.hidden * stage.network.king_buckets;
    let like = rows.iter().rev().find(|row| row.hidden * row.king_buckets >= weights).or(last);
    let train = like.and_then(|row| {
        let slower = (weights as f64 / (row.hidden * row.king_buckets) as f64).max(1.0);
        Some(stage.training.positions? as f64 * slower / row.training_speed.max(1.0))
    });
    let seconds = play.unwrap_or(0.0) + train.unwrap_or(0.0) + last.map_or(0.0, |row| row.seconds[2]);
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// A loop with its machine, in one of its stages.
struct Running<'a> {
    order: &'a Loop,
    state: &'a State,
    venue: &'a mut Venue,
    interrupt: &'a AtomicBool,
}

impl Running<'_> {
    /// Does a stage; `None` if somebody asked to stop.
    fn stage(
        &mut self,
        index: usize,
        harvests: &mut BTreeMap<usize, Harvest>,
        report: &mut dyn FnMut(Event),
    ) -> Result<Option<Row>, LoopError> {
        let recipe = &self.order.recipe;
        let stage = &recipe.stages[index];
        let champion = self.champion(&stage.network)?;
        let player = Player::new(champion.network.quantise());

        // The games of the window: older ones that another sitting played are played again, by the network of today.
        let first = (index + 1).saturating_sub(stage.window);
        harvests.retain(|&played, _| played >= first);
        for needed in first..=index {
            if harvests.contains_key(&needed) {
                continue;
            }
            let games = &recipe.stages[needed].games;
            let wanted = match self.state.rows.get(needed) {
                Some(row) => {
                    report(Event::Again(row.stage.clone()));
                    Wanted::Positions(row.positions)
                }
                None => Wanted::of(games),
            };
            let seed = random::bits(recipe.seed, (self.state.sittings << 32) + needed as u64);
            let stop = || self.interrupt.load(Relaxed);
            let mut told = |playing| report(Event::Playing(playing));
            let harvest = harvest::play(self.venue, &player, games, wanted, seed, &stop, &mut told)?;
            let Some(harvest) = harvest else { return Ok(None) };
            report(Event::Played {
                playing: Playing {
                    counters: harvest.counters,
                    elapsed: Duration::try_from_secs_f64(harvest.seconds).unwrap_or_default(),
                    done: harvest.done,
                },
                positions: harvest.training.len(),
                aside: harvest.aside.len(),
                cut_short: harvest.done < 1.0,
            });
            harvests.insert(needed, harvest);
        }

        let clock = Instant::now();
        let window: Vec<&Harvest> = harvests.values().collect();
        let Some(learned) = self.learn(stage, &champion, &window, report)? else { return Ok(None) };
        let training_seconds = clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        let Some(meetings) = self.judge(stage, &learned, &player, &champion, report)? else {
            return Ok(None);
        };
        let Some(own) = harvests.get(&index) else { return Ok(None) };
        let mut row = Row {
            stage: stage.name.clone(),
            hash: format!("{:016x}", learned.hash),
            hidden: stage.network.hidden,
            king_buckets: stage.network.king_buckets,
            size: stage.size,
            parent: champion.stage.clone(),
            nodes: stage.games.nodes,
            games: own.counters.games,
            positions: own.counters.records,
            window: learned.positions as u64,
            seen: learned.last.map_or(0, |point| point.positions),
            result_share: stage.loss.result_share.at(1.0),
            loss: learned.last.map(|point| point.training_loss),
            aside: learned.last.and_then(|point| point.validation_loss),
            seconds: [own.seconds, training_seconds, clock.elapsed().as_secs_f64()],
            nodes_per_second: own.counters.nodes as f64 / own.seconds.max(1e-9),
            training_speed: learned.speed,
            meetings,
            kept: true,
        };
        let keep = stage.judge.as_ref().map_or(f64::NEG_INFINITY, |judge| judge.keep);
        row.kept = row.elo().is_none_or(|(elo, _)| elo >= keep);
        Ok(Some(row))
    }

    /// The network that is to be beaten, or random weights of this shape.
    fn champion(&self, wanted: &NetworkRecipe) -> Result<Champion, LoopError> {
        let Some(row) = self.state.champion() else {
            let shape = wanted.shape().map_err(|error| GpuError::Input(error.to_string()))?;
            let network = parameters::initial(shape, self.order.recipe.seed);
            return Ok(Champion { stage: None, network, hash: None });
        };
        let network = read_floats(&self.order.files(&row.stage))?;
        // The hash that the table has, so that ancestors can be found there.
        let hash = u64::from_str_radix(&row.hash, 16).ok();
        Ok(Champion { stage: Some(row.stage.clone()), network, hash })
    }

    fn learn(
        &self,
        stage: &Stage,
        champion: &Champion,
        window: &[&Harvest],
        report: &mut dyn FnMut(Event),
    ) -> Result<Option<Learned>, LoopError> {
        let order = self.order;
        let recipe = order.recipe.training(stage);
        let shape = recipe.shape().map_err(|error| GpuError::Input(error.to_string()))?;
        let taught = champion.network.with_king_buckets(shape.king_buckets());
        let taught = taught.filter(|network| stage.warm && network.shape == shape);
        let parent = match taught {
            Some(network) => Parent { network, hash: champion.hash },
            None => Parent { network: parameters::initial(shape, recipe.seed), hash: None },
        };
        let stop = || self.interrupt.load(Relaxed);
        let mut told = |progress, point: Option<Point>| {
            report(point.map_or(Event::Step(progress), |point| Event::Point(point, progress)));
        };
        let learned = learn::learn(
            &recipe,
            stage.size,
            order.machine,
            order.threads,
            &parent,
            window,
            &order.folder,
            &stop,
            &mut told,
        );
        Ok(learned?)
    }

    /// Plays the stage's matches; `None` if somebody asked to stop.
    fn judge(
        &mut self,
        stage: &Stage,
        learned: &Learned,
        parent: &Player,
        champion: &Champion,
        report: &mut dyn FnMut(Event),
    ) -> Result<Option<Vec<Meeting>>, LoopError> {
        let Some(judge) = &stage.judge else { return Ok(Some(Vec::new())) };
        let new = Player::new(learned.float.quantise());
        let mut meetings = Vec::new();
        let Some(first) = self.meet(judge, &new, parent, champion.stage.clone(), report)? else {
            return Ok(None);
        };
        meetings.push(first);
        for name in judge.also.iter().filter(|&name| Some(name) != champion.stage.as_ref()) {
            let network = read_floats(&self.order.files(name))?;
            let other = Player::new(network.quantise());
            let Some(meeting) = self.meet(judge, &new, &other, Some(name.clone()), report)? else {
                return Ok(None);
            };
            meetings.push(meeting);
        }
        Ok(Some(meetings))
    }

    fn meet(
        &mut self,
        judge: &JudgeRecipe,
        new: &Player,
        other: &Player,
        against: Option<String>,
        report: &mut dyn FnMut(Event),
    ) -> Result<Option<Meeting>, LoopError> {
        /// Far from the seeds of self-play, so that no match repeats its openings.
        const OPENINGS: u64 = 1 << 60;
        let duel = Duel {
            nodes: [judge.nodes; 2],
            pairs: judge.games / 2,
            seed: OPENINGS ^ self.order.recipe.seed,
            dfrc_share: 0.0,
            sprt: None,
        };
        let told = |score: &Score| report(Event::Meeting(*score));
        let ended = duel.play(self.venue, [new, other], self.interrupt, told)?;
        Ok(ended.complete.then_some(Meeting { against, nodes: judge.nodes, score: ended.score }))
    }
}

/// Who is to be beaten.
struct Champion {
    stage: Option<String>,
    network: FloatNetwork,
    hash: Option<u64>,
}

/// The floating-point network of a stage, or what its integers tell of it where only they were kept.
fn read_floats(files: &Files) -> Result<FloatNetwork, LoopError> {
    let path = if files.floats.exists() { &files.floats } else { &files.network };
    let failed = |error: String| LoopError::File(path.clone(), error);
    let bytes = fs::read(path).map_err(|error| failed(error.to_string()))?;
    let (network, _) = AnyNetwork::read(&bytes).map_err(|error| failed(error.to_string()))?;
    Ok(network.into_floats())
}
