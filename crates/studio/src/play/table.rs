//! The table at which a person plays the engine: one task that owns the game, the engine and the clock. All
//! pages see the same game; it is written to disk after every move, and waits when no page is there.

use std::sync::Arc;
use std::time::Duration;

use chess::Move;
use engine::evaluation::Evaluation;
use engine::{Engine, Event as Thought, Limits};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::game::PersonGame;
use crate::hub::Hub;
use crate::protocol::{Event, NewGame};
use crate::store::{Shelf, Store};
use crate::strength;

/// How long the engine thinks about a move where no clock runs.
const THINK: Duration = Duration::from_secs(1);
/// How long it thinks about a hint.
const HINT: Duration = Duration::from_secs(1);
/// The file of the game at the table.
const STATE: &str = "game";

/// What a page asks of the table.
#[derive(Debug)]
pub enum Order {
    /// Begin another game.
    New(NewGame),
    /// Play a move after so many half moves.
    Move(String, usize),
    /// Take the last move back.
    TakeBack,
    /// Give up.
    Resign,
    /// What would the engine play?
    Hint,
    /// How does the game stand?
    State,
}

type Answer = oneshot::Sender<Result<Value, String>>;

/// The table; its task ends when it is dropped.
#[derive(Debug)]
pub struct Table {
    orders: mpsc::Sender<(Order, Answer)>,
}

impl Table {
    /// Sets a table with the game that the store holds, if it holds one.
    pub fn new(evaluation: Evaluation, store: Arc<Store>, hub: Arc<Hub>) -> Table {
        let (orders, inbox) = mpsc::channel(16);
        let (thoughts, heard) = mpsc::unbounded_channel();
        let visitors = hub.count();
        let game = store.read_state(STATE).and_then(PersonGame::from_saved);
        let mut engine = Engine::with_evaluation(evaluation);
        if let Some(game) = &game {
            strength::set(&mut engine, game.elo());
        }
        let keeper = Keeper {
            engine,
            store,
            hub,
            game,
            thoughts,
            generation: 0,
            version: 0,
            since: None,
            watched: false,
            hint: None,
        };
        tokio::spawn(keeper.keep(inbox, heard, visitors));
        Table { orders }
    }

    /// Asks for something.
    ///
    /// # Errors
    /// Why it is not done.
    pub async fn ask(&self, order: Order) -> Result<Value, String> {
        let closed = || "the studio is shutting down".to_owned();
        let (answer, heard) = oneshot::channel();
        self.orders.send((order, answer)).await.map_err(|_| closed())?;
        heard.await.map_err(|_| closed())?
    }
}

/// What the engine answers: the search's number and its move.
type Answered = (u64, Option<Move>);

/// The task that owns everything at the table.
struct Keeper {
    engine: Engine,
    store: Arc<Store>,
    hub: Arc<Hub>,
    game: Option<PersonGame>,
    thoughts: mpsc::UnboundedSender<Answered>,
    /// The number of the newest search: answers to earlier ones are out of date.
    generation: u64,
    /// How often the game was shown: a page can tell an older view from a newer one.
    version: u64,
    /// Since when the clock of the side to move runs.
    since: Option<Instant>,
    /// Whether a page is there; the clock stands still without one.
    watched: bool,
    /// Who waits for a hint.
    hint: Option<Answer>,
}

