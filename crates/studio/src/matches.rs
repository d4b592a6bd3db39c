//! Matches for the page: the arena plays them, pages follow, and the store keeps games and results.

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lab::arena::adjudication::{DrawRule, ResignRule, Rules};
use lab::arena::config::{EngineConfig, EngineKind, MatchConfig, OpeningOrder, Patience};
use lab::arena::game_text::pgn_of;
use lab::arena::limits::Limits;
use lab::arena::opening_source::OpeningSource;
use lab::arena::ready::inspect_engines;
use lab::arena::report::Report;
use lab::arena::runner::{Arena, Conclusion, Event as Happening, FinishedGame, llr};
use lab::arena::schedule::{Schedule, Tournament};
use lab::arena::seat::Seating;
use lab::arena::tally::Tally;
use lab::openings::default_book;
use lab::statistics::{Decision, EloModel, Sprt};
use lab::words::split_arguments;
use record::pgn::PgnReader;
use serde_json::{Value, json};

use crate::analysis::available_threads;
use crate::hub::Hub;
use crate::job::Bench;
use crate::protocol::{Contender, Event, MatchStart};
use crate::store::{Id, Shelf, Store};
use crate::strength;

/// Time between two reports to the pages.
const REPORT_EVERY: Duration = Duration::from_millis(250);
/// Points of the curve that are kept; when there are more, every second one goes.
const MOST_POINTS: usize = 2000;
/// The newest games are listed; earlier ones are in the match's PGN.
const MOST_GAMES: usize = 500;
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
        let config = self.config(asked)?;
        let play = Play {
            id: id.clone(),
            config,
            store: Arc::clone(&self.store),
            hub: Arc::clone(&self.hub),
            latest: Arc::clone(&self.latest),
            curve: Vec::new(),
            stride: 1,
            games: Vec::new(),
            told: None,
            failure: None,
        };
        self.bench.start("match", move |interrupt| play.run(interrupt))?;
        Ok(json!({"id": id}))
    }

    /// Stops the match.
    pub fn stop(&self) {
        self.bench.stop();
    }

    fn config(&self, asked: &MatchStart) -> Result<MatchConfig, String> {
        let clock = asked.clock.as_deref().map(str::parse).transpose();
        let clock = clock.map_err(|error: lab::arena::limits::TimeControlError| error.to_string())?;
        let limits = Limits { clock, nodes: asked.nodes.filter(|&nodes| nodes > 0), ..Limits::default() };
        if !limits.is_limited() {
            return Err("a match needs a clock or a number of nodes".to_owned());
        }
        if asked.pairs == 0 || asked.pairs > MOST_PAIRS {
            return Err(format!("a match has from 1 to {MOST_PAIRS} pairs of games"));
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
            openings: None,
            seed: SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs()),
            sprt: sprt.transpose().map_err(|error| error.to_string())?,
            by_pairs: true,
            rules: Rules {
                draw: Some(DrawRule { move_number: 40, move_count: 8, score: 10 }),
                resign: Some(ResignRule { move_count: 3, score: 600, two_sided: true }),
                max_moves: Some(300),
            },
            tablebases: None,
            recover: true,
            wait: Duration::ZERO,
            patience: Patience::default(),
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
                let engine = self.engines.get(*place).ok_or("there is no such engine")?;
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
                Ok(EngineConfig { kind: EngineKind::Own, name, options, ..EngineConfig::default() })
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
        let text = self.store.read(Shelf::Matches, id, "json").ok()?;
        let value: Value = serde_json::from_slice(&text).ok()?;
        value.is_object().then_some(value)
    }

    /// A game of a match as PGN.
    pub fn game(&self, id: &Id, number: usize) -> Option<String> {
        let bytes = self.store.read(Shelf::Matches, id, "pgn").ok()?;
        let text = String::from_utf8_lossy(&bytes);
        PgnReader::new(&text).nth(number).map(|game| game.to_string())
    }
}

/// A match being played.
struct Play {
    id: Id,
    config: MatchConfig,
    store: Arc<Store>,
    hub: Arc<Hub>,
    latest: Arc<Mutex<Value>>,
    /// Games, LLR, Elo and its error after each of them.
    curve: Vec<[f64; 4]>,
    /// Games between two points of the curve.
    stride: u64,
    games: Vec<Value>,
    told: Option<Instant>,
    failure: Option<String>,
}

