//! Matches for the page: the arena plays them, pages follow, and the store keeps games and results. A match that
//! was stopped, or whose studio was killed, can go on later.

mod chronicle;
mod obedience;
mod play;
#[cfg(test)]
mod tests;

use std::iter;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use arena::config::{EngineConfig, EngineKind, MatchConfig, OpeningConfig, OpeningOrder, Timeouts};
use arena::game::EngineLimits;
use arena::schedule::{Schedule, Tournament};
use record::adjudication::{AdjudicationRules, DrawRule, ResignRule};
use record::pgn::PgnReader;
use serde_json::{Value, json};
use stats::{EloModel, Sprt};
use support::shell::split_arguments;

use self::play::{Play, STATE, saved};
use crate::analysis::available_threads;
use crate::hub::Hub;
use crate::job::Bench;
use crate::protocol::{Contender, MatchStart};
use crate::store::{Id, Shelf, Store};
use crate::strength;

/// Most pairs of games in a match.
const MOST_PAIRS: u64 = 100_000;
/// Error rates of a test.
const ALPHA: f64 = 0.05;

/// An engine that the user named when starting the studio.
#[derive(Clone, Debug)]
pub struct NamedEngine {
    /// Its name in lists.
    pub name: String,
    /// Its program with its arguments, as one line.
    pub command: String,
}

impl NamedEngine {
    fn config(&self) -> EngineConfig {
        let mut words = split_arguments(&self.command).into_iter();
        EngineConfig {
            kind: EngineKind::Process,
            name: self.name.clone(),
            command: words.next().unwrap_or_default(),
            arguments: words.collect(),
            ..EngineConfig::default()
        }
    }
}

/// The book inside the program, in another order for each match.
fn own_book() -> OpeningConfig {
    OpeningConfig { file: None, pgn: false, order: OpeningOrder::Random, plies: None, start: 1 }
}

/// The place where matches are played.
pub struct Matches {
    /// What Vedette's own engine is set up with.
    options: Vec<(String, String)>,
    engines: Vec<NamedEngine>,
    store: Arc<Store>,
    hub: Arc<Hub>,
    bench: Bench,
    latest: Arc<Mutex<Value>>,
}

impl Matches {
    /// No match is being played.
    pub fn new(
        options: Vec<(String, String)>,
        engines: Vec<NamedEngine>,
        store: Arc<Store>,
        hub: Arc<Hub>,
    ) -> Matches {
        Matches { options, engines, store, hub, bench: Bench::default(), latest: Arc::default() }
    }

    /// The engines that the user named.
    pub fn engines(&self) -> &[NamedEngine] {
        &self.engines
    }

    /// The match in progress; null if there is none.
    pub fn current(&self) -> Value {
        if self.bench.is_busy() {
            self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
        } else {
            Value::Null
        }
    }

    /// Begins a match, and tells its name.
    ///
    /// # Errors
    /// The request makes no sense, or a match is being played.
    pub fn start(&self, asked: &MatchStart) -> Result<Value, String> {
        let id = self.store.new_id();
        let play = self.play(&id, self.config(asked)?);
        self.bench.start("match", move |interrupt| play.run(Vec::new(), interrupt))?;
        Ok(json!({"id": id}))
    }

    /// Goes on with a match that was stopped or interrupted, and tells its name.
    ///
    /// # Errors
    /// There is nothing to go on with, an engine is missing, or a match is being played.
    pub fn resume(&self, id: &Id) -> Result<Value, String> {
        let (config, finished) = saved(&self.store, id)?;
        let is_named = |engine: &EngineConfig| {
            // What is started must be what the user has named, not what a file says.
            self.engines.iter().any(|named| {
                let (name, limits) = (engine.name.clone(), engine.limits);
                EngineConfig { name, limits, ..named.config() } == *engine
            })
        };
        let mut foreign = config.engines.iter().filter(|engine| engine.kind == EngineKind::Process);
        if let Some(EngineConfig { name, command, arguments, .. }) = foreign.find(|engine| !is_named(engine))
        {
            let words: Vec<&str> = iter::once(command).chain(arguments).map(String::as_str).collect();
            let words = words.join(" ");
            return Err(format!(
                "unknown engine: start the studio with --engine \"{name}={words}\" to resume"
            ));
        }
        let play = self.play(id, config);
        self.bench.start("match", move |interrupt| play.run(finished, interrupt))?;
        Ok(json!({"id": id}))
    }

    fn play(&self, id: &Id, config: MatchConfig) -> Play {
        let latest = Arc::clone(&self.latest);
        Play::new(id.clone(), config, Arc::clone(&self.store), Arc::clone(&self.hub), latest)
    }

    /// Stops the match.
    pub fn stop(&self) {
        self.bench.stop();
    }

