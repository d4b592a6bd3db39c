//! The root moves and their results.

use crate::tablebase::TableVerdict;
use crate::{Bound, Score};
use chess::{Move, Position};
use std::cmp::Reverse;

/// A root move.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub mv: Move,
    /// Its score in this iteration; `Score::NONE` if it is not among the best.
    pub score: Score,
    /// Its score in the previous iteration.
    pub previous: Score,
    /// The bound of the score.
    pub bound: Bound,
    /// The iteration that found it.
    pub depth: u32,
    /// A running average of its scores, the centre of aspiration windows.
    pub average: Option<f64>,
    pub selective_depth: u32,
    /// Nodes below it in the whole search.
    pub nodes: u64,
    /// Its PV, without the move itself.
    pub replies: Vec<Move>,
    /// What the tablebases say about it.
    pub verdict: Option<TableVerdict>,
    /// Its result in the last completed iteration in which it was among the best lines.
    settled: Option<LastResult>,
}

/// An exact score and its line.
#[derive(Clone, Debug)]
struct LastResult {
    score: Score,
    depth: u32,
    selective_depth: u32,
    replies: Vec<Move>,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: Score::NONE,
            previous: Score::NONE,
            bound: Bound::Exact,
            depth: 0,
            average: None,
            selective_depth: 0,
            nodes: 0,
            replies: Vec::new(),
            verdict: None,
            settled: None,
        }
    }

    /// Its rank by the tablebases, the same for all moves if they do not know it.
    pub fn rank(&self) -> i32 {
        self.verdict.map_or(0, |verdict| verdict.rank)
    }

    /// The root moves: all legal moves, or those of `searchmoves`. Their order does not depend on colour.
    pub fn all(position: &Position, wanted: &[Move]) -> Vec<RootMove> {
        let mut moves: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| wanted.is_empty() || wanted.contains(mv))
            .collect();
        moves.sort_by_key(|mv| (mv.squares_for(position.turn()), mv.bits()));
        moves.into_iter().map(RootMove::new).collect()
    }

    /// Its PV.
    pub fn line(&self) -> Vec<Move> {
        [&[self.mv], self.replies.as_slice()].concat()
    }

    /// Stores a score of this iteration, and its line.
    pub fn learn(&mut self, score: Score, bound: Bound, depth: u32, selective_depth: u32, replies: &[Move]) {
        (self.score, self.bound) = (score, bound);
        (self.depth, self.selective_depth) = (depth, selective_depth);
        self.replies.clear();
        self.replies.extend_from_slice(replies);
        let weight = f64::from(score.0);
        self.average = Some(self.average.map_or(weight, |average| f64::midpoint(average, weight)));
    }

    /// The iteration of its score is complete, and it is among the best lines.
    pub fn settle(&mut self) {
        let RootMove { score, depth, selective_depth, .. } = *self;
        self.settled = Some(LastResult { score, depth, selective_depth, replies: self.replies.clone() });
    }

    /// Whether it was among the best lines in the last completed iteration, of depth `completed`.
    fn is_settled(&self, completed: u32) -> bool {
        self.settled.as_ref().is_some_and(|settled| settled.depth == completed)
    }

    /// The iteration after `completed` was stopped. If it has no exact score of this move, use the exact
    /// score and line of the last completed iteration. A move that was not among the best lines then keeps
    /// its bound.
    pub fn fall_back(&mut self, completed: u32) {
        if self.score != Score::NONE && self.bound == Bound::Exact {
            return;
        }
        if let Some(settled) = self.settled.take_if(|settled| settled.depth == completed) {
            (self.score, self.bound) = (settled.score, Bound::Exact);
            (self.depth, self.selective_depth) = (settled.depth, settled.selective_depth);
            self.replies = settled.replies;
        }
    }
}

/// Sorts by rank and score; moves of equal score keep their order.
pub(super) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root_move| Reverse((root_move.rank(), root_move.score, root_move.previous)));
}

/// The iteration after `completed` was stopped. A move that failed low takes no other's place, even if the
/// best move failed lower: the best of the last completed iteration comes first.
pub(super) fn prefer_settled(moves: &mut [RootMove], completed: u32) {
    let best = moves.iter().position(|root_move| root_move.is_settled(completed));
    if let Some(best) = best.filter(|_| moves[0].bound == Bound::Upper) {
        moves[..=best].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A move, and the replies that two iterations expect.
    fn move_and_lines() -> (RootMove, Vec<Move>, Vec<Move>) {
        let position = Position::startpos();
        let all = RootMove::all(&position, &[]);
        let replies: Vec<Move> = position.after(all[0].mv).legal_moves().into_iter().collect();
        (all[0].clone(), replies[..2].to_vec(), replies[2..3].to_vec())
    }

    #[test]
    fn bound_of_stopped_iteration_falls_back_to_last_score() {
        for bound in [Bound::Upper, Bound::Lower] {
            let (mut root_move, line, short) = move_and_lines();
            root_move.learn(Score(20), Bound::Exact, 7, 12, &line);
            root_move.settle();
            root_move.learn(Score(-90), bound, 8, 9, &short);
            root_move.fall_back(7);
            let reported = (root_move.score, root_move.bound, root_move.depth, root_move.selective_depth);
            assert_eq!(reported, (Score(20), Bound::Exact, 7, 12));
            assert_eq!(root_move.replies, line);
        }
    }

    #[test]
    fn exact_score_of_stopped_iteration_is_kept() {
        let (mut root_move, line, short) = move_and_lines();
        root_move.learn(Score(20), Bound::Exact, 7, 12, &line);
        root_move.settle();
        root_move.learn(Score(-90), Bound::Exact, 8, 9, &short);
        root_move.fall_back(7);
        assert_eq!((root_move.score, root_move.depth, root_move.replies), (Score(-90), 8, short));
    }

    #[test]
    fn unsettled_fail_high_stays_a_bound() {
        let (mut root_move, line, short) = move_and_lines();
        // It was best once, but not in the last completed iteration.
        root_move.learn(Score(20), Bound::Exact, 5, 12, &line);
        root_move.settle();
        root_move.learn(Score(60), Bound::Lower, 8, 9, &short);
        root_move.fall_back(7);
        assert_eq!((root_move.score, root_move.bound, root_move.replies), (Score(60), Bound::Lower, short));
    }
    #[test]
    fn earlier_fail_low_does_not_replace_best() {
        for (bound, kept) in [(Bound::Upper, 0), (Bound::Lower, 1)] {
            let mut moves = RootMove::all(&Position::startpos(), &[]);
            let names = [moves[0].mv, moves[1].mv];
            moves[0].learn(Score(20), Bound::Exact, 7, 9, &[]);
            moves[0].settle();
            moves[0].learn(Score(-90), Bound::Upper, 8, 9, &[]);
            moves[1].learn(Score(-40), bound, 7, 9, &[]);
            sort(&mut moves);
            assert_eq!(moves[0].mv, names[1]);
            prefer_settled(&mut moves, 7);
            assert_eq!(moves[0].mv, names[kept]);
            assert_eq!(moves[1].mv, names[1 - kept]);
        }
    }
}