impl Play {
    fn run(mut self, interrupt: &Arc<AtomicBool>) {
        let mut config = self.config.clone();
        let ready = inspect_engines(&mut config, None).map_err(|fault| fault.to_string());
        self.config = config.clone();
        let path = self.store.path(Shelf::Matches, &self.id, "pgn");
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(|error| error.to_string());
        let mut file = match ready.and(file) {
            Ok(file) => file,
            Err(error) => return self.tell(&Tally::new(2, true), Some(&error)),
        };
        let openings = OpeningSource::new(default_book(), OpeningOrder::Random, 1, config.seed);
        let seating = Seating { chess960: false, patience: config.patience, eavesdropper: None };
        let arena = Arena { config: &config, openings, tablebase: None, seating, interrupt };
        let (tally, conclusion) = arena.run(&[], |happening| {
            if let Happening::Finished(game, tally) = happening {
                // One write for a whole game: a reader never sees half of one.
                let text = pgn_of(&game.played, &game.job, &config, game.summary.duration).to_string();
                if let Err(error) = file.write_all(text.as_bytes()) {
                    self.failure = Some(error.to_string());
                    interrupt.store(true, Ordering::Relaxed);
                }
                self.hear(game, tally);
            }
        });
        let words = self.failure.take().unwrap_or_else(|| conclusion_text(&conclusion));
        self.tell(&tally, Some(&words));
    }

    fn hear(&mut self, game: &FinishedGame, tally: &Tally) {
        let name = |engine: usize| self.config.engines[engine].name.as_str();
        self.games.push(json!({
            "number": tally.games() - 1,
            "white": name(game.job.white), "black": name(game.job.black),
            "result": game.played.ending.result.to_string(), "reason": game.played.ending.text,
            "plies": game.summary.plies,
        }));
        if self.games.len() > MOST_GAMES {
            self.games.remove(0);
        }
        if tally.games().is_multiple_of(self.stride) {
            let test = self.config.sprt.map_or(0.0, |test| llr(&test, tally, true));
            let estimate = tally.encounter(0, 1).estimate(false);
            let (elo, error) = estimate.map_or((0.0, 0.0), |estimate| (estimate.elo, estimate.elo_error));
            self.curve.push([tally.games() as f64, test, elo, error]);
        }
        if self.curve.len() > MOST_POINTS {
            self.stride *= 2;
            let mut odd = false;
            self.curve.retain(|_| {
                odd = !odd;
                !odd
            });
        }
        if self.told.is_none_or(|told| told.elapsed() >= REPORT_EVERY) {
            self.tell(tally, None);
        }
    }

    /// Tells how the match stands, and keeps it; with the reason when it is over.
    fn tell(&mut self, tally: &Tally, over: Option<&str>) {
        self.told = Some(Instant::now());
        let mut report = Report { config: &self.config, tally }.json();
        if let Some(report) = report.as_object_mut() {
            report.remove("opening_pairs");
        }
        let state = json!({
            "id": self.id, "report": report, "curve": self.curve, "games": self.games, "over": over,
            "clock": self.config.engines[0].limits.to_string(),
        });
        let text = state.to_string();
        // What cannot be kept can still be looked at.
        let kept = self.store.write(Shelf::Matches, &self.id, "json", text.as_bytes());
        if let Err(error) = kept {
            let text = format!("the match could not be saved: {error}");
            self.hub.tell_all(&Event::new("warning", json!({"text": text})));
        }
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = state.clone();
        self.hub.tell_all(&Event::new("match", json!({"match": state})));
    }
}

fn conclusion_text(conclusion: &Conclusion) -> String {
    match conclusion {
        Conclusion::Complete => "all games are played".to_owned(),
        Conclusion::Decided(Decision::AcceptH1) => "H1 accepted: the first engine is stronger".to_owned(),
        Conclusion::Decided(_) => "H0 accepted: the first engine is not stronger".to_owned(),
        Conclusion::Interrupted => "stopped".to_owned(),
        Conclusion::Fault(reason) => reason.clone(),
    }
}
