//! The game in progress: one task that owns the game, the engine and the clock. All pages see the same game; it is
//! written to disk after every move, and its clock stops while no page is connected.

use std::sync::Arc;
use std::time::Duration;

use chess::Move;
use engine::evaluation::Evaluation;
use engine::{Engine, Event as SearchEvent, Limits};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::game::HumanGame;
use crate::clients::Clients;
use crate::error::RequestError;
use crate::protocol::{Event, GameRequest, GameState, Hint, NewGame, Reply};
use crate::store::{Collection, Store};
use crate::strength;

/// Time for a move without a clock.
const MOVE_TIME: Duration = Duration::from_secs(1);
const HINT_TIME: Duration = Duration::from_secs(1);
/// The state file of the game.
const STATE: &str = "game";

type Responder = oneshot::Sender<Result<Reply, RequestError>>;

enum Message {
    Request(GameRequest, Responder),
    State(oneshot::Sender<Option<GameState>>),
}

/// A handle to the task, which ends when the handle is dropped.
#[derive(Debug)]
pub struct GameInProgress {
    messages: mpsc::Sender<Message>,
}

impl GameInProgress {
    /// Starts with the game that the store holds, if any.
    pub fn new(evaluation: Evaluation, store: Arc<Store>, clients: Arc<Clients>) -> GameInProgress {
        let (messages, inbox) = mpsc::channel(16);
        let (results, searched) = mpsc::unbounded_channel();
        let pages = clients.count();
        let game = store.read_state(STATE).and_then(HumanGame::from_saved);
        let mut engine = Engine::with_evaluation(evaluation);
        if let Some(game) = &game {
            strength::set(&mut engine, game.elo());
        }
        let task = GameTask {
            engine,
            store,
            clients,
            game,
            results,
            generation: 0,
            version: 0,
            since: None,
            watched: false,
            hint: None,
        };
        tokio::spawn(task.run(inbox, searched, pages));
        GameInProgress { messages }
    }

    pub async fn handle(&self, request: GameRequest) -> Result<Reply, RequestError> {
        let closed = || RequestError::from("the studio is shutting down");
        let (responder, response) = oneshot::channel();
        self.messages.send(Message::Request(request, responder)).await.map_err(|_| closed())?;
        response.await.map_err(|_| closed())?
    }

    pub async fn state(&self) -> Option<GameState> {
        let (responder, response) = oneshot::channel();
        self.messages.send(Message::State(responder)).await.ok()?;
        response.await.ok().flatten()
    }
}

/// The number of a search, and its move.
type SearchResult = (u64, Option<Move>);

struct GameTask {
    engine: Engine,
    store: Arc<Store>,
    clients: Arc<Clients>,
    game: Option<HumanGame>,
    results: mpsc::UnboundedSender<SearchResult>,
    /// The number of the newest search: results of earlier ones are outdated.
    generation: u64,
    version: u64,
    /// Since when the clock of the side to move runs.
    since: Option<Instant>,
    /// Whether a page is connected.
    watched: bool,
    hint: Option<Responder>,
}

