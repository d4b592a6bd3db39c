//! Infinite analysis for a page. There is one engine: a page that uses it keeps it until another one asks to take it.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use chess::{Game, Move};
use engine::evaluation::{Evaluation, Explanation};
use engine::{Engine, Limits, SearchEvent};
use support::sync::lock;

use crate::clients::{ClientId, Clients};
use crate::error::RequestError;
use crate::newest_lines::NewestLines;
use crate::protocol::{AnalysisStart, Event, SearchSetup};

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
        let setup = &request.setup;
        let game = setup.position.game()?;
        let mut engine = lock(&self.engine);
        if !request.take && self.owner().is_some_and(|(current, _)| current != client) {
            self.clients.send_event(client, Event::AnalysisTaken(setup.run));
            return Ok(());
        }
        // First the owner changes: otherwise the search that is stopped would be reported as one that ended by itself.
        let before = self.owner().replace((client, setup.run));
        engine.stop();
        engine.wait();
        if let Some((before, run)) = before.filter(|&(before, _)| before != client) {
            self.clients.send_event(before, Event::AnalysisTaken(run));
        }
        let latest = Arc::new(Mutex::new(NewestLines::new(game.position().turn(), setup.run)));
        let started = search(&mut engine, &game, setup, SearchListener(Arc::clone(&latest)));
        match started {
            Ok(()) => drop(tokio::spawn(send_updates(latest, Arc::clone(self), client))),
            Err(_) => self.release(client, setup.run),
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
    setup: &SearchSetup,
    listener: SearchListener,
) -> Result<(), String> {
    let text = |error: engine::OptionError| error.to_string();
    let threads = setup.threads.clamp(1, available_threads());
    let hash = setup.hash.clamp(1, MAX_HASH);
    if engine.options().threads != threads {
        engine.set_threads(threads).map_err(text)?;
    }
    if engine.options().hash_mb != hash {
        engine.set_hash(hash).map_err(text)?;
    }
    engine.set_multi_pv(setup.lines.clamp(1, MAX_LINES)).map_err(text)?;
    let limits = Limits { depth: setup.depth, infinite: setup.depth.is_none(), ..Limits::default() };
    engine.go(game, limits, move |event| listener.add(event)).map_err(|busy| busy.to_string())
}

pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Sends updates to the page until the search ends or the page is gone.
async fn send_updates(latest: Arc<Mutex<NewestLines<Move>>>, engine: Arc<AnalysisEngine>, client: ClientId) {
    let clients = Arc::clone(&engine.clients);
    let mut ticks = tokio::time::interval(engine.update_every);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let (update, finished, run) = {
            let mut latest = lock(&latest);
            let finished = latest.is_finished();
            let wait = clients.is_behind(client) && !finished;
            let update =
                if wait { None } else { latest.update(|pv| pv.iter().map(|&mv| uci_move(mv)).collect()) };
            (update, finished, latest.run())
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
struct SearchListener(Arc<Mutex<NewestLines<Move>>>);

impl SearchListener {
    fn add(&self, event: &SearchEvent) {
        match event {
            SearchEvent::Info(line) => {
                // Without a rank it only reports the move being searched.
                let Some(rank) = line.multipv else { return };
                lock(&self.0).add(rank, line.clone());
            }
            SearchEvent::BestMove(answer) => lock(&self.0).finish(answer.best.map(uci_move)),
            SearchEvent::Statistics(_) => {}
        }
    }
}

impl Drop for SearchListener {
    fn drop(&mut self) {
        let mut latest = lock(&self.0);
        if !latest.is_finished() {
            latest.finish(None);
        }
    }
}

fn uci_move(mv: Move) -> String {
    mv.uci(true).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

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
                "setup": {
                    "position": {"start": chess::Position::startpos().to_fen()}, "lines": 1, "threads": 1,
                    "hash": 1, "run": run, "depth": null,
                },
                "take": true,
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
                "setup": {
                    "position": {"start": chess::Position::startpos().to_fen()}, "lines": 1, "threads": 1,
                    "hash": 1, "run": run, "depth": null,
                },
                "take": take,
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
        let latest = Arc::new(Mutex::new(NewestLines::new(chess::Color::White, 5)));
        let listener = SearchListener(Arc::clone(&latest));
        let line =
            uci::Info { multipv: Some(1), score: Some(uci::Score::Centipawns(10)), ..uci::Info::default() };
        listener.add(&SearchEvent::Info(line));
        let finished = || lock(&latest).update(|_| Vec::new()).expect("an update").finished;
        assert!(!finished());
        drop(listener);
        assert!(finished());
    }
}
