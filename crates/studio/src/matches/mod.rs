//! Engine matches for the page; the store keeps games and results. A match that was stopped or interrupted can be
//! resumed.

mod command;
mod history;
mod live;
mod node_limit;
mod run;
#[cfg(test)]
mod tests;

use std::iter;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use arena::config::{EngineConfig, EngineKind, MatchConfig, OpeningConfig, OpeningOrder, Timeouts};
use arena::game::{EngineLimits, TimeControl};
use arena::saved::SavedMatch;
use arena::schedule::{Schedule, Tournament};
use record::adjudication::{AdjudicationRules, DrawRule, ResignRule};
use record::pgn::PgnReader;
use stats::{EloModel, Sprt};

use self::command::command_of;
use self::run::{MatchRun, is_saved, load};
use crate::analysis::available_threads;
use crate::clients::Clients;
use crate::engines::Engines;
use crate::error::{INTERNAL, RequestError};
use crate::job::JobSlot;
use crate::protocol::{
    DrawAdjudication, Entrant, Event, MatchEngine, MatchOpenings, MatchRequest, MatchStart, MatchState,
    MatchSummary, Reply, ResignAdjudication,
};
use crate::store::{Collection, Id, Store};
use crate::strength;

const MAX_PAIRS: u64 = 100_000;
/// The longest time for a game.
const MAX_TIME: Duration = Duration::from_hours(24);
const MAX_INCREMENT: Duration = Duration::from_hours(1);
/// The largest PGN file that a page gets, in bytes.
const MAX_PGN: usize = 12 * 1024 * 1024;
/// The largest numbers of an adjudication rule.
const MAX_RULE_MOVES: u32 = 1000;
const MAX_RULE_SCORE: i32 = 100_000;
/// Error rate of an SPRT, both ways.
const ALPHA: f64 = 0.05;

/// Parses a time control that a game can be played with.
fn parse_clock(text: &str) -> Result<TimeControl, String> {
    let clock: TimeControl = text
        .parse()
        .map_err(|_| format!("invalid time control '{text}': expected seconds+increment, such as 5+0.05"))?;
    if clock.base > MAX_TIME || clock.increment > MAX_INCREMENT {
        return Err(format!(
            "invalid time control '{text}': expected at most 24 hours, and an increment of at most 1 hour"
        ));
    }
    Ok(clock)
}

/// Sets an option, in place of an earlier value.
fn set_option(options: &mut Vec<(String, String)>, name: &str, value: String) {
    options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    options.push((name.to_owned(), value));
}

