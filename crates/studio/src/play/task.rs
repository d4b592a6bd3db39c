//! The game in progress: one thread that owns the game, the engine and the clock. All pages see the same game; it is
//! written to disk after every move, and its clock stops while no page is connected.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use chess::Move;
use engine::evaluation::Evaluation;
use engine::{Engine, Limits, SearchEvent};
use uci::Score;

use super::game::HumanGame;
use super::opponent::{FoundMove, MoveLimit, Opponent};
use crate::clients::Clients;
use crate::engines::Engines;
use crate::error::{INTERNAL, RequestError};
use crate::protocol::{Event, GameRequest, GameState, Hint, NewGame, Reply};
use crate::store::{Collection, Id, Store};
use crate::strength;

/// Time for a move without a clock.
const MOVE_TIME: Duration = Duration::from_secs(1);
/// Time for a hint, or for the answer to a draw offer.
const ANSWER_TIME: Duration = Duration::from_secs(1);
/// The state file of the game.
const STATE: &str = "game";

/// What the page asked, while a search for the answer runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Hint,
    /// Whether the engine accepts a draw.
    Draw,
}

/// Gets one reply.
type Responder = SyncSender<Result<Reply, RequestError>>;

enum Message {
    Request(GameRequest, Responder),
    State(SyncSender<Option<GameState>>),
    /// How many pages are connected.
    Pages(usize),
    /// The external engine has failed.
    Failed {
        generation: u64,
        error: String,
    },
    /// A search has ended; `best` is missing if it panicked.
    Searched {
        generation: u64,
        best: Option<Move>,
        /// For the side to move.
        score: Option<Score>,
    },
    Close,
    #[cfg(test)]
    Panic,
}

/// A handle to the thread, which ends when the handle is dropped.
#[derive(Debug)]
pub struct GameInProgress {
    messages: Sender<Message>,
}

impl GameInProgress {
    /// Starts with the game that the store holds, if any; must be called inside a tokio runtime.
    pub fn new(
        evaluation: Evaluation,
        engines: Arc<Engines>,
        store: Arc<Store>,
        clients: Arc<Clients>,
    ) -> io::Result<GameInProgress> {
        let (messages, inbox) = mpsc::channel();
        let mut pages = clients.count();
        let room = Room { evaluation, engines, store, clients, messages: messages.clone() };
        thread::Builder::new().name("game".to_owned()).spawn(move || room.run(&inbox))?;
        let to_game = messages.clone();
        tokio::spawn(async move {
            while pages.changed().await.is_ok() {
                let count = *pages.borrow_and_update();
                if to_game.send(Message::Pages(count)).is_err() {
                    return;
                }
            }
        });
        Ok(GameInProgress { messages })
    }

    /// Handles a request; blocks until it is done.
    pub fn handle(&self, request: GameRequest) -> Result<Reply, RequestError> {
        let (responder, response) = mpsc::sync_channel(1);
        let sent = self.messages.send(Message::Request(request, responder));
        sent.map_err(|_| RequestError::from("the studio is shutting down"))?;
        response.recv().unwrap_or(Err(RequestError::Internal))
    }

    pub fn state(&self) -> Option<GameState> {
        let (responder, response) = mpsc::sync_channel(1);
        self.messages.send(Message::State(responder)).ok()?;
        response.recv().ok().flatten()
    }
}

impl Drop for GameInProgress {
    fn drop(&mut self) {
        // If the thread is gone already, it is as it should be.
        let _ = self.messages.send(Message::Close);
    }
}

/// What a game is played with.
struct Room {
    evaluation: Evaluation,
    engines: Arc<Engines>,
    store: Arc<Store>,
    clients: Arc<Clients>,
    /// For the engine's results.
    messages: Sender<Message>,
}

impl Room {
    /// Plays until the studio closes. After a panic the game starts again as it is on disk.
    fn run(&self, inbox: &Receiver<Message>) {
        let mut task = self.open(0, 0);
        let mut next = None;
        while catch_unwind(AssertUnwindSafe(|| task.run(inbox, next.take()))).is_err() {
            self.clients.warn(INTERNAL.to_owned());
            // Waits for a message, so that a panic at the start does not repeat forever.
            let Ok(message) = inbox.recv() else { return };
            next = Some(message);
            // Results of the old engine are outdated.
            task = self.open(task.version + 1, task.generation + 1);
        }
    }

