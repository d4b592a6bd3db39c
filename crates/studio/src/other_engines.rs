//! Other UCI engines that analyse beside Vedette: for each page and engine a process, on a thread of its own.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvError, Sender, TryRecvError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use arena::game::game_command;
use chess::{Game, Position};
use support::sync::lock;
use uci::EngineLine;
use uci::client::{Client, ClientError};

use crate::analysis::{MAX_HASH, MAX_LINES, available_threads};
use crate::clients::{ClientId, Clients};
use crate::engines::{Engines, ExternalEngine};
use crate::error::RequestError;
use crate::newest_lines::NewestLines;
use crate::protocol::{EngineAnalysis, EnginesStart, Event};

/// Engines of a page.
const MAX_OF_PAGE: usize = 3;
/// Engines of all pages.
const MAX_ENGINES: usize = 6;
/// Time between two updates.
const UPDATE_EVERY: Duration = Duration::from_millis(150);
/// How long an engine may take to start, or to be ready.
const START: Duration = Duration::from_secs(30);
/// How long it may take to stop.
const STOP: Duration = Duration::from_secs(10);
/// Plies of a line.
const MAX_PV: usize = 40;

type Key = (ClientId, String);

pub struct OtherEngines {
    engines: Arc<Engines>,
    clients: Arc<Clients>,
    running: Mutex<HashMap<Key, Worker>>,
}

/// A thread with an engine. It ends when this is dropped.
struct Worker {
    searches: Sender<Search>,
    /// Set when it should end: waiting for the engine ends too.
    end: Arc<AtomicBool>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
    }
}

