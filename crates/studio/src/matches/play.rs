//! A match being played: games go to its files as they end, pages hear how it stands.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arena::cli::{MatchRequest, OutputConfig, SaveConfig};
use arena::openings::OpeningSource;
use arena::output::{MatchReport, pgn_of};
use arena::players::inspect_engines;
use arena::results::{GameSummary, Tally};
use arena::saved::{SavedMatch, StateFile};
use arena::{Arena, Conclusion, FinishedGame, MatchConfig, MatchEvent as Happening};
use record::pgn::PgnReader;
use serde_json::{Value, json};
use stats::Decision;

use super::chronicle::Chronicle;
use super::{obedience, own_book};
use crate::hub::Hub;
use crate::protocol::Event;
use crate::store::{Id, Shelf, Store};

/// How long an engine may take to begin to think, where nodes alone limit it.
const SLOW_START: Duration = Duration::from_secs(10);
/// Time between two reports to the pages.
const REPORT_EVERY: Duration = Duration::from_millis(250);
/// The ending of the file with which a match goes on: it is there until all games are played.
pub const STATE: &str = "state";

/// What a match that is not over was begun with, and its games.
///
/// # Errors
/// There is no such match, or its file makes no sense.
pub fn saved(store: &Store, id: &Id) -> Result<(MatchConfig, Vec<GameSummary>), String> {
    let file = SavedMatch::load(&store.path(Shelf::Matches, id, STATE)).map_err(|error| error.to_string())?;
    Ok((file.request.config, file.finished))
}

/// A match being played.
pub struct Play {
    id: Id,
    config: MatchConfig,
    store: Arc<Store>,
    hub: Arc<Hub>,
    latest: Arc<Mutex<Value>>,
    chronicle: Chronicle,
    told: Option<Instant>,
    /// Whether the engines are still being looked at.
    preparing: bool,
}

/// The files of a match.
struct Files {
    pgn: File,
    state: StateFile,
}

impl Play {
    /// A match that has not begun, or goes on.
    pub fn new(
        id: Id,
        config: MatchConfig,
        store: Arc<Store>,
        hub: Arc<Hub>,
        latest: Arc<Mutex<Value>>,
    ) -> Play {
        Play { id, config, store, hub, latest, chronicle: Chronicle::new(), told: None, preparing: true }
    }

    /// Plays all games that are not among `finished`.
    pub fn run(mut self, finished: Vec<GameSummary>, interrupt: &Arc<AtomicBool>) {
        let finished = self.recall(finished);
        let before = Tally::of(&self.config, &finished);
        self.tell(&before, None);
        let (openings, mut files) = match self.prepare(&finished, interrupt) {
            Ok(ready) => ready,
            Err(error) => {
                let stopped = interrupt.load(Ordering::Relaxed);
                let words = if stopped { conclusion_text(&Conclusion::Interrupted) } else { error };
                return self.tell(&before, Some(&words));
            }
        };
        self.preparing = false;
        self.tell(&before, None);
        let config = self.config.clone();
        let arena = Arena::new(&config, openings, interrupt);
        let mut failure = None;
        let (tally, conclusion) = arena.run(&finished, |happening| {
            if let Happening::Finished(game, tally) = happening
                && let Err(error) = self.hear(game, tally, &mut files)
            {
                failure.get_or_insert(error);
                interrupt.store(true, Ordering::Relaxed);
            }
        });
        if matches!(conclusion, Conclusion::Complete | Conclusion::Decided(_)) {
            files.state.remove();
        }
        let words = failure.unwrap_or_else(|| conclusion_text(&conclusion));
        self.tell(&tally, Some(&words));
    }

