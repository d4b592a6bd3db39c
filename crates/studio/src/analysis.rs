//! Infinite analysis for a page. There is one engine: a page that uses it keeps it until another one asks to take it.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use chess::{Color, Game, Move};
use engine::evaluation::{Evaluation, Explanation};
use engine::{Engine, Event as SearchEvent, Limits};
use support::sync::lock;
use uci::{Bound, Info};

use crate::clients::{ClientId, Clients};
use crate::error::RequestError;
use crate::protocol::{Analysis, AnalysisStart, Event, PvLine};

/// Time between two updates.
const UPDATE_EVERY: Duration = Duration::from_millis(100);
pub const MAX_LINES: usize = 8;
/// Largest hash size in MiB.
pub const MAX_HASH: usize = 4096;

pub struct AnalysisEngine {
    engine: Mutex<Engine>,
    /// The page for which the engine searches, and its number for the search.
    owner: Mutex<Option<(ClientId, u64)>>,
    clients: Arc<Clients>,
    /// Time between two updates.
    update_every: Duration,
}

impl AnalysisEngine {
    pub fn new(evaluation: Evaluation, clients: Arc<Clients>) -> AnalysisEngine {
        let engine = Mutex::new(Engine::with_evaluation(evaluation));
        AnalysisEngine { engine, owner: Mutex::new(None), clients, update_every: UPDATE_EVERY }
    }

    /// Opens tablebases. If there are none any more, the analysis works without them.
    pub fn use_tablebases(&self, path: &str) {
        let _ = lock(&self.engine).set_syzygy_path(path);
    }

    fn owner(&self) -> MutexGuard<'_, Option<(ClientId, u64)>> {
        lock(&self.owner)
    }

    /// Starts a search; blocks until the previous one has stopped, which it does at once. If another page uses the
    /// engine, and the request does not take it, the page gets the event that it is taken.
    pub fn start(self: &Arc<Self>, client: ClientId, request: &AnalysisStart) -> Result<(), RequestError> {
        let game = request.position.game()?;
        let mut engine = lock(&self.engine);
        if !request.take && self.owner().is_some_and(|(current, _)| current != client) {
            self.clients.send_event(client, Event::AnalysisTaken(request.run));
            return Ok(());
        }
        // First the owner changes: otherwise the search that is stopped would be reported as one that ended by itself.
        let before = self.owner().replace((client, request.run));
        engine.stop();
        engine.wait();
        if let Some((before, run)) = before.filter(|&(before, _)| before != client) {
            self.clients.send_event(before, Event::AnalysisTaken(run));
        }
        let latest = Arc::new(Mutex::new(LatestLines::new(game.position().turn(), request.run)));
        let started = search(&mut engine, &game, request, SearchListener(Arc::clone(&latest)));
        match started {
            Ok(()) => drop(tokio::spawn(send_updates(latest, Arc::clone(self), client))),
            Err(_) => self.release(client, request.run),
        }
        Ok(started?)
    }

    /// Stops the search if it is this page's.
    pub fn stop(&self, client: ClientId) {
        // The engine is locked before its owner, as everywhere: otherwise two requests could deadlock.
        let engine = lock(&self.engine);
        let mut owner = self.owner();
        if owner.is_some_and(|(current, _)| current == client) {
            *owner = None;
            engine.stop();
            self.clients.broadcast(Event::AnalysisFree);
        }
    }

    /// A search has ended by itself, or has not started: the engine is free, unless another search has been started.
    fn release(&self, client: ClientId, run: u64) {
        let mut owner = self.owner();
        if *owner == Some((client, run)) {
            *owner = None;
            self.clients.broadcast(Event::AnalysisFree);
        }
    }

    #[cfg(test)]
    pub fn owner_of_search(&self) -> Option<(ClientId, u64)> {
        *self.owner()
    }

    #[cfg(test)]
    pub fn is_searching(&self) -> bool {
        lock(&self.engine).is_searching()
    }

    /// The static evaluation of a position, piece by piece or term by term.
    pub fn explain(&self, position: &chess::Position) -> Explanation {
        lock(&self.engine).evaluate(position)
    }
}

/// Starts a search of an idle engine.
fn search(
    engine: &mut Engine,
    game: &Game,
    request: &AnalysisStart,
    listener: SearchListener,
) -> Result<(), String> {
    let text = |error: engine::OptionError| error.to_string();
    let threads = request.threads.clamp(1, available_threads());
    let hash = request.hash.clamp(1, MAX_HASH);
    if engine.options().threads != threads {
        engine.set_threads(threads).map_err(text)?;
    }
    if engine.options().hash_mb != hash {
        engine.set_hash(hash).map_err(text)?;
    }
    engine.set_multi_pv(request.lines.clamp(1, MAX_LINES)).map_err(text)?;
    let limits = Limits { depth: request.depth, infinite: request.depth.is_none(), ..Limits::default() };
    engine.go(game, limits, move |event| listener.add(event)).map_err(|busy| busy.to_string())
}

pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Sends updates to the page until the search ends or the page is gone.
async fn send_updates(latest: Arc<Mutex<LatestLines>>, engine: Arc<AnalysisEngine>, client: ClientId) {
    let clients = Arc::clone(&engine.clients);
    let mut ticks = tokio::time::interval(engine.update_every);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let (update, finished, run) = {
            let mut latest = lock(&latest);
            let finished = latest.finished;
            let wait = clients.is_behind(client) && !finished;
            (if wait { None } else { latest.update() }, finished, latest.run)
        };
        if let Some(update) = update
            && !clients.send_event(client, Event::Analysis(update))
        {
            // The page is gone. If its request arrived after its connection ended, nothing else stops the search.
            tokio::task::spawn_blocking(move || engine.stop(client));
            return;
        }
        if finished {
            return engine.release(client, run);
        }
    }
}

/// Passes events on. Dropped with the search, it marks it as finished: one that panicked reports no best move.
struct SearchListener(Arc<Mutex<LatestLines>>);

impl SearchListener {
    fn add(&self, event: &SearchEvent) {
        lock(&self.0).add(event);
    }
}

impl Drop for SearchListener {
    fn drop(&mut self) {
        let mut latest = lock(&self.0);
        latest.changed |= !latest.finished;
        latest.finished = true;
    }
}

/// The newest iteration of every line.
struct LatestLines {
    turn: Color,
    run: u64,
    lines: Vec<Option<Info<Move>>>,
    best: Option<Move>,
    changed: bool,
    finished: bool,
}

impl LatestLines {
    fn new(turn: Color, run: u64) -> LatestLines {
        LatestLines { turn, run, lines: Vec::new(), best: None, changed: false, finished: false }
    }

    fn add(&mut self, event: &SearchEvent) {
        match event {
            SearchEvent::Info(line) => {
                // Without a rank it only reports the move being searched.
                let Some(rank) = line.multipv else { return };
                let index = (rank as usize).saturating_sub(1);
                // A bound only means that the line is being re-searched.
                let known = self.lines.get(index).is_some_and(Option::is_some);
                if line.bound != Bound::Exact && known {
                    return;
                }
                if self.lines.len() <= index {
                    self.lines.resize(index + 1, None);
                }
                self.lines[index] = Some(line.clone());
                self.changed = true;
            }
            SearchEvent::BestMove(answer) => {
                self.best = answer.best;
                self.finished = true;
                self.changed = true;
            }
            SearchEvent::Statistics(_) => {}
        }
    }

    /// What has changed since the last update.
    fn update(&mut self) -> Option<Analysis> {
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        let newest = self.lines.iter().flatten().max_by_key(|line| line.nodes);
        Some(Analysis {
            run: self.run,
            lines: self.lines.iter().flatten().filter_map(|line| pv_line(line, self.turn)).collect(),
            nodes: newest.and_then(|line| line.nodes).unwrap_or_default(),
            millis: newest.and_then(|line| line.time).unwrap_or_default().as_millis() as u64,
            best: self.best.map(|mv| mv.uci(true).to_string()),
            finished: self.finished,
        })
    }
}