impl Keeper {
    async fn keep(
        mut self,
        mut inbox: mpsc::Receiver<(Order, Answer)>,
        mut heard: mpsc::UnboundedReceiver<Answered>,
        mut visitors: watch::Receiver<usize>,
    ) {
        self.think_if_it_is_my_turn();
        loop {
            let flag = self.flag_falls();
            tokio::select! {
                order = inbox.recv() => {
                    let Some((order, answer)) = order else { return };
                    self.settle();
                    self.obey(order, answer);
                }
                Some((generation, best)) = heard.recv() => {
                    self.settle();
                    self.hear(generation, best);
                }
                changed = visitors.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    let watched = *visitors.borrow() > 0;
                    if watched == self.watched {
                        continue;
                    }
                    self.settle();
                    self.watched = watched;
                }
                () = until(flag) => {
                    self.settle();
                    self.publish();
                }
            }
            self.run_clock();
        }
    }

    /// When the side to move has no time left.
    fn flag_falls(&self) -> Option<Instant> {
        Some(self.since? + self.game.as_ref()?.time_left()?)
    }

    /// Takes the time since the last event off the clock.
    fn settle(&mut self) {
        if let (Some(since), Some(game)) = (self.since.take(), &mut self.game)
            && !game.spend(since.elapsed())
        {
            self.stop_thinking();
            self.publish();
        }
    }

    fn run_clock(&mut self) {
        let runs = self.watched && self.game.as_ref().is_some_and(|game| game.time_left().is_some());
        self.since = runs.then(Instant::now);
    }

    fn obey(&mut self, order: Order, answer: Answer) {
        let done = match order {
            Order::New(asked) => self.begin(&asked),
            Order::Move(text, ply) => self.persons_move(&text, ply),
            Order::TakeBack => self.take_back(),
            Order::Resign => self.resign(),
            Order::Hint => return self.give_hint(answer),
            Order::State => Ok(()),
        };
        // Whoever asked may be gone.
        let _ = answer.send(done.map(|()| self.state()));
    }

    fn begin(&mut self, asked: &NewGame) -> Result<(), String> {
        let game = PersonGame::new(self.store.new_id(), asked)?;
        self.stop_thinking();
        if let Some(old) = &self.game
            && old.ending().is_none()
            && old.game().moves().len() > 1
        {
            self.keep_record(old);
        }
        strength::set(&mut self.engine, game.elo());
        // Nothing is running, so that nothing can refuse.
        let _ = self.engine.new_game();
        self.game = Some(game);
        self.publish();
        self.think_if_it_is_my_turn();
        Ok(())
    }

    fn persons_move(&mut self, text: &str, ply: usize) -> Result<(), String> {
        let game = self.game.as_mut().ok_or("no game in progress")?;
        if !game.is_persons_turn() || game.game().moves().len() != ply {
            return Err("it is not your turn".to_owned());
        }
        let mv = game.game().position().parse_uci(text).map_err(|error| error.to_string())?;
        self.stop_thinking();
        if let Some(game) = &mut self.game {
            game.play(mv);
        }
        self.publish();
        self.think_if_it_is_my_turn();
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), String> {
        self.stop_thinking();
        let game = self.game.as_mut().ok_or("no game in progress")?;
        if !game.take_back() {
            self.think_if_it_is_my_turn();
            return Err("nothing to take back".to_owned());
        }
        self.publish();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), String> {
        self.stop_thinking();
        self.game.as_mut().ok_or("no game in progress")?.resign();
        self.publish();
        Ok(())
    }

    fn give_hint(&mut self, answer: Answer) {
        let Some(game) = self.game.as_ref().filter(|game| game.is_persons_turn()) else {
            let _ = answer.send(Err("it is not your turn".to_owned()));
            return;
        };
        let game = game.game().clone();
        self.stop_thinking();
        strength::set(&mut self.engine, None);
        self.hint = Some(answer);
        self.think(&game, Limits::move_time(HINT));
    }

    /// The engine has answered.
    fn hear(&mut self, generation: u64, best: Option<Move>) {
        if generation != self.generation {
            return;
        }
        // The answer comes a moment before the engine is free for something else.
        self.engine.wait();
        let Some(game) = &mut self.game else { return };
        if let Some(answer) = self.hint.take() {
            let position = game.game().position();
            let hint =
                best.map(|mv| json!({"mv": mv.uci(true).to_string(), "san": position.san(mv).to_string()}));
            strength::set(&mut self.engine, game.elo());
            let _ = answer.send(hint.ok_or_else(|| "no legal move".to_owned()));
            return;
        }
        if let Some(mv) = best.filter(|&mv| game.is_engines_turn() && game.game().position().is_legal(mv)) {
            game.play(mv);
            self.publish();
        }
    }

    fn think_if_it_is_my_turn(&mut self) {
        let Some(game) = self.game.as_ref().filter(|game| game.is_engines_turn()) else { return };
        let limits = match game.engine_clock() {
            Some(clock) => Limits { clock: Some(clock), ..Limits::default() },
            None => Limits::move_time(THINK),
        };
        let game = game.game().clone();
        self.think(&game, limits);
    }

    fn think(&mut self, game: &chess::Game, limits: Limits) {
        self.generation += 1;
        let (generation, thoughts) = (self.generation, self.thoughts.clone());
        let started = self.engine.go(game, limits, move |thought| {
            if let Thought::BestMove(answer) = thought {
                // The table is gone at the end of the program.
                let _ = thoughts.send((generation, answer.best));
            }
        });
        debug_assert!(started.is_ok(), "whoever calls has stopped the last search");
    }

    /// Ends the search in progress, whose answer will not count.
    fn stop_thinking(&mut self) {
        self.generation += 1;
        self.engine.stop();
        self.engine.wait();
        if let Some(answer) = self.hint.take() {
            let _ = answer.send(Err("hint cancelled: the position has changed".to_owned()));
            strength::set(&mut self.engine, self.game.as_ref().and_then(PersonGame::elo));
        }
    }

    /// Writes the game to disk and shows it to every page.
    fn publish(&mut self) {
        self.version += 1;
        let Some(game) = &self.game else { return };
        if let Err(error) = self.store.write_state(STATE, &game.to_json()) {
            self.warn(&error);
        }
        // Who gives up before the first move has left no game.
        if game.ending().is_some() && !game.game().moves().is_empty() {
            self.keep_record(game);
        }
        self.hub.tell_all(&Event::new("game", json!({"game": self.state()})));
    }

    fn keep_record(&self, game: &PersonGame) {
        let text = game.to_pgn().to_string();
        if let Err(error) = self.store.write(Shelf::Games, game.id(), "pgn", text.as_bytes()) {
            self.warn(&error);
        }
    }

    fn warn(&self, error: &std::io::Error) {
        let text = format!("could not save the game: {error}");
        self.hub.tell_all(&Event::new("warning", json!({"text": text})));
    }

    fn state(&self) -> Value {
        let Some(game) = &self.game else { return Value::Null };
        let mut state = game.to_json();
        state["runs"] = (self.watched && game.time_left().is_some()).into();
        state["version"] = self.version.into();
        state["thinking"] = game.is_engines_turn().into();
        state
    }
}

/// Waits until then; for ever if there is no then.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
