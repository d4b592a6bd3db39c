//! The engine as a `Thinker`: a fixed number of nodes per move, one thread, a small table.

use std::sync::atomic::AtomicBool;

use chess::Game;
use engine::evaluation::Evaluation;
use engine::{Limits, OptionError, Searcher};
use uci::{Bound, Score};

use super::generate::{Thinker, Thought};

/// Hash size in mebibytes: enough for some thousand nodes, and quickly cleared.
const HASH_MB: usize = 1;

/// Finds moves with the classical evaluation.
pub struct EngineThinker {
    searcher: Searcher,
    nodes: u64,
}

impl EngineThinker {
    /// Searches this many nodes per move.
    ///
    /// # Errors
    /// If the table cannot be allocated.
    pub fn new(nodes: u64) -> Result<EngineThinker, OptionError> {
        let searcher = Searcher::with_evaluation(HASH_MB, Evaluation::Classical)?;
        Ok(EngineThinker { searcher, nodes })
    }
}

impl Thinker for EngineThinker {
    fn new_game(&mut self) {
        self.searcher.new_game();
    }

    fn think(&mut self, game: &Game) -> Option<Thought> {
        let mut score = None;
        let never = AtomicBool::new(false);
        let found = self.searcher.search(game, Limits::nodes(self.nodes), &never, |info| {
            if info.bound == Bound::Exact {
                score = info.score;
            }
        });
        Some(Thought { best: found.best?, score: score.map_or(0, Score::centipawns) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::generate::{Schedule, generate};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn games_are_reproducible() {
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