    fn open(&self, version: u64, generation: u64) -> GameTask<'_> {
        let game = self.store.read_state(STATE).and_then(HumanGame::from_saved);
        let mut engine = Engine::with_evaluation(self.evaluation.clone());
        if let Some(game) = &game {
            strength::set(&mut engine, game.elo());
        }
        let watched = *self.clients.count().borrow() > 0;
        let opponent = Opponent::default();
        GameTask {
            room: self,
            engine,
            opponent,
            game,
            generation,
            version,
            since: None,
            watched,
            question: None,
        }
    }
}

struct GameTask<'a> {
    room: &'a Room,
    engine: Engine,
    /// The external engine that plays, if there is one.
    opponent: Opponent,
    game: Option<HumanGame>,
    /// The number of the newest search: results of earlier ones are outdated.
    generation: u64,
    version: u64,
    /// Since when the clock of the side to move runs.
    since: Option<Instant>,
    /// Whether a page is connected.
    watched: bool,
    question: Option<(Question, Responder)>,
}

/// Reports the move of a search. Dropped without one, it reports that: the search has panicked.
struct SearchListener {
    generation: u64,
    messages: Sender<Message>,
    /// That of the last line.
    score: Option<Score>,
    reported: bool,
}

impl SearchListener {
    fn report(&mut self, best: Option<Move>) {
        self.reported = true;
        // The thread is gone when the program ends.
        let _ =
            self.messages.send(Message::Searched { generation: self.generation, best, score: self.score });
    }
}

impl Drop for SearchListener {
    fn drop(&mut self) {
        if !self.reported {
            self.report(None);
        }
    }
}

