//! The games that are being played, as pages see them: boards, scores, depths and clocks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arena::game::PlayedMove;
use arena::schedule::Job;
use chess::Color;
use support::sync::lock;

use crate::clients::Clients;
use crate::protocol::{Event, LiveGame, LiveSide, Score};

/// Time between two updates.
const UPDATE_EVERY: Duration = Duration::from_millis(250);

pub struct LiveGames {
    clients: Arc<Clients>,
    /// The engines' names.
    names: Vec<String>,
    state: Mutex<LiveState>,
}

#[derive(Default)]
struct LiveState {
    /// By their index in the schedule.
    games: BTreeMap<u64, LiveGame>,
    sent: Option<Instant>,
    /// Whether something has changed since then.
    changed: bool,
}

impl LiveGames {
    pub fn new(clients: Arc<Clients>, names: Vec<String>) -> LiveGames {
        LiveGames { clients, names, state: Mutex::default() }
    }

    /// A move was played.
    pub fn add(&self, job: &Job, mv: PlayedMove) {
        let mut state = lock(&self.state);
        let name = |engine: usize| self.names.get(engine).cloned().unwrap_or_default();
        let live = state.games.entry(job.index).or_insert_with(|| LiveGame {
            number: job.index,
            white: name(job.white),
            black: name(job.black),
            fen: String::new(),
            last: None,
            plies: 0,
            sides: [LiveSide::default(), LiveSide::default()],
        });
        live.fen = mv.game.position().to_fen();
        live.last = mv.game.moves().last().map(|mv| mv.uci(true).to_string());
        live.plies = mv.game.moves().len();
        let info = mv.record.info.as_ref();
        let score = info.and_then(|info| info.score);
        live.sides[mv.mover.index()] = LiveSide {
            score: score.map(|score| Score::from(if mv.mover == Color::White { score } else { -score })),
            depth: info.and_then(|info| info.depth),
            left_ms: mv.record.left.map(|left| left.as_millis() as u64),
            used_ms: mv.record.elapsed.as_millis() as u64,
        };
        state.changed = true;
        self.send_at_times(&mut state);
    }

    /// A game has ended.
    pub fn remove(&self, job: &Job) {
        let mut state = lock(&self.state);
        state.changed |= state.games.remove(&job.index).is_some();
        self.send_at_times(&mut state);
    }

    /// Sends what has not been sent yet.
    pub fn flush(&self) {
        let mut state = lock(&self.state);
        if state.changed {
            self.send(&mut state);
        }
    }

    /// No game is in progress.
    pub fn clear(&self) {
        let mut state = lock(&self.state);
        state.games.clear();
        self.send(&mut state);
    }

    fn send_at_times(&self, state: &mut LiveState) {
        if state.sent.is_none_or(|sent| sent.elapsed() >= UPDATE_EVERY) {
            self.send(state);
        }
    }

    fn send(&self, state: &mut LiveState) {
        state.sent = Some(Instant::now());
        state.changed = false;
        self.clients.broadcast(Event::LiveGames(state.games.values().cloned().collect()));
    }
}