    fn config(&self, asked: &MatchStart) -> Result<MatchConfig, String> {
        let clock = asked.clock.as_deref().map(|text| {
            text.parse().map_err(|_| {
                format!("invalid time control '{text}': expected seconds+increment, such as 5+0.05")
            })
        });
        let clock = clock.transpose()?;
        let limits =
            EngineLimits { clock, nodes: asked.nodes.filter(|&nodes| nodes > 0), ..EngineLimits::default() };
        if !limits.is_limited() {
            return Err("missing limit: set a time control or nodes per move".to_owned());
        }
        if asked.pairs == 0 || asked.pairs > MOST_PAIRS {
            return Err(format!("invalid number of game pairs {}: expected 1..={MOST_PAIRS}", asked.pairs));
        }
        let engines = asked
            .engines
            .iter()
            .map(|contender| {
                let engine = self.contender(contender)?;
                Ok(EngineConfig { limits, ..engine })
            })
            .collect::<Result<Vec<_>, String>>()?;
        let sprt = asked.sprt.map(|[elo0, elo1]| Sprt::new(elo0, elo1, ALPHA, ALPHA, EloModel::default()));
        Ok(MatchConfig {
            engines,
            schedule: Schedule {
                engines: 2,
                tournament: Tournament::RoundRobin,
                rounds: asked.pairs,
                games: 2,
                swap: true,
                reverse: false,
            },
            concurrency: asked.concurrency.clamp(1, available_threads()),
            chess960: false,
            openings: Some(own_book()),
            seed: SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs()),
            sprt: sprt.transpose().map_err(|error| error.to_string())?,
            by_pairs: true,
            rules: AdjudicationRules {
                draw: Some(DrawRule { move_number: 40, move_count: 8, score: 10 }),
                resign: Some(ResignRule { move_count: 3, score: 600, two_sided: true }),
                max_moves: Some(300),
            },
            tablebases: None,
            recover: true,
            wait: Duration::ZERO,
            timeouts: Timeouts::default(),
            pgn: None,
            epd: None,
            event: "Vedette studio".to_owned(),
            site: "?".to_owned(),
            fault_reports: None,
            strict: false,
            check_mate_lines: false,
        })
    }

    fn contender(&self, contender: &Contender) -> Result<EngineConfig, String> {
        match contender {
            Contender::Named(place) => {
                let engine = self.engines.get(*place).ok_or("unknown engine")?;
                Ok(engine.config())
            }
            Contender::Own { elo, classical } => {
                let mut options = self.options.clone();
                let mut name = "Vedette".to_owned();
                if let Some(elo) = elo {
                    options.extend(strength::options(*elo)?);
                    name = format!("{name} {elo}");
                }
                if *classical {
                    options.push(("Evaluation".to_owned(), "classical".to_owned()));
                    name.push_str(" classical");
                }
                Ok(EngineConfig { kind: EngineKind::InProcess, name, options, ..EngineConfig::default() })
            }
        }
    }

    /// All matches, the newest first, without their curves and games.
    pub fn list(&self) -> Value {
        let summary = |id: &Id| {
            let mut value = self.saved(id)?;
            let object = value.as_object_mut()?;
            object.remove("curve");
            object.remove("games");
            Some(value)
        };
        self.store.list(Shelf::Matches, "json").iter().filter_map(summary).collect()
    }

    /// One match.
    pub fn open(&self, id: &Id) -> Option<Value> {
        self.saved(id)
    }

    fn saved(&self, id: &Id) -> Option<Value> {
        // Asked before the file is read: a match that ends in between has written its last word into it.
        let runs = self.is_played(id);
        let text = self.store.read(Shelf::Matches, id, "json").ok()?;
        let mut value: Value = serde_json::from_slice(&text).ok().filter(Value::is_object)?;
        if value["over"].is_null() && !runs {
            value["over"] = "interrupted".into();
        }
        value["resumable"] = (!runs && self.store.path(Shelf::Matches, id, STATE).exists()).into();
        Some(value)
    }

    fn is_played(&self, id: &Id) -> bool {
        self.current()["id"] == id.to_string().as_str()
    }

    /// Forgets a match.
    ///
    /// # Errors
    /// It is being played, or its files cannot be removed.
    pub fn remove(&self, id: &Id) -> Result<(), String> {
        if self.is_played(id) {
            return Err("this match is running: stop it first".to_owned());
        }
        self.store.remove(Shelf::Matches, id).map_err(|error| error.to_string())
    }

    /// A game of a match as PGN.
    pub fn game(&self, id: &Id, number: usize) -> Option<String> {
        let bytes = self.store.read(Shelf::Matches, id, "pgn").ok()?;
        let text = String::from_utf8_lossy(&bytes);
        PgnReader::new(&text).nth(number).map(|game| game.to_string())
    }
}
