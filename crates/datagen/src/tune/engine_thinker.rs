//! The engine as a thinker for self-play: a fixed number of nodes for each move, one thread, a small table.

use std::sync::{Arc, Mutex, PoisonError};

use chess::Game;
use engine::evaluation::EvaluationKind;
use engine::{Bound, Engine, Event, Limits, OptionError, Reading, Score};

use super::generate::{Thinker, Thought};

/// Mebibytes of hash table: enough for some thousand nodes, and quickly cleared between games.
const HASH_MB: usize = 1;
/// What a mate counts as.
const MATE_CENTIPAWNS: i32 = 10_000;

/// Finds moves with an engine of its own, which judges by the evaluation that is to be tuned.
pub struct EngineThinker {
    engine: Engine,
    nodes: u64,
}

impl EngineThinker {
    /// An engine that searches this many nodes for each move.
    ///
    /// # Errors
    /// If there is no memory for its table.
    pub fn new(nodes: u64) -> Result<EngineThinker, OptionError> {
        let mut engine = Engine::new();
        engine.set_hash(HASH_MB)?;
        engine.set_evaluation(EvaluationKind::Classical)?;
        Ok(EngineThinker { engine, nodes })
    }
}

impl Thinker for EngineThinker {
    fn new_game(&mut self) {
        // Between two moves no search is running, which is all that could refuse this.
        let _ = self.engine.new_game();
    }

    fn think(&mut self, game: &Game) -> Option<Thought> {
        let thought = Arc::new(Mutex::new((Score::ZERO, None)));
        let shared = Arc::clone(&thought);
        let listener = move |event: &Event| {
            let mut thought = shared.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Event::Iteration(line) if line.multi_pv == 1 && line.bound == Bound::Exact => {
                    thought.0 = line.score;
                }
                Event::BestMove { best, .. } => thought.1 = *best,
                _ => {}
            }
        };
        self.engine.go(game, Limits::nodes(self.nodes), listener).ok()?;
        self.engine.wait();
        let (score, best) = *thought.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Thought { best: best?, score: centipawns(score) })
    }
}

fn centipawns(score: Score) -> i32 {
    match score.reading() {
        Reading::Centipawns(centipawns) => centipawns,
        Reading::Mate(moves) if moves > 0 => MATE_CENTIPAWNS,
        Reading::Mate(_) => -MATE_CENTIPAWNS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::generate::{Schedule, generate};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn the_engine_plays_the_same_games_again() {
        let schedule = Schedule { games: 2, random_plies: 8, seed: 5 };
        let play = || {
            let mut lines = Vec::new();
            let thinker = EngineThinker::new(200).unwrap();
            generate(&schedule, vec![thinker], &AtomicBool::new(false), |samples, _| {
                lines.extend(samples.iter().map(ToString::to_string));
            });
            lines
        };
        let first = play();
        assert!(first.len() > 20);
        assert_eq!(first, play());
    }
}