struct Search {
    game: Game,
    run: u64,
    go: String,
    options: [(&'static str, usize); 3],
}

impl OtherEngines {
    pub fn new(engines: Arc<Engines>, clients: Arc<Clients>) -> OtherEngines {
        OtherEngines { engines, clients, running: Mutex::default() }
    }

    /// Lets these engines search a position for a page, and ends its others.
    pub fn start(&self, client: ClientId, request: &EnginesStart) -> Result<(), RequestError> {
        let setup = &request.setup;
        let game = setup.position.game()?;
        if request.names.len() > MAX_OF_PAGE {
            return Err(format!("too many engines: at most {MAX_OF_PAGE} are possible").into());
        }
        let wanted =
            request.names.iter().map(|name| self.engines.get(name)).collect::<Result<Vec<_>, _>>()?;
        let mut running = lock(&self.running);
        running.retain(|(owner, name), _| *owner != client || request.names.contains(name));
        for engine in wanted {
            let key = (client, engine.name.clone());
            let search = Search {
                game: game.clone(),
                run: setup.run,
                go: go_command(request),
                options: [
                    ("Threads", setup.threads.clamp(1, available_threads())),
                    ("Hash", setup.hash.clamp(1, MAX_HASH)),
                    ("MultiPV", setup.lines.clamp(1, MAX_LINES)),
                ],
            };
            // One that has failed is started again.
            let refused = match running.get(&key) {
                Some(worker) => worker.searches.send(search).err().map(|refused| refused.0),
                None => Some(search),
            };
            let Some(search) = refused else { continue };
            running.remove(&key);
            if running.len() >= MAX_ENGINES {
                return Err("too many engines are running: close other pages".into());
            }
            let worker = self.work(client, engine, search).map_err(RequestError::Io)?;
            running.insert(key, worker);
        }
        Ok(())
    }

    /// Ends all engines of a page.
    pub fn forget(&self, client: ClientId) {
        lock(&self.running).retain(|(owner, _), _| *owner != client);
    }

    fn work(&self, client: ClientId, engine: ExternalEngine, first: Search) -> std::io::Result<Worker> {
        let (searches, inbox) = mpsc::channel();
        let end = Arc::new(AtomicBool::new(false));
        let task = Task { client, engine, clients: Arc::clone(&self.clients), end: Arc::clone(&end) };
        thread::Builder::new().name("other engine".to_owned()).spawn(move || task.run(&inbox, &first))?;
        Ok(Worker { searches, end })
    }
}

fn go_command(request: &EnginesStart) -> String {
    match (request.setup.depth, request.millis) {
        (Some(depth), _) => format!("go depth {depth}"),
        (None, Some(millis)) => format!("go movetime {millis}"),
        (None, None) => "go infinite".to_owned(),
    }
}

/// What a thread does.
struct Task {
    client: ClientId,
    engine: ExternalEngine,
    clients: Arc<Clients>,
    end: Arc<AtomicBool>,
}

impl Task {
    fn run(self, inbox: &Receiver<Search>, first: &Search) {
        match self.analyse(inbox, first) {
            Ok(()) | Err(ClientError::Interrupted) => {}
            Err(error) => {
                let (engine, error) = (self.engine.name.clone(), error.to_string());
                self.clients.send_event(self.client, Event::EngineFailed { engine, error });
            }
        }
    }

    /// Searches what it is asked for, until the page wants no more.
    fn analyse(&self, inbox: &Receiver<Search>, first: &Search) -> Result<(), ClientError> {
        let mut client = Client::start(&self.engine.config().launch())?;
        client.interrupt_by(Arc::clone(&self.end));
        client.handshake(START)?;
        client.ready(START)?;
        let mut position = *first.game.position();
        let mut lines = begin(&mut client, first)?;
        loop {
            let next =
                if lines.is_finished() { inbox.recv().map_err(|RecvError| true) } else { newest(inbox) };
            match next {
                Ok(search) => {
                    if !lines.is_finished() {
                        client.abandon_search(STOP)?;
                    }
                    position = *search.game.position();
                    lines = begin(&mut client, &search)?;
                }
                Err(true) => break,
                Err(false) => {}
            }
            match client.wait_for("bestmove", UPDATE_EVERY, |line| add(&mut lines, line)) {
                Ok(()) | Err(ClientError::Timeout { .. }) => {}
                Err(error) => return Err(error),
            }
            if let Some(analysis) = lines.update(|pv| legal_moves(&position, pv)) {
                let engine = self.engine.name.clone();
                let event = Event::EngineAnalysis(EngineAnalysis { engine, analysis });
                if !self.clients.send_event(self.client, event) {
                    break;
                }
            }
        }
        client.quit(STOP);
        Ok(())
    }
}

/// The newest search that is asked for; whether the page is gone if there is none.
fn newest(inbox: &Receiver<Search>) -> Result<Search, bool> {
    let mut found = Err(false);
    loop {
        match inbox.try_recv() {
            Ok(search) => found = Ok(search),
            Err(TryRecvError::Empty) => return found,
            Err(TryRecvError::Disconnected) => return Err(true),
        }
    }
}

fn begin(client: &mut Client, search: &Search) -> Result<NewestLines<String>, ClientError> {
    let start = search.game.start();
    let chess960 = !start.has_standard_castling();
    let numbers = search.options.map(|(name, value)| (name, value.to_string()));
    let switches =
        [("UCI_Chess960", chess960), ("UCI_ShowWDL", true)].map(|(name, on)| (name, on.to_string()));
    for (name, value) in numbers.iter().chain(&switches) {
        if client.identity().option(name).is_some() {
            client.set_option(name, value)?;
        }
    }
    client.ready(START)?;
    client.send(&game_command(&search.game, chess960))?;
    client.send(&search.go)?;
    Ok(NewestLines::new(search.game.position().turn(), search.run))
}

/// Adds what an engine has sent; true for its move.
fn add(lines: &mut NewestLines<String>, sent: EngineLine) -> bool {
    match sent {
        EngineLine::Info(info) if !info.pv.is_empty() => lines.add(info.multipv.unwrap_or(1), *info),
        EngineLine::BestMove(answer) => lines.finish(answer.best),
        _ => {}
    }
    lines.is_finished()
}

/// The moves of a line that are legal.
fn legal_moves(position: &Position, line: &[String]) -> Vec<String> {
    let mut at = *position;
    let mut found: Vec<String> = Vec::new();
    for text in line.iter().take(MAX_PV) {
        let Ok(mv) = at.parse_uci(text) else { break };
        found.push(mv.uci(true).to_string());
        at = at.after(mv);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Score;
    use uci::parse_engine_line;

    const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

    #[test]
    fn lines_are_from_whites_point_of_view_and_legal() {
        let position = Position::from_fen(AFTER_E4).expect("valid");
        let mut lines = NewestLines::new(position.turn(), 7);
        for line in [
            "info depth 9 score cp 50 nodes 100 time 5 pv e7e5 e2e9 g1f3",
            "info depth 10 multipv 2 score mate 3 pv c7c5",
            "info depth 10 score cp 90 lowerbound pv d7d5",
            "info depth 11 score cp 70",
            "info string nothing",
        ] {
            assert!(!add(&mut lines, parse_engine_line(line)));
        }
        let mut update = || lines.update(|pv| legal_moves(&position, pv));
        let found = update().expect("something new");
        assert_eq!((found.run, found.lines.len(), found.finished), (7, 2, false));
        assert_eq!((found.lines[0].score, found.lines[0].pv.len()), (Score::Cp(-50), 1));
        assert_eq!(found.lines[1].score, Score::Mate(-3));
        assert_eq!(update(), None);
        assert!(add(&mut lines, parse_engine_line("bestmove e7e5")));
    }
}
