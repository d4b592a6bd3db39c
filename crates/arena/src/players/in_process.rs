//! Vedette itself at the board, without a process and without text: at fixed nodes many times faster.

use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use engine::{Bound, Engine, Event, Iteration, Limits, Reading};
use uci::client_transcript::Spoken;
use uci::info::{self, Info, Score};
use uci::options::{self, Setting};

use crate::config::EngineConfig;
use crate::game::Clock;
use crate::players::{Fault, Player, Question, Thought};

/// Vedette's own engine as a player.
pub struct OwnPlayer {
    engine: Engine,
    chess960: bool,
    interrupt: Arc<AtomicBool>,
}

/// How long an interruption may go unseen.
const SLICE: Duration = Duration::from_millis(50);

impl OwnPlayer {
    /// An engine with the options of the match.
    ///
    /// # Errors
    /// An option or its value is not known.
    pub fn new(config: &EngineConfig, chess960: bool) -> Result<Self, Fault> {
        let mut engine = Engine::new();
        for (name, value) in &config.options {
            set_option(&mut engine, name, value)
                .map_err(|reason| Fault::Start(format!("{}: option {name}: {reason}", config.name)))?;
        }
        Ok(Self { engine, chess960, interrupt: Arc::default() })
    }

    /// Lets another thread end all thinking by setting `flag`.
    pub fn interrupt_by(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = flag;
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

/// Sets an option by the name and the values that it has in UCI.
fn set_option(engine: &mut Engine, name: &str, value: &str) -> Result<(), String> {
    let done = match options::read(name, Some(value)).map_err(|error| error.to_string())? {
        Setting::Hash(mebibytes) => engine.set_hash(mebibytes),
        Setting::Threads(threads) => engine.set_threads(threads),
        Setting::MoveOverhead(overhead) => engine.set_move_overhead(overhead),
        Setting::Evaluation(kind) => engine.set_evaluation(kind),
        Setting::LimitStrength(on) => engine.set_limit_strength(on),
        Setting::Elo(elo) => engine.set_elo(elo),
        Setting::EvalFile(None) => engine.set_network(None),
        Setting::EvalFile(Some(path)) => {
            let named = |error: &dyn Error| format!("{}: {error}", path.display());
            let bytes = std::fs::read(&path).map_err(|error| named(&error))?;
            let (network, _) = nnue::Network::read(&bytes).map_err(|error| named(&error))?;
            engine.set_network(Some(Arc::new(network)))
        }
        _ => return Err("has no meaning for an engine that plays in-process".to_owned()),
    };
    done.map_err(|error| error.to_string())
}

impl Player for OwnPlayer {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.engine.new_game().map_err(|busy| Fault::Stalled(busy.to_string()))
    }

    fn think(&mut self, question: &Question) -> Result<Thought, Fault> {
        if self.is_interrupted() {
            return Err(Fault::Interrupted);
        }
        let ear = Arc::new(Ear::default());
        let shared = Arc::clone(&ear);
        let started = Instant::now();
        let limits = limits_of(question.clock());
        self.engine
            .go(question.game, limits, move |event| shared.hear(event))
            .map_err(|busy| Fault::Stalled(busy.to_string()))?;
        // An engine that has stopped without an answer has none.
        while !ear.has_answer_within(SLICE) && self.engine.is_thinking() {
            if self.is_interrupted() {
                self.engine.stop();
                self.engine.wait();
                return Err(Fault::Interrupted);
            }
        }
        self.engine.wait();
        let elapsed = started.elapsed();
        let heard = ear.take();
        let lines: Vec<Info> = heard.lines.iter().map(|line| self.info_of(line)).collect();
        Ok(Thought {
            best: heard.best.map(|mv| mv.uci(self.chess960).to_string()),
            elapsed,
            info: lines.last().cloned(),
            lines,
            stray_answers: 0,
        })
    }

    fn transcript(&self) -> Vec<Spoken> {
        Vec::new()
    }
}

impl OwnPlayer {
    fn info_of(&self, line: &Iteration) -> Info {
        Info {
            depth: Some(line.depth),
            seldepth: Some(line.selective_depth),
            time: Some(line.time),
            nodes: Some(line.nodes),
            hashfull: Some(line.hashfull),
            tbhits: Some(line.tb_hits),
            score: Some(score_of(line)),
            bound: match line.bound {
                Bound::Exact => info::Bound::Exact,
                Bound::Lower => info::Bound::Lower,
                Bound::Upper => info::Bound::Upper,
            },
            pv: line.pv.iter().map(|mv| mv.uci(self.chess960).to_string()).collect(),
            ..Info::default()
        }
    }
}

/// What the engine told during one search.
#[derive(Default)]
struct Heard {
    lines: Vec<Iteration>,
    best: Option<chess::Move>,
    answered: bool,
}

/// Listens on the engine's thread, and can be waited at.
#[derive(Default)]
struct Ear {
    heard: Mutex<Heard>,
    answer: Condvar,
}

impl Ear {
    fn hear(&self, event: &Event) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Iteration(line) if line.multi_pv == 1 => heard.lines.push(line.clone()),
            Event::BestMove { best, .. } => {
                heard.best = *best;
                heard.answered = true;
                self.answer.notify_one();
            }
            _ => {}
        }
    }

    fn has_answer_within(&self, limit: Duration) -> bool {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.answer.wait_timeout_while(heard, limit, |heard| !heard.answered);
        waited.unwrap_or_else(PoisonError::into_inner).0.answered
    }

    fn take(&self) -> Heard {
        std::mem::take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn score_of(line: &Iteration) -> Score {
    match line.score.reading() {
        Reading::Centipawns(value) => Score::Centipawns(value),
        Reading::Mate(moves) => Score::Mate(moves),
    }
}

fn limits_of(clock: &Clock) -> Limits {
    let limits = clock.limits();
    Limits {
        depth: limits.depth,
        nodes: limits.nodes,
        move_time: limits.move_time,
        clock: clock.left().map(|remaining| engine::Clock {
            remaining,
            increment: clock.increment().unwrap_or_default(),
            moves_to_go: clock.moves_to_go(),
        }),
        ..Limits::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(name: &str, value: &str) -> Result<OwnPlayer, Fault> {
        let options = vec![(name.to_owned(), value.to_owned())];
        OwnPlayer::new(&EngineConfig { options, ..EngineConfig::default() }, false)
    }

    #[test]
    fn a_search_without_end_is_interrupted() {
        let mut player = seat("Hash", "1").expect("a known option");
        let flag = Arc::new(AtomicBool::new(false));
        player.interrupt_by(Arc::clone(&flag));
        let game = chess::Game::default();
        let clocks = [Clock::new(crate::game::Limits { depth: Some(200), ..Default::default() }); 2];
        let question = Question { game: &game, position: "position startpos", clocks: &clocks };
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                flag.store(true, Ordering::Relaxed);
            });
            player.think(&question)
        });
        assert_eq!(answer.map(drop), Err(Fault::Interrupted));
        assert_eq!(player.think(&question).map(drop), Err(Fault::Interrupted));
    }

    #[test]
    fn options_are_those_of_uci() {
        for (name, value) in [("Hash", "2"), ("threads", "1"), ("Evaluation", "classical"), ("EvalFile", "")]
        {
            assert!(seat(name, value).is_ok(), "{name}");
        }
        for (name, value) in [("Hash", "0"), ("EvalFile", "/no/such/net"), ("Hsh", "1"), ("Ponder", "true")] {
            assert!(matches!(seat(name, value), Err(Fault::Start(_))), "{name}");
        }
    }
}