/// A line from White's point of view; `None` if it has no score.
fn pv_line(line: &Info<Move>, turn: Color) -> Option<PvLine> {
    let white = turn == Color::White;
    let (score, wdl) = (line.score?, line.wdl?);
    let (score, wdl) = if white { (score, wdl) } else { (-score, -wdl) };
    Some(PvLine {
        depth: line.depth.unwrap_or_default(),
        selective_depth: line.seldepth.unwrap_or_default(),
        score: score.into(),
        wdl: [wdl.win, wdl.draw, wdl.loss],
        pv: line.pv.iter().map(|mv| mv.uci(true).to_string()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Score;
    use uci::Score as UciScore;

    fn line(score: UciScore, rank: u32) -> Info<Move> {
        Info {
            depth: Some(9),
            seldepth: Some(12),
            multipv: Some(rank),
            score: Some(score),
            wdl: Some(uci::Wdl { win: 500, draw: 400, loss: 100 }),
            nodes: Some(1000),
            time: Some(Duration::from_millis(20)),
            hashfull: Some(1),
            ..Info::default()
        }
    }

    #[test]
    fn scores_are_from_whites_point_of_view() {
        let seen = |score, turn| pv_line(&line(score, 1), turn).expect("a score");
        let black = seen(UciScore::Centipawns(80), Color::Black);
        assert_eq!(black.score, Score::Cp(-80));
        assert!(black.wdl[2] > black.wdl[0]);
        assert_eq!(seen(UciScore::Mate(-2), Color::Black).score, Score::Mate(2));
        assert_eq!(seen(UciScore::Centipawns(80), Color::White).score, Score::Cp(80));
    }

    #[test]
    fn updates_come_once_and_bounds_hide_no_line() {
        let mut latest = LatestLines::new(Color::White, 5);
        assert_eq!(latest.update(), None);
        latest.add(&SearchEvent::Info(line(UciScore::Centipawns(10), 2)));
        latest.add(&SearchEvent::Info(line(UciScore::Centipawns(30), 1)));
        let bound = Info { bound: Bound::Lower, ..line(UciScore::Centipawns(99), 1) };
        latest.add(&SearchEvent::Info(bound));
        let update = latest.update().expect("an update");
        let scores: Vec<Score> = update.lines.iter().map(|line| line.score).collect();
        assert_eq!((update.run, scores), (5, vec![Score::Cp(30), Score::Cp(10)]));
        assert_eq!(latest.update(), None);
    }

    /// Two pages take the engine from each other: each learns it, and nobody is told that it is free.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn taken_engine_is_not_free() {
        let clients = Arc::new(Clients::new());
        let mut engine = AnalysisEngine::new(Evaluation::Classical, Arc::clone(&clients));
        // Often, so that an update comes while the engine changes hands.
        engine.update_every = Duration::from_millis(1);
        let engine = Arc::new(engine);
        let mut pages = [clients.connect().expect("room"), clients.connect().expect("room")];
        let runs = 200;
        for run in 0..runs {
            let request = serde_json::json!({
                "position": {"start": chess::Position::startpos().to_fen()}, "lines": 1, "threads": 1, "hash": 1,
                "run": run, "depth": null, "take": true,
            });
            let request: AnalysisStart = serde_json::from_value(request).expect("a request");
            let (engine, client) = (Arc::clone(&engine), pages[run % 2].0);
            let started = tokio::task::spawn_blocking(move || engine.start(client, &request)).await;
            started.expect("no panic").expect("a search");
            if run == 0 {
                continue;
            }
            let (_, queue) = &mut pages[(run + 1) % 2];
            loop {
                let message = queue.recv().await.expect("connected");
                let event: serde_json::Value = serde_json::from_str(&message).expect("JSON");
                assert_ne!(event["event"], "analysis-free", "run {run}");
                if event["event"] == "analysis-taken" {
                    break;
                }
            }
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn engine_in_use_is_not_taken_unasked() {
        let clients = Arc::new(Clients::new());
        let engine = Arc::new(AnalysisEngine::new(Evaluation::Classical, Arc::clone(&clients)));
        let [first, second] = [clients.connect().expect("room"), clients.connect().expect("room")];
        let start = async |client: ClientId, run: u64, take: bool| {
            let request = serde_json::json!({
                "position": {"start": chess::Position::startpos().to_fen()}, "lines": 1, "threads": 1, "hash": 1,
                "run": run, "depth": null, "take": take,
            });
            let request: AnalysisStart = serde_json::from_value(request).expect("a request");
            let engine = Arc::clone(&engine);
            let started = tokio::task::spawn_blocking(move || engine.start(client, &request)).await;
            started.expect("no panic").expect("no error");
        };
        start(first.0, 1, false).await;
        let (other, mut queue) = second;
        start(other, 2, false).await;
        let refused: serde_json::Value =
            serde_json::from_str(&queue.recv().await.expect("connected")).expect("JSON");
        assert_eq!(refused, serde_json::json!({"event": "analysis-taken", "content": 2}));
        assert_eq!(engine.owner_of_search(), Some((first.0, 1)));
        // Its own search is replaced, and so is another's if that is asked for.
        start(first.0, 3, false).await;
        assert_eq!(engine.owner_of_search(), Some((first.0, 3)));
        start(other, 4, true).await;
        assert_eq!(engine.owner_of_search(), Some((other, 4)));
        engine.stop(other);
    }

    #[test]
    fn search_that_panics_is_finished() {
        let latest = Arc::new(Mutex::new(LatestLines::new(Color::White, 5)));
        let listener = SearchListener(Arc::clone(&latest));
        listener.add(&SearchEvent::Info(line(UciScore::Centipawns(10), 1)));
        assert!(!lock(&latest).update().expect("an update").finished);
        drop(listener);
        assert!(lock(&latest).update().expect("an update").finished);
    }
}
