//! Runs a match: worker threads play games, the calling thread keeps the score and reports events.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use chess::Color;
use engine::start_threads;
use record::book::Opening;
use regex::Regex;
use uci::client::TranscriptLine;

use crate::affinity;
use crate::config::MatchConfig;
use crate::fixtures::{Fixtures, Next};
use crate::game::{GameConfig, PlayedGame, PlayedMove, Tablebase, play_before};
use crate::openings::OpeningSource;
use crate::players::{MoveReply, MoveRequest, Player, PlayerError, PlayerFactory};
use crate::results::{GameSummary, Tally, sprt_decision};
use crate::schedule::Job;
use stats::Decision;
use support::sync::lock;

/// Time between events when no game starts or ends.
const TICK: Duration = Duration::from_secs(1);

/// Gets every move of every game, on the thread that plays it.
pub type Spectator = Box<dyn Fn(&Job, PlayedMove) + Send + Sync>;

/// Between two looks whether the match has been stopped.
const POLL: Duration = Duration::from_millis(100);

pub struct Arena<'a> {
    pub config: &'a MatchConfig,
    pub openings: OpeningSource,
    pub tablebase: Option<&'a dyn Tablebase>,
    pub factory: PlayerFactory,
    pub spectator: Option<Spectator>,
    /// Set to stop the match.
    pub interrupt: &'a AtomicBool,
}

#[derive(Debug)]
pub struct FinishedGame {
    pub job: Job,
    pub played: PlayedGame,
    pub summary: GameSummary,
}

