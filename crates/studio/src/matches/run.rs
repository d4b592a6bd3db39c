//! A running match: games are written to its files as they end, and pages get its state.

use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arena::cli::{MatchOptions, OutputConfig, SaveConfig};
use arena::config::{EngineConfig, PgnConfig};
use arena::openings::OpeningSource;
use arena::output::{MatchRecorder, MatchReport as ArenaReport, pgn_of};
use arena::players::inspect_engines;
use arena::results::{GameSummary, Tally};
use arena::saved::{SavedMatch, StateFile};
use arena::{Arena, Conclusion, FinishedGame, MatchConfig, MatchEvent};
use record::pgn::PgnReader;
use stats::{Decision, Trinomial};

use super::history::{MatchHistory, finite};
use super::live::LiveGames;
use super::node_limit;
use crate::clients::Clients;
use crate::error::RequestError;
use crate::job::RunningJob;
use crate::protocol::{
    Encounter, Estimate, Event, GameCounts, MatchReport, MatchState, MatchSummary, SprtState, Standing,
};
use crate::store::{Collection, Id, Store};

/// How long an engine that is limited by nodes alone may take to start searching.
const SLOW_START: Duration = Duration::from_secs(10);
/// Time between two updates.
const UPDATE_EVERY: Duration = Duration::from_millis(250);
/// The file that a match is resumed from: it exists until all games are finished.
pub const STATE: &str = "state";

/// Whether a match is saved. A crash before its first line leaves an empty file.
pub fn is_saved(store: &Store, id: &Id) -> bool {
    fs::metadata(store.path(Collection::Matches, id, STATE)).is_ok_and(|file| file.len() > 0)
}

/// An unfinished match.
pub fn load(store: &Store, id: &Id) -> Result<SavedMatch, RequestError> {
    let path = store.path(Collection::Matches, id, STATE);
    Ok(SavedMatch::load(&path).map_err(|error| error.to_string())?)
}

pub struct MatchRun {
    id: Id,
    config: MatchConfig,
    store: Arc<Store>,
    clients: Arc<Clients>,
    history: MatchHistory,
    updated: Option<Instant>,
    /// When the first game of this run began, and how many games there were before.
    started: Option<(Instant, u64)>,
    /// Whether the engines are still being started.
    preparing: bool,
}

impl MatchRun {
    pub fn new(id: Id, mut config: MatchConfig, store: Arc<Store>, clients: Arc<Clients>) -> MatchRun {
        let history = MatchHistory::new();
        // Not from the saved match: the data folder may have been moved.
        config.pgn =
            Some(PgnConfig { file: store.path(Collection::Matches, &id, "pgn"), ..PgnConfig::default() });
        MatchRun { id, config, store, clients, history, updated: None, started: None, preparing: true }
    }

    /// Plays all games that are not saved.
    pub fn run(mut self, saved: Option<SavedMatch>, job: &RunningJob<MatchState>) {
        let finished = match saved.map_or(Ok(Vec::new()), |saved| self.restore(saved)) {
            Ok(finished) => finished,
            Err(error) => {
                // Not saved: what was saved of its games is better.
                let nothing = Tally::of(&self.config, &[]);
                return self.send(job, self.state(&nothing, Some(error)));
            }
        };
        let before = Tally::of(&self.config, &finished);
        self.publish(job, &before, None);
        let (openings, mut recorder) = match self.prepare(&finished, &job.stop) {
            Ok(ready) => ready,
            Err(error) => {
                let stopped = job.stop.load(Ordering::Relaxed);
                let reason = if stopped { conclusion_text(&Conclusion::Interrupted) } else { error };
                if is_saved(&self.store, &self.id) {
                    return self.publish(job, &before, Some(reason));
                }
                // Nothing was played: pages get the reason, and nothing is kept.
                let state = self.state(&before, Some(reason));
                if let Err(error) = self.store.remove(Collection::Matches, &self.id) {
                    self.clients.warn(format!("could not remove the match: {error}"));
                }
                return self.send(job, state);
            }
        };
        self.preparing = false;
        self.started = Some((Instant::now(), before.games()));
        self.publish(job, &before, None);
        let config = self.config.clone();
        let mut arena = Arena::new(&config, openings, &job.stop);
        let names = config.engines.iter().map(|engine| engine.name.clone()).collect();
        let live = Arc::new(LiveGames::new(Arc::clone(&self.clients), names));
        let spectators = Arc::clone(&live);
        arena.spectator = Some(Box::new(move |job, mv| spectators.add(job, mv)));
        let mut failure = None;
        let (tally, conclusion) = arena.run(&finished, |event| match event {
            MatchEvent::Started(_) => {}
            MatchEvent::Pause(_) => live.flush(),
            MatchEvent::Finished(game, tally) => {
                live.remove(&game.job);
                if let Err(error) = self.add_game(job, game, tally, &mut recorder) {
                    failure.get_or_insert(error);
                    job.stop.store(true, Ordering::Relaxed);
                }
            }
        });
        live.clear();
        if let Err(error) = recorder.sync() {
            failure.get_or_insert(error.to_string());
        }
        let is_complete =
            failure.is_none() && matches!(conclusion, Conclusion::Complete | Conclusion::Decided(_));
        let reason = failure.unwrap_or_else(|| conclusion_text(&conclusion));
        let mut state = self.state(&tally, Some(reason));
        state.summary.resumable = !is_complete;
        // The state file is removed last: a crash before that loses nothing.
        if self.save(&state) && is_complete {
            recorder.forget();
        } else {
            drop(recorder);
        }
        self.send(job, state);
    }