    /// Finds out before the first game what would spoil the match in the middle.
    fn prepare(
        &mut self,
        finished: &[GameSummary],
        interrupt: &Arc<AtomicBool>,
    ) -> Result<(OpeningSource, Files), String> {
        let config = &mut self.config;
        // Matches of earlier versions do not name it.
        config.openings.get_or_insert_with(own_book);
        let openings = OpeningSource::from_config(config).map_err(|error| error.to_string())?;
        inspect_engines(config, None).map_err(|fault| fault.to_string())?;
        let waits =
            config.engines.iter().filter_map(|engine| obedience::longest_move(&engine.limits, SLOW_START));
        config.timeouts.search = waits.max().unwrap_or(config.timeouts.search);
        obedience::check(config, SLOW_START, interrupt)?;
        Ok((openings, self.files(finished)?))
    }

    /// Takes up the story of a match that goes on. A game counts that is in both files: a studio that was killed
    /// between the two writes plays it again.
    fn recall(&mut self, mut finished: Vec<GameSummary>) -> Vec<GameSummary> {
        if finished.is_empty() {
            return finished;
        }
        let bytes = self.store.read(Shelf::Matches, &self.id, "pgn").unwrap_or_default();
        let mut text = String::new();
        let mut tally = Tally::of(&self.config, &[]);
        let mut told = 0;
        for (game, summary) in PgnReader::new(&String::from_utf8_lossy(&bytes)).zip(&finished) {
            tally.add(summary);
            self.chronicle.add(&game, &self.config, &tally);
            text.push_str(&game.to_string());
            told += 1;
        }
        finished.truncate(told);
        if let Err(error) = self.store.write(Shelf::Matches, &self.id, "pgn", text.as_bytes()) {
            self.warn(&error.to_string());
        }
        finished
    }

    fn files(&self, finished: &[GameSummary]) -> Result<Files, String> {
        let path = self.store.path(Shelf::Matches, &self.id, "pgn");
        let pgn =
            OpenOptions::new().create(true).append(true).open(path).map_err(|error| error.to_string())?;
        let path = self.store.path(Shelf::Matches, &self.id, STATE);
        let request = MatchRequest {
            config: self.config.clone(),
            output: OutputConfig::default(),
            saving: SaveConfig::default(),
            log: None,
            warnings: Vec::new(),
        };
        let state = StateFile::resume(&path, &request, finished).map_err(|error| error.to_string())?;
        Ok(Files { pgn, state })
    }

    /// A game has ended.
    fn hear(&mut self, game: &FinishedGame, tally: &Tally, files: &mut Files) -> Result<(), String> {
        let record = pgn_of(&game.played, &game.job, &self.config, game.summary.duration);
        // One write for a whole game: a reader never sees half of one.
        files.pgn.write_all(record.to_string().as_bytes()).map_err(|error| error.to_string())?;
        files.state.add(&game.summary).map_err(|error| error.to_string())?;
        self.chronicle.add(&record, &self.config, tally);
        if self.told.is_none_or(|told| told.elapsed() >= REPORT_EVERY) {
            self.tell(tally, None);
        }
        Ok(())
    }

    /// Tells how the match stands, and keeps it; with the reason when it is over.
    fn tell(&mut self, tally: &Tally, over: Option<&str>) {
        self.told = Some(Instant::now());
        let mut report = MatchReport { config: &self.config, tally }.json();
        if let Some(report) = report.as_object_mut() {
            report.remove("opening_pairs");
        }
        let resumable = over.is_some() && self.store.path(Shelf::Matches, &self.id, STATE).exists();
        let state = json!({
            "id": self.id, "report": report, "curve": self.chronicle.curve(),
            "games": self.chronicle.games(), "over": over, "resumable": resumable,
            "clock": self.config.engines[0].limits.to_string(), "preparing": self.preparing && over.is_none(),
        });
        let text = state.to_string();
        // What cannot be kept can still be looked at.
        if let Err(error) = self.store.write(Shelf::Matches, &self.id, "json", text.as_bytes()) {
            self.warn(&error.to_string());
        }
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = state.clone();
        self.hub.tell_all(&Event::new("match", json!({"match": state})));
    }

    fn warn(&self, error: &str) {
        let text = format!("could not save the match: {error}");
        self.hub.tell_all(&Event::new("warning", json!({"text": text})));
    }
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