#[derive(Debug)]
pub enum MatchEvent<'a> {
    Started(&'a Job),
    /// The tally includes the game.
    Finished(&'a FinishedGame, &'a Tally),
    /// Sent about once a second when nothing else happens.
    Pause(&'a Tally),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    Complete,
    /// The SPRT is decided.
    Decided(Decision),
    Interrupted,
    /// A fault of an engine, without `-recover` or with `-strict`.
    Fault(String),
}

enum Message {
    Started(Job),
    Finished(Box<(Job, usize, PlayedGame, Duration)>),
    Broken(String),
}

impl<'a> Arena<'a> {
    /// A match without tablebases and spectator, and without a listener to engine communication.
    pub fn new(config: &'a MatchConfig, openings: OpeningSource, interrupt: &'a AtomicBool) -> Self {
        let expressions = config.pgn.iter().flat_map(|pgn| &pgn.match_lines);
        let factory = PlayerFactory {
            chess960: config.chess960,
            timeouts: config.timeouts,
            tap: None,
            // They were compiled when they were read.
            match_lines: expressions.filter_map(|expression| Regex::new(expression).ok()).collect(),
        };
        Self { config, openings, tablebase: None, factory, spectator: None, interrupt }
    }

    /// Plays all games that are not in `finished`, and reports to `listen`.
    pub fn run(&self, finished: &[GameSummary], mut listen: impl FnMut(MatchEvent)) -> (Tally, Conclusion) {
        let mut tally = Tally::of(self.config, finished);
        if let Some(decision) = sprt_decision(self.config, &tally) {
            return (tally, Conclusion::Decided(decision));
        }
        let cpus = match affinity::plan(self.config) {
            Ok(cpus) => cpus,
            Err(error) => return (tally, Conclusion::Fault(error)),
        };
        let queue = Queue::new(Fixtures::new(&self.config.schedule, finished));
        let halt = Arc::new(AtomicBool::new(false));
        let (sender, messages) = channel();
        let mut conclusion = Conclusion::Complete;
        let mut last_tick = Instant::now();
        std::thread::scope(|scope| {
            for number in 0..queue.left().min(self.config.concurrency.max(1) as u64) as usize {
                let (its_sender, its_halt, queue) = (sender.clone(), Arc::clone(&halt), &queue);
                let its_cpus = cpus.as_ref().and_then(|cpus| cpus.get(number));
                let (is_running, running) = channel::<()>();
                let work = move || {
                    drop(is_running);
                    if let Some(Err(error)) = its_cpus.map(|cpus| affinity::bind(cpus)) {
                        let _ = its_sender.send(Message::Broken(format!("-use-affinity: {error}")));
                        return;
                    }
                    self.work(queue, &its_sender, &its_halt);
                };
                let started = start_threads(1, || {
                    std::thread::Builder::new().spawn_scoped(scope, work)?;
                    // Ends with an error when the thread runs: it drops its sender.
                    let _ = running.recv();
                    Ok(())
                });
                if let Err(error) = started {
                    let _ = sender.send(Message::Broken(self.too_many_games(&error)));
                    break;
                }
            }
            drop(sender);
            loop {
                let message = messages.recv_timeout(POLL);
                if self.interrupt.load(Ordering::Relaxed) && !halt.swap(true, Ordering::Relaxed) {
                    conclusion = Conclusion::Interrupted;
                }
                match message {
                    Ok(Message::Started(job)) => listen(MatchEvent::Started(&job)),
                    Ok(Message::Broken(reason)) => {
                        if !halt.swap(true, Ordering::Relaxed) {
                            conclusion = Conclusion::Fault(reason);
                        }
                    }
                    Ok(Message::Finished(game)) => {
                        let (job, opening, played, duration) = *game;
                        // Games that end while the match is being stopped are dropped: short games would be overrepresented.
                        if halt.load(Ordering::Relaxed) {
                            continue;
                        }
                        let Some(summary) = GameSummary::new(&job, opening, &played, duration) else {
                            continue;
                        };
                        tally.add(&summary);
                        queue.add(&summary);
                        let game = FinishedGame { job, played, summary };
                        listen(MatchEvent::Finished(&game, &tally));
                        if let Some(end) = self.conclusion_after(&game, &tally) {
                            halt.store(true, Ordering::Relaxed);
                            conclusion = end;
                        }
                    }
                    Err(RecvTimeoutError::Timeout) if last_tick.elapsed() < TICK => {}
                    Err(RecvTimeoutError::Timeout) => {
                        listen(MatchEvent::Pause(&tally));
                        last_tick = Instant::now();
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        (tally, conclusion)
    }

    /// Why a match cannot be played with its concurrency.
    fn too_many_games(&self, reason: &dyn std::fmt::Display) -> String {
        let games = self.config.concurrency;
        format!("cannot play {games} concurrent games: {reason}; lower -concurrency")
    }

    fn conclusion_after(&self, game: &FinishedGame, tally: &Tally) -> Option<Conclusion> {
        let reason = || format!("game {}: {}", game.job.index + 1, game.played.ending.text);
        if game.played.broken && !self.config.recover {
            return Some(Conclusion::Fault(reason()));
        }
        if self.config.strict && game.summary.termination.is_fault() {
            return Some(Conclusion::Fault(reason()));
        }
        if let Some(warning) = game.played.warnings.first().filter(|_| self.config.strict) {
            return Some(Conclusion::Fault(format!("game {}: {warning}", game.job.index + 1)));
        }
        sprt_decision(self.config, tally).map(Conclusion::Decided)
    }

    /// A worker thread: plays games from the queue until it is empty.
    fn work(&self, queue: &Queue, sender: &Sender<Message>, halt: &Arc<AtomicBool>) {
        let mut worker = Worker { arena: self, halt, players: HashMap::new() };
        let mut first = true;
        while !halt.load(Ordering::Relaxed) {
            let Some(job) = queue.next(halt) else { break };
            if !std::mem::take(&mut first) && !self.config.wait.is_zero() {
                std::thread::sleep(self.config.wait);
            }
            let (index, opening) = match self.openings.opening(job.opening) {
                Ok(found) => found,
                Err(error) => {
                    let _ = sender.send(Message::Broken(error.to_string()));
                    break;
                }
            };
            let _ = sender.send(Message::Started(job));
            let started = Instant::now();
            match worker.play(&job, &opening) {
                Ok(played) => {
                    let _ = sender.send(Message::Finished(Box::new((job, index, played, started.elapsed()))));
                }
                Err(reason) => {
                    let _ = sender.send(Message::Broken(self.too_many_games(&reason)));
                    break;
                }
            }
        }
    }
}

/// The games to play.
struct Queue {
    fixtures: Mutex<Fixtures>,
    /// Notified when a result is added.
    changed: Condvar,
}

impl Queue {
    fn new(fixtures: Fixtures) -> Self {
        Self { fixtures: Mutex::new(fixtures), changed: Condvar::new() }
    }

    fn left(&self) -> u64 {
        lock(&self.fixtures).left()
    }

    fn add(&self, game: &GameSummary) {
        lock(&self.fixtures).add(game);
        self.changed.notify_all();
    }

    /// The next game; waits while it depends on those that are running. `None` at the end of the match.
    fn next(&self, halt: &AtomicBool) -> Option<Job> {
        let mut fixtures = lock(&self.fixtures);
        while !halt.load(Ordering::Relaxed) {
            match fixtures.take() {
                Next::Play(job) => return Some(job),
                Next::Over => break,
                Next::Wait => {
                    let waited = self.changed.wait_timeout(fixtures, POLL);
                    fixtures = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
                }
            }
        }
        None
    }
}

/// A worker's players. They are kept as long as their engines play.
struct Worker<'a> {
    arena: &'a Arena<'a>,
    halt: &'a Arc<AtomicBool>,
    players: HashMap<usize, Box<dyn Player>>,
}

impl Worker<'_> {
    /// Plays a game, unless the system has no memory or threads for an engine: no engine loses then.
    fn play(&mut self, job: &Job, opening: &Opening) -> Result<PlayedGame, PlayerError> {
        self.players.retain(|&engine, _| engine == job.white || engine == job.black);
        let mut white = self.player(job.white)?;
        let mut black = self.player(job.black)?;
        let config = self.arena.config;
        let settings = GameConfig {
            opening,
            chess960: config.chess960,
            rules: &config.rules,
            tablebase: self.arena.tablebase,
            limits: [config.engines[job.white].limits, config.engines[job.black].limits],
            check_mate_lines: config.check_mate_lines,
        };
        let mut watch = |mv: PlayedMove| {
            if let Some(spectator) = &self.arena.spectator {
                spectator(job, mv);
            }
        };
        let played = play_before([&mut *white, &mut *black], &settings, &mut watch);
        for (color, engine, player) in [(Color::White, job.white, white), (Color::Black, job.black, black)] {
            let broken = played.broken && played.culprit == Some(color);
            if !broken && !config.engines[engine].restart {
                self.players.insert(engine, player);
            }
        }
        Ok(played)
    }

    /// The player of an engine; one that does not start loses its first game.
    fn player(&mut self, engine: usize) -> Result<Box<dyn Player>, PlayerError> {
        if let Some(player) = self.players.remove(&engine) {
            return Ok(player);
        }
        let created = self.arena.factory.create(&self.arena.config.engines[engine], Arc::clone(self.halt));
        match created {
            Err(error @ PlayerError::NoResources(_)) => Err(error),
            Err(fault) => Ok(Box::new(FailedPlayer(fault))),
            Ok(player) => Ok(player),
        }
    }
}

/// Stands in for an engine that did not start.
struct FailedPlayer(PlayerError);

impl Player for FailedPlayer {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        Err(self.0.clone())
    }

    fn think(&mut self, _: &MoveRequest) -> Result<MoveReply, PlayerError> {
        Err(self.0.clone())
    }

    fn transcript(&self) -> Vec<TranscriptLine> {
        Vec::new()
    }
}
