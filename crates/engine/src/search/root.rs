//! The moves at the root and what is known about each.

use crate::{Bound, Score};
use chess::{Move, Position};
use std::cmp::Reverse;

/// A move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub mv: Move,
    /// Its score in this iteration, or `Score::NONE` if it was shown not to be among the best.
    pub score: Score,
    /// Its score in the iteration before.
    pub previous: Score,
    /// What the score says.
    pub bound: Bound,
    /// A running average of its scores, on which windows are centred.
    pub average: Option<f64>,
    pub selective_depth: u32,
    /// Nodes below it in the whole search.
    pub nodes: u64,
    /// What is expected to follow it.
    pub replies: Vec<Move>,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: Score::NONE,
            previous: Score::NONE,
            bound: Bound::Exact,
            average: None,
            selective_depth: 0,
            nodes: 0,
            replies: Vec::new(),
        }
    }

    /// The moves to be considered: all legal ones, or those of them that are asked for. Their order does
    /// not depend on colour.
    pub fn all(position: &Position, wanted: &[Move]) -> Vec<RootMove> {
        let mut moves: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| wanted.is_empty() || wanted.contains(mv))
            .collect();
        moves.sort_by_key(|mv| (mv.squares_for(position.turn()), mv.bits()));
        moves.into_iter().map(RootMove::new).collect()
    }

    /// The line that begins with it.
    pub fn line(&self) -> Vec<Move> {
        [&[self.mv], self.replies.as_slice()].concat()
    }

    /// Remembers a score that this iteration found.
    pub fn learn(&mut self, score: Score) {
        self.score = score;
        let weight = f64::from(score.0);
        self.average = Some(self.average.map_or(weight, |average| f64::midpoint(average, weight)));
    }
}

/// Puts the best first; moves of equal score keep their order.
pub(super) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root_move| Reverse((root_move.score, root_move.previous)));
}