impl GameTask {
    async fn run(
        mut self,
        mut inbox: mpsc::Receiver<Message>,
        mut searched: mpsc::UnboundedReceiver<SearchResult>,
        mut pages: watch::Receiver<usize>,
    ) {
        self.search_if_engines_turn();
        loop {
            let flag = self.flag_fall();
            tokio::select! {
                message = inbox.recv() => {
                    let Some(message) = message else { return };
                    self.settle_clock();
                    self.handle(message);
                }
                Some((generation, best)) = searched.recv() => {
                    self.settle_clock();
                    self.search_finished(generation, best);
                }
                changed = pages.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    let watched = *pages.borrow() > 0;
                    if watched == self.watched {
                        continue;
                    }
                    self.settle_clock();
                    self.watched = watched;
                }
                () = until(flag) => {
                    self.settle_clock();
                    self.publish();
                }
            }
            self.run_clock();
        }
    }

    /// When the side to move runs out of time.
    fn flag_fall(&self) -> Option<Instant> {
        Some(self.since? + self.game.as_ref()?.time_left()?)
    }

    /// Takes the time since the last event off the clock.
    fn settle_clock(&mut self) {
        if let (Some(since), Some(game)) = (self.since.take(), &mut self.game)
            && !game.spend(since.elapsed())
        {
            self.stop_search();
            self.publish();
        }
    }

    fn run_clock(&mut self) {
        let runs = self.watched && self.game.as_ref().is_some_and(|game| game.time_left().is_some());
        self.since = runs.then(Instant::now);
    }

    fn handle(&mut self, message: Message) {
        let (request, responder) = match message {
            // The page that asked may be gone, here and below.
            Message::State(responder) => return drop(responder.send(self.state())),
            Message::Request(request, responder) => (request, responder),
        };
        let done = match request {
            GameRequest::New(request) => self.new_game(&request),
            GameRequest::Move { mv, ply } => self.play(&mv, ply),
            GameRequest::TakeBack => self.take_back(),
            GameRequest::Resign => self.resign(),
            GameRequest::Hint => return self.start_hint(responder),
        };
        let _ = responder.send(done.map(|()| Reply::Game(self.state().map(Box::new))));
    }

    fn game(&mut self) -> Result<&mut HumanGame, RequestError> {
        self.game.as_mut().ok_or_else(|| "no game in progress".into())
    }

    fn new_game(&mut self, request: &NewGame) -> Result<(), RequestError> {
        let game = HumanGame::new(self.store.new_id(), request)?;
        self.stop_search();
        if let Some(old) = &self.game
            && old.ending().is_none()
            && old.game().moves().len() > 1
        {
            self.save_pgn(old);
        }
        strength::set(&mut self.engine, game.elo());
        // The engine is idle, so that it cannot refuse.
        let _ = self.engine.new_game();
        self.game = Some(game);
        self.publish();
        self.search_if_engines_turn();
        Ok(())
    }

    fn play(&mut self, text: &str, ply: usize) -> Result<(), RequestError> {
        let game = self.game()?;
        if !game.is_humans_turn() || game.game().moves().len() != ply {
            return Err("it is not your turn".into());
        }
        let mv = game.game().position().parse_uci(text).map_err(|error| error.to_string())?;
        self.stop_search();
        self.game()?.play(mv);
        self.publish();
        self.search_if_engines_turn();
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), RequestError> {
        self.stop_search();
        if !self.game()?.take_back() {
            self.search_if_engines_turn();
            return Err("nothing to take back".into());
        }
        self.publish();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), RequestError> {
        self.stop_search();
        self.game()?.resign();
        self.publish();
        Ok(())
    }

    /// Starts a search at full strength, whose move is the reply.
    fn start_hint(&mut self, responder: Responder) {
        let Some(game) = self.game.as_ref().filter(|game| game.is_humans_turn()) else {
            let _ = responder.send(Err("it is not your turn".into()));
            return;
        };
        let game = game.game().clone();
        self.stop_search();
        strength::set(&mut self.engine, None);
        self.hint = Some(responder);
        self.search(&game, Limits::move_time(HINT_TIME));
    }

    fn search_finished(&mut self, generation: u64, best: Option<Move>) {
        if generation != self.generation {
            return;
        }
        // The result arrives a moment before the engine is idle.
        self.engine.wait();
        let Some(game) = &mut self.game else { return };
        if let Some(responder) = self.hint.take() {
            let position = game.game().position();
            let hint = best.map(|mv| {
                Reply::Hint(Hint { mv: mv.uci(true).to_string(), san: position.san(mv).to_string() })
            });
            strength::set(&mut self.engine, game.elo());
            let _ = responder.send(hint.ok_or_else(|| "no legal move".into()));
            return;
        }
        if let Some(mv) = best.filter(|&mv| game.is_engines_turn() && game.game().position().is_legal(mv)) {
            game.play(mv);
            self.publish();
        }
    }

    fn search_if_engines_turn(&mut self) {
        let Some(game) = self.game.as_ref().filter(|game| game.is_engines_turn()) else { return };
        let limits = match game.engine_clock() {
            Some(clock) => Limits { clock: Some(clock), ..Limits::default() },
            None => Limits::move_time(MOVE_TIME),
        };
        let game = game.game().clone();
        self.search(&game, limits);
    }

    fn search(&mut self, game: &chess::Game, limits: Limits) {
        self.generation += 1;
        let (generation, results) = (self.generation, self.results.clone());
        let started = self.engine.go(game, limits, move |event| {
            if let SearchEvent::BestMove(answer) = event {
                // The task is gone when the program ends.
                let _ = results.send((generation, answer.best));
            }
        });
        debug_assert!(started.is_ok(), "callers have stopped the previous search");
    }

    /// Stops the search; its result is ignored.
    fn stop_search(&mut self) {
        self.generation += 1;
        self.engine.stop();
        self.engine.wait();
        if let Some(responder) = self.hint.take() {
            let _ = responder.send(Err("hint cancelled: the position has changed".into()));
            strength::set(&mut self.engine, self.game.as_ref().and_then(HumanGame::elo));
        }
    }

    /// Writes the game to disk and sends it to every page.
    fn publish(&mut self) {
        self.version += 1;
        let Some(game) = &self.game else { return };
        if let Err(error) = self.store.write_state(STATE, &game.to_saved()) {
            self.warn(&error);
        }
        // A game without moves is not worth saving.
        if game.ending().is_some() && !game.game().moves().is_empty() {
            self.save_pgn(game);
        }
        if let Some(state) = self.state() {
            self.clients.broadcast(Event::Game(Box::new(state)));
        }
    }

    fn save_pgn(&self, game: &HumanGame) {
        let text = game.to_pgn().to_string();
        if let Err(error) = self.store.write(Collection::Games, game.id(), "pgn", text.as_bytes()) {
            self.warn(&error);
        }
    }

    fn warn(&self, error: &std::io::Error) {
        self.clients.warn(format!("could not save the game: {error}"));
    }

    fn state(&self) -> Option<GameState> {
        let game = self.game.as_ref()?;
        Some(GameState {
            game: game.to_saved(),
            runs: self.watched && game.time_left().is_some(),
            thinking: game.is_engines_turn(),
            version: self.version,
        })
    }
}

/// Waits until then, or for ever.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