impl GameTask<'_> {
    /// Handles messages until the studio closes; `next` comes first.
    fn run(&mut self, inbox: &Receiver<Message>, mut next: Option<Message>) {
        self.search_if_engines_turn();
        loop {
            self.run_clock();
            let message = match (next.take(), self.flag_fall()) {
                (Some(message), _) => Ok(message),
                (None, None) => inbox.recv().map_err(RecvTimeoutError::from),
                (None, Some(moment)) => inbox.recv_timeout(moment.saturating_duration_since(Instant::now())),
            };
            self.settle_clock();
            match message {
                Ok(Message::Request(request, responder)) => self.handle(request, responder),
                // The page that asked may be gone.
                Ok(Message::State(responder)) => drop(responder.send(self.state())),
                Ok(Message::Pages(pages)) => self.watched = pages > 0,
                Ok(Message::Searched { generation, best, score }) => {
                    self.search_finished(generation, best, score);
                }
                Ok(Message::Failed { generation, error }) if generation == self.generation => {
                    self.search_failed(error);
                }
                Ok(Message::Failed { .. }) => {}
                // A flag has fallen; the clock has seen it.
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Message::Close) | Err(RecvTimeoutError::Disconnected) => return,
                #[cfg(test)]
                Ok(Message::Panic) => std::panic::resume_unwind(Box::new(())),
            }
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

    fn handle(&mut self, request: GameRequest, responder: Responder) {
        let done = match request {
            GameRequest::New(request) => self.new_game(&request),
            GameRequest::Move { mv, ply } => self.play(&mv, ply),
            GameRequest::TakeBack => self.take_back(),
            GameRequest::Resign => self.resign(),
            GameRequest::Hint => return self.ask(Question::Hint, responder),
            GameRequest::OfferDraw => return self.ask(Question::Draw, responder),
            GameRequest::Continue { id } => self.go_on(&id),
        };
        // The page that asked may be gone, here and below.
        let _ = responder.send(done.map(|()| Reply::Game(self.state().map(Box::new))));
    }

    fn game(&mut self) -> Result<&mut HumanGame, RequestError> {
        self.game.as_mut().ok_or_else(|| "no game in progress".into())
    }

    fn new_game(&mut self, request: &NewGame) -> Result<(), RequestError> {
        if let Some(name) = &request.opponent {
            self.room.engines.get(name)?;
        }
        let game = HumanGame::new(self.room.store.new_id(), request)?;
        self.replace(game);
        Ok(())
    }

    /// Goes on with an unfinished game; the current one can be continued later.
    fn go_on(&mut self, id: &Id) -> Result<(), RequestError> {
        if self.game.as_ref().is_some_and(|game| game.id() == id) {
            return Ok(());
        }
        let bytes = self.room.store.read(Collection::Games, id, "json")?;
        let saved = serde_json::from_slice(&bytes).ok().and_then(HumanGame::from_saved);
        self.replace(saved.ok_or("the file of this game is damaged")?);
        // From now on it is the game in progress.
        Ok(self.room.store.remove(Collection::Games, id)?)
    }

    /// Makes a game the current one. An unfinished one before it is kept.
    fn replace(&mut self, game: HumanGame) {
        self.stop_search();
        if let Some(old) = &self.game
            && old.ending().is_none()
            && old.game().moves().len() > 1
        {
            self.save_pgn(old);
            self.save_unfinished(old);
        }
        // Ends the process of another engine.
        self.opponent = Opponent::default();
        strength::set(&mut self.engine, game.elo());
        // The engine is idle, so that it cannot refuse.
        let _ = self.engine.new_game();
        self.game = Some(game);
        self.publish();
        self.search_if_engines_turn();
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

    /// Starts a search for the reply: a hint at full strength, or whether the opponent accepts a draw.
    fn ask(&mut self, question: Question, responder: Responder) {
        let Some(game) = self.game.as_ref().filter(|game| game.is_humans_turn()) else {
            let _ = responder.send(Err("it is not your turn".into()));
            return;
        };
        let opponent = game.opponent().filter(|_| question == Question::Draw).map(str::to_owned);
        let game = game.game().clone();
        self.stop_search();
        self.question = Some((question, responder));
        if let Some(name) = opponent {
            return self.search_externally(&name, game, MoveLimit::Time(ANSWER_TIME));
        }
        if question == Question::Hint {
            strength::set(&mut self.engine, None);
        }
        self.search(&game, Limits::move_time(ANSWER_TIME));
    }

    fn search_failed(&mut self, error: String) {
        match self.question.take() {
            Some((_, responder)) => drop(responder.send(Err(error.into()))),
            None => self.room.clients.warn(format!("{error}; take back a move to try again")),
        }
    }

    fn search_finished(&mut self, generation: u64, best: Option<Move>, score: Option<Score>) {
        if generation != self.generation {
            return;
        }
        // The result arrives a moment before the engine is idle.
        self.engine.wait();
        let Some(game) = &mut self.game else { return };
        match self.question.take() {
            None => {}
            Some((Question::Hint, responder)) => {
                let position = game.game().position();
                let hint = best.map(|mv| {
                    Reply::Hint(Hint { mv: mv.uci(true).to_string(), san: position.san(mv).to_string() })
                });
                strength::set(&mut self.engine, game.elo());
                let _ = responder.send(hint.ok_or(RequestError::Internal));
                return;
            }
            Some((Question::Draw, responder)) => {
                let accepted = score.is_some_and(|score| game.accepts_draw(score));
                if accepted {
                    game.agree_to_draw();
                    self.publish();
                }
                let _ = responder.send(Ok(Reply::DrawOffer(accepted)));
                return;
            }
        }
        let legal = best.filter(|&mv| game.is_engines_turn() && game.game().position().is_legal(mv));
        match legal {
            Some(mv) => {
                game.play(mv);
                self.publish();
            }
            None => self.room.clients.warn(INTERNAL.to_owned()),
        }
    }

    fn search_if_engines_turn(&mut self) {
        let Some(game) = self.game.as_ref().filter(|game| game.is_engines_turn()) else { return };
        if let Some(name) = game.opponent() {
            let (name, limit) = (
                name.to_owned(),
                match game.engine_clock() {
                    Some(own) => MoveLimit::Clocks { own, other: game.humans_time() },
                    None => MoveLimit::Time(MOVE_TIME),
                },
            );
            let game = game.game().clone();
            return self.search_externally(&name, game, limit);
        }
        let limits = match game.engine_clock() {
            Some(clock) => Limits { clock: Some(clock), ..Limits::default() },
            None => Limits::move_time(MOVE_TIME),
        };
        let game = game.game().clone();
        self.search(&game, limits);
    }

    /// Lets the external engine search.
    fn search_externally(&mut self, name: &str, game: chess::Game, limit: MoveLimit) {
        self.generation += 1;
        let (generation, messages) = (self.generation, self.room.messages.clone());
        let report = move |found: Result<FoundMove, String>| {
            // The thread is gone when the program ends.
            let _ = messages.send(match found {
                Ok(FoundMove { best, score }) => Message::Searched { generation, best: Some(best), score },
                Err(error) => Message::Failed { generation, error },
            });
        };
        let started = self.room.engines.get(name).and_then(|engine| {
            self.opponent.search(engine, game, limit, report).map_err(|error| error.to_string())
        });
        if let Err(error) = started {
            self.search_failed(error);
        }
    }

    fn search(&mut self, game: &chess::Game, limits: Limits) {
        self.generation += 1;
        let messages = self.room.messages.clone();
        let mut listener =
            SearchListener { generation: self.generation, messages, score: None, reported: false };
        let started = self.engine.go(game, limits, move |event| match event {
            SearchEvent::Info(line) => listener.score = line.score.or(listener.score),
            SearchEvent::BestMove(answer) => listener.report(answer.best),
            SearchEvent::Statistics(_) => {}
        });
        debug_assert!(started.is_ok(), "callers have stopped the previous search");
    }

    /// Stops the search; its result is ignored.
    fn stop_search(&mut self) {
        self.generation += 1;
        self.opponent.cancel();
        self.engine.stop();
        self.engine.wait();
        if let Some((_, responder)) = self.question.take() {
            let _ = responder.send(Err("cancelled: the position has changed".into()));
            strength::set(&mut self.engine, self.game.as_ref().and_then(HumanGame::elo));
        }
    }

    /// Writes the game to disk and sends it to every page.
    fn publish(&mut self) {
        self.version += 1;
        let Some(game) = &self.game else { return };
        if let Err(error) = self.room.store.write_state(STATE, &game.to_saved()) {
            self.warn(&error);
        }
        // A game without moves is not worth saving.
        if game.ending().is_some() && !game.game().moves().is_empty() {
            self.save_pgn(game);
        }
        if let Some(state) = self.state() {
            self.room.clients.broadcast(Event::Game(Box::new(state)));
        }
    }

    fn save_pgn(&self, game: &HumanGame) {
        let text = game.to_pgn().to_string();
        if let Err(error) = self.room.store.write(Collection::Games, game.id(), "pgn", text.as_bytes()) {
            self.warn(&error);
        }
    }

    fn save_unfinished(&self, game: &HumanGame) {
        let written = serde_json::to_vec(&game.to_saved())
            .map_err(io::Error::other)
            .and_then(|text| self.room.store.write(Collection::Games, game.id(), "json", &text));
        if let Err(error) = written {
            self.warn(&error);
        }
    }

    fn warn(&self, error: &std::io::Error) {
        self.room.clients.warn(format!("could not save the game: {error}"));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Side;

    #[tokio::test]
    async fn game_survives_a_panic() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Arc::new(Store::open(folder.path().to_owned()).expect("a folder"));
        let engines = Arc::new(Engines::new(Vec::new(), folder.path().to_owned(), Vec::new()));
        let playing =
            GameInProgress::new(Evaluation::Classical, engines, store, Arc::default()).expect("a thread");
        let new = NewGame {
            side: Side::White,
            elo: None,
            opponent: None,
            clock: None,
            chess960: None,
            fen: None,
            date: String::new(),
        };
        playing.handle(GameRequest::New(new)).expect("a game");
        let before = playing.state().expect("a game");
        playing.messages.send(Message::Panic).expect("it listens");
        let after = playing.state().expect("a game");
        assert_eq!(after.game, before.game);
        assert!(after.version > before.version, "pages take the newer state");
        let mv = GameRequest::Move { mv: "e2e4".to_owned(), ply: 0 };
        assert!(matches!(playing.handle(mv), Ok(Reply::Game(Some(_)))));
    }
}