/// An option that a page may set: no text, which might be a path.
fn checked_option(name: &str, value: &str) -> Result<(String, String), RequestError> {
    let (name, value) = (name.trim(), value.trim());
    let known = !name.is_empty() && name.len() <= 60 && !name.contains(|c: char| c.is_control() || c == '=');
    if !known {
        return Err(format!("invalid option name '{}'", name.escape_debug()).into());
    }
    let simple = matches!(value, "true" | "false") || value.parse::<i64>().is_ok();
    if !simple {
        let value = value.escape_debug();
        return Err(format!("invalid value '{value}' of {name}: expected a number, true or false").into());
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// A name that no earlier engine of the match has.
fn unique_name(name: String, earlier: &[EngineConfig]) -> String {
    let is_free = |name: &str| earlier.iter().all(|engine| engine.name != name);
    if is_free(&name) {
        return name;
    }
    // One of so many is free.
    let numbers = 2..=earlier.len() + 1;
    numbers.map(|number| format!("{name} ({number})")).find(|name| is_free(name)).unwrap_or(name)
}

/// When games end before their end.
fn adjudication(start: &MatchStart) -> Result<AdjudicationRules, RequestError> {
    let moves = [
        start.draw.map(|rule| rule.from_move),
        start.draw.map(|rule| rule.moves),
        start.resign.map(|rule| rule.moves),
        start.max_moves,
    ];
    if let Some(moves) = moves.into_iter().flatten().find(|moves| !(1..=MAX_RULE_MOVES).contains(moves)) {
        return Err(format!("invalid number of moves {moves}: expected 1..={MAX_RULE_MOVES}").into());
    }
    let scores = [start.draw.map(|rule| rule.score), start.resign.map(|rule| rule.score)];
    if let Some(score) = scores.into_iter().flatten().find(|score| !(0..=MAX_RULE_SCORE).contains(score)) {
        return Err(format!("invalid score {score}: expected 0..={MAX_RULE_SCORE} centipawns").into());
    }
    Ok(AdjudicationRules {
        draw: start.draw.map(|DrawAdjudication { from_move, moves, score }| DrawRule {
            move_number: from_move,
            move_count: moves,
            score,
        }),
        resign: start.resign.map(|ResignAdjudication { moves, score }| ResignRule {
            move_count: moves,
            score,
            two_sided: true,
        }),
        max_moves: start.max_moves,
    })
}

/// The built-in opening book, shuffled for each match.
fn builtin_book() -> OpeningConfig {
    OpeningConfig { file: None, pgn: false, order: OpeningOrder::Random, plies: None, start: 1 }
}

pub struct Matches {
    /// UCI options of Vedette's own engine.
    options: Vec<(String, String)>,
    engines: Arc<Engines>,
    store: Arc<Store>,
    clients: Arc<Clients>,
    slot: JobSlot<MatchState>,
}

impl Matches {
    pub fn new(
        options: Vec<(String, String)>,
        engines: Arc<Engines>,
        store: Arc<Store>,
        clients: Arc<Clients>,
    ) -> Matches {
        Matches { options, engines, store, clients, slot: JobSlot::default() }
    }

    pub fn handle(&self, request: MatchRequest) -> Result<Reply, RequestError> {
        match request {
            MatchRequest::Start(start) => self.start(&start).map(Reply::Started),
            MatchRequest::Resume { id } => self.resume(id).map(Reply::Started),
            MatchRequest::Command(start) => Ok(Reply::Command(command_of(&self.config(&start)?))),
            MatchRequest::Pgn { id } => self.pgn(&id).map(Reply::Pgn),
            MatchRequest::Stop => {
                self.stop();
                Ok(Reply::Done)
            }
            MatchRequest::List => Ok(Reply::Matches(self.list())),
            MatchRequest::Open { id } => {
                let state = self.open(&id).ok_or(RequestError::NotFound)?;
                Ok(Reply::Match(Box::new(state)))
            }
            MatchRequest::Game { id, index } => {
                self.game(&id, index).map(Reply::Pgn).ok_or(RequestError::NotFound)
            }
            MatchRequest::Remove { id } => {
                self.remove(&id)?;
                Ok(Reply::Done)
            }
        }
    }

    pub fn current(&self) -> Option<MatchState> {
        self.slot.progress()
    }

    fn start(&self, start: &MatchStart) -> Result<Id, RequestError> {
        self.begin(self.store.new_id(), self.config(start)?, None)
    }

    fn resume(&self, id: Id) -> Result<Id, RequestError> {
        let saved = load(&self.store, &id)?;
        let mut config = saved.request.config.clone();
        // The data folder may have been moved.
        if let Some(file) = config.openings.as_mut().and_then(|openings| openings.file.as_mut())
            && let Some(id) = file.file_stem().and_then(|stem| Id::parse(stem.to_str()?))
        {
            *file = self.store.path(Collection::Imported, &id, "pgn");
        }
        let (engines, _) = self.engines.all();
        let is_known = |engine: &EngineConfig| {
            // Only commands that the user has given are run, never one from a match's file.
            engines.iter().any(|known| {
                let (name, identity, limits) = (engine.name.clone(), engine.identity.clone(), engine.limits);
                EngineConfig { name, identity, limits, ..known.config() } == *engine
            })
        };
        let mut external = config.engines.iter().filter(|engine| engine.kind == EngineKind::Process);
        if let Some(EngineConfig { name, command, arguments, .. }) = external.find(|engine| !is_known(engine))
        {
            let command: Vec<&str> = iter::once(command).chain(arguments).map(String::as_str).collect();
            let command = command.join(" ");
            return Err(format!(
                "unknown engine: add it with vedette engine add \"{name}\" {command}, then resume"
            )
            .into());
        }
        self.begin(id, config, Some(saved))
    }

    fn begin(&self, id: Id, config: MatchConfig, saved: Option<SavedMatch>) -> Result<Id, RequestError> {
        let run = MatchRun::new(id.clone(), config, Arc::clone(&self.store), Arc::clone(&self.clients));
        let clients = Arc::clone(&self.clients);
        let failed = move |last: Option<MatchState>| match last {
            Some(mut state) => {
                state.summary.over = Some(INTERNAL.to_owned());
                clients.broadcast(Event::Match(Box::new(state)));
            }
            None => clients.warn(INTERNAL.to_owned()),
        };
        self.slot.start("match", &id, move |job| run.run(saved, job), failed)?;
        Ok(id)
    }

    pub fn stop(&self) {
        self.slot.stop();
    }

    fn config(&self, start: &MatchStart) -> Result<MatchConfig, RequestError> {
        let clock = start.clock.as_deref().map(parse_clock).transpose()?;
        let limits =
            EngineLimits { clock, nodes: start.nodes.filter(|&nodes| nodes > 0), ..EngineLimits::default() };
        if !limits.is_limited() {
            return Err("missing limit: set a time control or nodes per move".into());
        }
        if start.pairs == 0 || start.pairs > MAX_PAIRS {
            let pairs = start.pairs;
            return Err(format!("invalid number of game pairs {pairs}: expected 1..={MAX_PAIRS}").into());
        }
        let mut engines: Vec<EngineConfig> = Vec::new();
        for Entrant { engine, options } in &start.engines {
            let mut config = EngineConfig { limits, ..self.engine(engine)? };
            for (name, value) in &options.0 {
                let (name, value) = checked_option(name, value)?;
                set_option(&mut config.options, &name, value);
            }
            config.name = unique_name(config.name, &engines);
            engines.push(config);
        }
        if engines.len() < 2 {
            return Err("a match needs two engines or more".into());
        }
        if start.sprt.is_some() && engines.len() > 2 {
            return Err("an SPRT needs exactly two engines".into());
        }
        let sprt = start.sprt.map(|[elo0, elo1]| Sprt::new(elo0, elo1, ALPHA, ALPHA, EloModel::default()));
        Ok(MatchConfig {
            schedule: Schedule {
                engines: engines.len(),
                tournament: if start.gauntlet && engines.len() > 2 {
                    Tournament::Gauntlet { seeds: 1 }
                } else {
                    Tournament::RoundRobin
                },
                rounds: start.pairs,
                games: 2,
                swap: true,
                reverse: false,
            },
            engines,
            concurrency: start.concurrency.clamp(1, available_threads()),
            chess960: matches!(start.openings, MatchOpenings::Chess960),
            openings: self.openings(&start.openings)?,
            seed: SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs()),
            sprt: sprt.transpose().map_err(|error| error.to_string())?,
            by_pairs: true,
            rules: adjudication(start)?,
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
            affinity: None,
        })
    }

    fn openings(&self, openings: &MatchOpenings) -> Result<Option<OpeningConfig>, RequestError> {
        Ok(match openings {
            MatchOpenings::Standard => None,
            MatchOpenings::BuiltIn | MatchOpenings::Chess960 => Some(builtin_book()),
            MatchOpenings::Imported { id, plies } => {
                let file = self.store.path(Collection::Imported, id, "pgn");
                if !file.exists() {
                    return Err(RequestError::NotFound);
                }
                Some(OpeningConfig { file: Some(file), pgn: true, plies: Some(*plies), ..builtin_book() })
            }
        })
    }

    fn engine(&self, engine: &MatchEngine) -> Result<EngineConfig, RequestError> {
        match *engine {
            MatchEngine::External(ref name) => Ok(self.engines.get(name)?.config()),
            MatchEngine::Vedette { elo, classical } => {
                let mut options = self.options.clone();
                let mut name = "Vedette".to_owned();
                if let Some(elo) = elo {
                    options.extend(strength::options(elo)?);
                    name = format!("{name} {elo}");
                }
                if classical {
                    set_option(&mut options, "Evaluation", "classical".to_owned());
                    name.push_str(" classical");
                }
                Ok(EngineConfig { kind: EngineKind::InProcess, name, options, ..EngineConfig::default() })
            }
        }
    }

    /// All matches, the newest first.
    fn list(&self) -> Vec<MatchSummary> {
        let ids = self.store.list(Collection::Matches, "json");
        ids.iter().filter_map(|id| self.open(id)).map(|state| state.summary).collect()
    }

    fn open(&self, id: &Id) -> Option<MatchState> {
        // Asked before the file is read: a match that ends in between has written its final state into it.
        let runs = self.slot.is_running(id);
        let text = self.store.read(Collection::Matches, id, "json").ok()?;
        let mut state: MatchState = serde_json::from_slice(&text).ok()?;
        let summary = &mut state.summary;
        if summary.over.is_none() && !runs {
            summary.over = Some("interrupted".to_owned());
        }
        summary.resumable = !runs && is_saved(&self.store, id);
        Some(state)
    }

    fn remove(&self, id: &Id) -> Result<(), RequestError> {
        if self.slot.is_running(id) {
            return Err("this match is running: stop it first".into());
        }
        Ok(self.store.remove(Collection::Matches, id)?)
    }

    /// All games.
    fn pgn(&self, id: &Id) -> Result<String, RequestError> {
        let bytes = self.store.read(Collection::Matches, id, "pgn")?;
        if bytes.len() > MAX_PGN {
            let path = self.store.path(Collection::Matches, id, "pgn");
            return Err(format!("too many games for the page: they are in {}", path.display()).into());
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The PGN of one game.
    fn game(&self, id: &Id, index: usize) -> Option<String> {
        let bytes = self.store.read(Collection::Matches, id, "pgn").ok()?;
        let text = String::from_utf8_lossy(&bytes);
        PgnReader::new(&text).nth(index).map(|game| game.to_string())
    }
}