    /// Finds out before the first game what would make the match fail later.
    fn prepare(
        &mut self,
        finished: &[GameSummary],
        interrupt: &Arc<AtomicBool>,
    ) -> Result<(OpeningSource, MatchRecorder), String> {
        let config = &mut self.config;
        let openings = OpeningSource::from_config(config).map_err(|error| error.to_string())?;
        inspect_engines(config, None, interrupt).map_err(|fault| fault.to_string())?;
        let waits =
            config.engines.iter().filter_map(|engine| node_limit::longest_move(&engine.limits, SLOW_START));
        config.timeouts.search = waits.max().unwrap_or(config.timeouts.search);
        node_limit::check(config, SLOW_START, interrupt)?;
        Ok((openings, self.recorder(finished)?))
    }

    /// Restores the history of a resumed match. A game counts if it is in both files.
    fn restore(&mut self, mut saved: SavedMatch) -> Result<Vec<GameSummary>, String> {
        saved.request.config.pgn.clone_from(&self.config.pgn);
        saved.repair().map_err(|error| error.to_string())?;
        let mut finished = saved.finished;
        if finished.is_empty() {
            return Ok(finished);
        }
        let bytes = self.store.read(Collection::Matches, &self.id, "pgn").unwrap_or_default();
        let mut text = String::new();
        let mut tally = Tally::of(&self.config, &[]);
        let mut restored = 0;
        for (game, summary) in PgnReader::new(&String::from_utf8_lossy(&bytes)).zip(&finished) {
            tally.add(summary);
            self.history.add(&game, &self.config, &tally);
            text.push_str(&game.to_string());
            restored += 1;
        }
        finished.truncate(restored);
        // Earlier versions did not save the length of the file: there may be a game that is not saved.
        if text.as_bytes() != bytes {
            let written = self.store.write(Collection::Matches, &self.id, "pgn", text.as_bytes());
            written.map_err(|error| error.to_string())?;
        }
        Ok(finished)
    }

    fn recorder(&self, finished: &[GameSummary]) -> Result<MatchRecorder, String> {
        let path = self.store.path(Collection::Matches, &self.id, STATE);
        let request = MatchOptions {
            config: self.config.clone(),
            output: OutputConfig::default(),
            saving: SaveConfig::default(),
            log: None,
            warnings: Vec::new(),
        };
        MatchRecorder::open(&self.config, finished.len(), |output| {
            StateFile::resume(&path, &request, finished, output)
        })
        .map_err(|error| error.to_string())
    }

    fn add_game(
        &mut self,
        job: &RunningJob<MatchState>,
        game: &FinishedGame,
        tally: &Tally,
        recorder: &mut MatchRecorder,
    ) -> Result<(), String> {
        recorder.record(game).map_err(|error| error.to_string())?;
        let record = pgn_of(&game.played, &game.job, &self.config, game.summary.duration);
        self.history.add(&record, &self.config, tally);
        if self.updated.is_none_or(|updated| updated.elapsed() >= UPDATE_EVERY) {
            self.publish(job, tally, None);
        }
        Ok(())
    }

