//! A UCI engine as the opponent: its process lives from move to move, and ends with a search that is cancelled.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use arena::game::game_command;
use chess::{Game, Move};
use engine::Clock;
use support::sync::lock;
use uci::Score;
use uci::client::{Client, ClientError, SearchOutcome};

use crate::engines::ExternalEngine;

/// How long an engine may take to start, or to be ready.
const START: Duration = Duration::from_secs(30);
/// How much longer than its time an engine may take for a move; the clock of the game may end it before.
const PATIENCE: Duration = Duration::from_mins(1);

/// A process that waits for the next search, and the engine's name.
type Idle = Arc<Mutex<Option<(String, Client)>>>;

#[derive(Debug, Default)]
pub struct Opponent {
    idle: Idle,
    /// Set when the search is cancelled.
    cancel: Arc<AtomicBool>,
}

/// The clocks of White and Black, or the time for the move.
#[derive(Clone, Copy, Debug)]
pub enum MoveLimit {
    Clocks { own: Clock, other: Duration },
    Time(Duration),
}

/// What a search has found.
#[derive(Debug)]
pub struct FoundMove {
    pub best: Move,
    /// For the side to move.
    pub score: Option<Score>,
}

impl Opponent {
    /// Searches a position on a thread of its own; `report` gets the move, or why there is none. It gets nothing if the
    /// search is cancelled.
    pub fn search(
        &mut self,
        engine: ExternalEngine,
        game: Game,
        limit: MoveLimit,
        report: impl FnOnce(Result<FoundMove, String>) + Send + 'static,
    ) -> std::io::Result<()> {
        self.cancel();
        let (idle, cancel) = (Arc::clone(&self.idle), Arc::clone(&self.cancel));
        thread::Builder::new().name("opponent".to_owned()).spawn(move || {
            match think(&engine, &game, limit, &idle, &cancel) {
                Err(ClientError::Interrupted) => {}
                Err(error) => report(Err(format!("{}: {error}", engine.name))),
                Ok(outcome) => {
                    let text = outcome.best.best;
                    let mv = text.as_deref().and_then(|text| game.position().parse_uci(text).ok());
                    let score = outcome.last_info.and_then(|info| info.score);
                    report(mv.map(|best| FoundMove { best, score }).ok_or_else(|| {
                        format!(
                            "{} played an illegal move: {}",
                            engine.name,
                            text.as_deref().unwrap_or("none")
                        )
                    }));
                }
            }
        })?;
        Ok(())
    }

    /// Ends the search.
    pub fn cancel(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
        self.cancel = Arc::default();
    }
}

impl Drop for Opponent {
    fn drop(&mut self) {
        self.cancel();
    }
}

fn think(
    engine: &ExternalEngine,
    game: &Game,
    limit: MoveLimit,
    idle: &Idle,
    cancel: &Arc<AtomicBool>,
) -> Result<SearchOutcome, ClientError> {
    let chess960 = !game.start().has_standard_castling();
    let waiting = lock(idle).take().filter(|(name, _)| *name == engine.name);
    let is_new = waiting.is_none();
    let mut client = match waiting {
        Some((_, client)) => client,
        None => Client::start(&engine.config().launch())?,
    };
    client.interrupt_by(Arc::clone(cancel));
    if is_new {
        client.handshake(START)?;
    }
    if client.identity().option("UCI_Chess960").is_some() {
        client.set_option("UCI_Chess960", if chess960 { "true" } else { "false" })?;
    }
    client.ready(START)?;
    let outcome =
        client.search(&game_command(game, chess960), &go_command(game, limit), longest(limit), |_| {})?;
    *lock(idle) = Some((engine.name.clone(), client));
    Ok(outcome)
}

fn go_command(game: &Game, limit: MoveLimit) -> String {
    match limit {
        MoveLimit::Time(time) => format!("go movetime {}", time.as_millis()),
        MoveLimit::Clocks { own, other } => {
            let (own_ms, other_ms) = (own.remaining.as_millis(), other.as_millis());
            let white = game.position().turn() == chess::Color::White;
            let (wtime, btime) = if white { (own_ms, other_ms) } else { (other_ms, own_ms) };
            let increment = own.increment.as_millis();
            format!("go wtime {wtime} btime {btime} winc {increment} binc {increment}")
        }
    }
}

fn longest(limit: MoveLimit) -> Duration {
    PATIENCE
        + match limit {
            MoveLimit::Time(time) => time,
            MoveLimit::Clocks { own, .. } => own.remaining,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use std::sync::mpsc;

    #[test]
    fn clocks_are_those_of_both_sides() {
        let mut game = Game::new(Position::startpos());
        game.play(game.position().parse_uci("e2e4").expect("legal"));
        let own =
            Clock { remaining: Duration::from_secs(9), increment: Duration::from_secs(1), moves_to_go: None };
        let limit = MoveLimit::Clocks { own, other: Duration::from_secs(7) };
        assert_eq!(go_command(&game, limit), "go wtime 7000 btime 9000 winc 1000 binc 1000");
        assert_eq!(go_command(&game, MoveLimit::Time(Duration::from_secs(1))), "go movetime 1000");
    }

    #[test]
    fn engine_that_does_not_start_is_reported() {
        let engine = ExternalEngine::new("Gone", "/no/such/engine").expect("valid");
        let (sender, receiver) = mpsc::channel();
        let mut opponent = Opponent::default();
        let limit = MoveLimit::Time(Duration::from_secs(1));
        let report = move |found: Result<FoundMove, String>| drop(sender.send(found));
        opponent.search(engine, Game::new(Position::startpos()), limit, report).expect("a thread");
        let error = receiver.recv().expect("a report").expect_err("no engine");
        assert!(error.starts_with("Gone: cannot start"), "{error}");
    }
}
