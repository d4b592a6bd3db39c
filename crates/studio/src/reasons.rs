//! Why a move is good or bad, by searches of their own: a job that a page can follow and stop.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use arena::config::{EngineConfig, EngineKind};
use arena::game::EngineLimits;
use arena::players::PlayerError;
use chess::{Game, Move, Position};
use engine::evaluation::Evaluation;
use review::Reviewer;
use support::sync::lock;

use crate::clients::Clients;
use crate::error::{INTERNAL, RequestError};
use crate::job::{JobSlot, RunningJob};
use crate::protocol::{Event, MoveReason, ReasonOutcome, ReasonProgress};
use crate::store::Id;

/// Nodes of each search: a reason takes up to forty.
const NODES: u64 = 20_000;

pub struct Reasons {
    evaluation: Evaluation,
    /// UCI options of Vedette's own engine.
    options: Vec<(String, String)>,
    clients: Arc<Clients>,
    slot: JobSlot<()>,
    /// The newest question.
    asked: Mutex<Option<(Position, Move)>>,
}

impl Reasons {
    pub fn new(evaluation: Evaluation, options: Vec<(String, String)>, clients: Arc<Clients>) -> Reasons {
        Reasons { evaluation, options, clients, slot: JobSlot::default(), asked: Mutex::default() }
    }

    /// Looks for the reason of a move, and sends pages its progress and the answer. An earlier question ends, unless it is
    /// the same one.
    pub fn start(&self, id: &Id, position: &Position, mv: Move) -> Result<(), RequestError> {
        let mut newest = lock(&self.asked);
        if newest.replace((*position, mv)) == Some((*position, mv)) && self.slot.is_busy() {
            return Ok(());
        }
        self.stop();
        // It ends in the middle of a search, at once.
        while self.slot.is_busy() {
            thread::sleep(Duration::from_millis(2));
        }
        let asked = Question {
            position: *position,
            mv,
            evaluation: self.evaluation.clone(),
            options: self.options.clone(),
            clients: Arc::clone(&self.clients),
            searches: Arc::default(),
        };
        let (clients, san) = (Arc::clone(&self.clients), asked.san());
        let failed = move |_| {
            let outcome = Some(ReasonOutcome::Failed(INTERNAL.to_owned()));
            clients.broadcast(Event::Reason(ReasonProgress { mv: san, searches: 0, outcome }));
        };
        self.slot.start("reason", id, move |job| asked.work(job), failed)
    }

    /// Ends the search for a reason.
    pub fn stop(&self) {
        self.slot.stop();
    }

    #[cfg(test)]
    pub fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }
}

struct Question {
    position: Position,
    mv: Move,
    evaluation: Evaluation,
    options: Vec<(String, String)>,
    clients: Arc<Clients>,
    /// So far.
    searches: Arc<AtomicU32>,
}

impl Question {
    fn san(&self) -> String {
        self.position.san(self.mv).to_string()
    }

    fn work(&self, job: &RunningJob<()>) {
        let outcome = match self.answer(job) {
            Ok(reason) => ReasonOutcome::Found(reason),
            Err(PlayerError::Interrupted) => ReasonOutcome::Stopped,
            Err(error) => ReasonOutcome::Failed(error.to_string()),
        };
        job.free();
        let outcome = Some(outcome);
        let searches = self.searches.load(Ordering::Relaxed);
        self.clients.broadcast(Event::Reason(ReasonProgress { mv: self.san(), searches, outcome }));
    }

    fn answer(&self, job: &RunningJob<()>) -> Result<MoveReason, PlayerError> {
        let engine = EngineConfig {
            kind: EngineKind::InProcess,
            name: "Vedette".to_owned(),
            options: self.options.clone(),
            ..EngineConfig::default()
        };
        let limits = EngineLimits { nodes: Some(NODES), ..EngineLimits::default() };
        let chess960 = !self.position.has_standard_castling();
        let (clients, mv, searches) = (Arc::clone(&self.clients), self.san(), Arc::clone(&self.searches));
        let progress = move || {
            let searches = searches.fetch_add(1, Ordering::Relaxed) + 1;
            let progress = ReasonProgress { mv: mv.clone(), searches, outcome: None };
            clients.broadcast(Event::Reason(progress));
        };
        let mut reviewer = Reviewer::new(&engine, limits, chess960, Arc::clone(&job.stop))?
            .with_evaluation(self.evaluation.clone())
            .with_progress(progress);
        let explained = reviewer.explain(&Game::new(self.position), Some(self.mv))?;
        // The position has a legal move, so that there is something to explain.
        let explained = explained.ok_or(PlayerError::Interrupted)?;
        let follows = explained.reply.as_ref();
        let asked = explained.asked.iter().cloned();
        let line = match follows {
            Some(reply) => asked.chain(reply.moves.iter().cloned()).collect(),
            None if explained.asked.is_some() => asked.collect(),
            None => explained.best.moves.clone(),
        };
        Ok(MoveReason {
            sentences: explained.sentences.iter().map(|sentence| sentence.text.clone()).collect(),
            line,
            score: follows.unwrap_or(&explained.best).score.into(),
        })
    }
}