    /// Saves the state of the match and sends it to the pages; `over` says why it has ended.
    fn publish(&mut self, job: &RunningJob<MatchState>, tally: &Tally, over: Option<String>) {
        self.updated = Some(Instant::now());
        let state = self.state(tally, over);
        self.save(&state);
        self.send(job, state);
    }

    fn state(&self, tally: &Tally, over: Option<String>) -> MatchState {
        let ended = over.is_some();
        let (elapsed, left) = self.times(tally);
        MatchState {
            summary: MatchSummary {
                id: self.id.clone(),
                report: report(&self.config, tally),
                over,
                resumable: ended && is_saved(&self.store, &self.id),
                clock: self.config.engines[0].limits.to_string(),
                preparing: self.preparing && !ended,
                elapsed,
                left: left.filter(|_| !ended),
            },
            curve: self.history.curve.clone(),
            games: self.history.games.clone(),
        }
    }

    /// Seconds that this run has taken, and that the planned games left may take.
    fn times(&self, tally: &Tally) -> (u64, Option<u64>) {
        let Some((started, before)) = self.started else { return (0, None) };
        let elapsed = started.elapsed();
        let played = tally.games().saturating_sub(before);
        let open = self.config.schedule.len().saturating_sub(tally.games());
        let left = (played > 0).then(|| (elapsed.as_secs_f64() * open as f64 / played as f64).ceil() as u64);
        (elapsed.as_secs(), left)
    }

    /// Returns whether it is saved; otherwise the pages are warned.
    fn save(&self, state: &MatchState) -> bool {
        let saved = serde_json::to_vec(state)
            .map_err(io::Error::other)
            .and_then(|text| self.store.write(Collection::Matches, &self.id, "json", &text));
        if let Err(error) = &saved {
            self.clients.warn(format!("could not save the match: {error}"));
        }
        saved.is_ok()
    }

    fn send(&self, job: &RunningJob<MatchState>, state: MatchState) {
        job.publish(state.clone());
        if state.summary.over.is_some() {
            job.free();
        }
        self.clients.broadcast(Event::Match(Box::new(state)));
    }
}

fn report(config: &MatchConfig, tally: &Tally) -> MatchReport {
    let sprt = ArenaReport { config, tally }.sprt_state().map(|state| {
        let (elo0, elo1) = state.test.hypotheses();
        SprtState { llr: state.llr, lower: state.bounds.lower, upper: state.bounds.upper, elo0, elo1 }
    });
    let ratings = if config.engines.len() > 2 { tally.ratings(config.by_pairs) } else { Vec::new() };
    let standing = |(index, engine): (usize, &EngineConfig)| {
        let rating = ratings.get(index).filter(|rating| rating.error.is_some());
        Standing {
            name: engine.name.clone(),
            games: counts(tally.total(index).games()),
            elo: rating.and_then(|rating| finite(rating.elo)),
            elo_error: rating.and_then(|rating| finite(rating.error?)),
        }
    };
    let encounter = |(first, second): (usize, usize)| {
        let encounter = tally.encounter(first, second);
        let estimate = encounter.estimate(config.by_pairs).or_else(|| encounter.estimate(false));
        Encounter {
            players: [first, second],
            pairs: encounter.pairs.counts,
            games: counts(encounter.games()),
            estimate: estimate.map(|estimate| Estimate {
                score: estimate.score,
                elo: finite(estimate.elo),
                elo_error: finite(estimate.elo_error),
            }),
        }
    };
    MatchReport {
        games: tally.games(),
        games_planned: config.schedule.len(),
        engines: config.engines.iter().enumerate().map(standing).collect(),
        encounters: config.schedule.pairings().into_iter().map(encounter).collect(),
        sprt,
        repeats: !tally.distinct().is_valid(),
    }
}

fn counts(games: Trinomial) -> GameCounts {
    GameCounts { wins: games.wins, draws: games.draws, losses: games.losses }
}

fn conclusion_text(conclusion: &Conclusion) -> String {
    match conclusion {
        Conclusion::Complete => "finished".to_owned(),
        Conclusion::Decided(Decision::AcceptH1) => "H1 accepted: the first engine is stronger".to_owned(),
        Conclusion::Decided(_) => "H0 accepted: the first engine is not stronger".to_owned(),
        Conclusion::Interrupted => "stopped".to_owned(),
        Conclusion::Fault(reason) => reason.clone(),
    }
}
