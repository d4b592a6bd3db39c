//! The shallowest depth at which scores mean something. Some engines print a score before they have searched.

use std::time::Duration;

use uci::Score;

use super::engine_under_test::EngineUnderTest;
use super::search_output::{MAX_EVALUATION, SearchOutput};

/// The starting position, and without either queen: an evaluation cannot score all three the same.
const POSITIONS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
];

const MAX_DEPTH: u32 = 6;

/// What the first iterations score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstScores {
    /// `None` where no depth has scores that mean something.
    first: Option<u32>,
    /// A score of each depth before.
    pub before: Vec<Score>,
    /// UCI commands of the first of them.
    pub repro: Vec<String>,
}

impl FirstScores {
    /// Searches the positions at growing depths until the scores mean something.
    pub fn probe(engine: &mut EngineUnderTest, cap: Duration) -> Self {
        let positions = super::check::positions(&POSITIONS);
        let mut scores = Self::default();
        for depth in 1..=MAX_DEPTH {
            let mut searches = Vec::new();
            for position in &positions {
                let Ok(result) = engine.search_fresh(position, &format!("go depth {depth}"), cap) else {
                    return scores;
                };
                searches.push(result);
            }
            let found: Vec<Option<Score>> = searches.iter().map(|result| score_at(result, depth)).collect();
            if mean_something(&found) {
                scores.first = Some(depth);
                return scores;
            }
            if scores.before.is_empty() {
                scores.repro = searches[0].repro();
            }
            scores.before.extend(found[0]);
        }
        scores
    }

    /// 1 where no depth is better than another.
    pub fn depth(&self) -> u32 {
        self.first.unwrap_or(1)
    }

    /// Whether later scores mean something, and earlier ones were printed.
    pub fn are_nonsense(&self) -> bool {
        self.depth() > 1 && !self.before.is_empty()
    }

    /// Whether any depth has scores that mean something.
    pub fn are_known(&self) -> bool {
        self.first.is_some()
    }
}

/// At this depth, also where the engine went on to another.
fn score_at(result: &SearchOutput, depth: u32) -> Option<Score> {
    result.at_depth(depth).and_then(|info| info.score).or_else(|| result.score())
}

fn mean_something(scores: &[Option<Score>]) -> bool {
    let is_evaluation = |score: &Option<Score>| matches!(score, Some(Score::Centipawns(score)) if score.abs() <= MAX_EVALUATION);
    scores.iter().all(is_evaluation) && scores.iter().any(|score| *score != scores[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_differ_and_are_not_mates() {
        let of = |scores: [i32; 3]| mean_something(&scores.map(|score| Some(Score::Centipawns(score))));
        assert!(of([20, 900, -900]) && of([0, 0, -30]));
        assert!(!of([-50_000, -50_000, -50_000]) && !of([0, 0, 0]) && !of([20, 30_000, -900]));
        assert!(!mean_something(&[Some(Score::Centipawns(20)), Some(Score::Mate(1)), None]));
    }
}
