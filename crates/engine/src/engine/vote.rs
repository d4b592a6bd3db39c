//! Which thread's result is used.

use crate::search::ThreadResult;
use chess::Move;

/// Chooses among the threads' results. Every thread votes for its move, with more weight the deeper it
/// searched and the better its score; a proven mate decides. Of two threads with the same move the deeper one
/// counts. In a search to a fixed depth only threads that reached it vote, if there are any. A thread that
/// has completed no iteration has no vote.
pub(crate) fn vote(results: &[ThreadResult], wanted: Option<u32>) -> &ThreadResult {
    let reached = |result: &ThreadResult| wanted.is_none_or(|depth| result.depth >= depth);
    let some_reached = results.iter().any(reached);
    let has_vote = |result: &&ThreadResult| result.depth > 0 && (!some_reached || reached(result));
    let voters: Vec<&ThreadResult> = results.iter().filter(has_vote).collect();
    let least = voters.iter().map(|result| result.best().score.0).min().unwrap_or(0);
    let weight =
        |result: &ThreadResult| i64::from(result.best().score.0 - least + 14) * i64::from(result.depth);
    let votes = |mv: Move| -> i64 {
        voters.iter().filter(|result| result.best().mv == mv).map(|result| weight(result)).sum()
    };
    let mut chosen = voters.first().copied().unwrap_or(&results[0]);
    for &result in &voters {
        let (best, other) = (result.best(), chosen.best());
        let better = if other.score.is_win() || best.score.is_win() {
            best.score > other.score
        } else if other.score.is_loss() != best.score.is_loss() {
            other.score.is_loss()
        } else {
            let (ours, theirs) = (votes(best.mv), votes(other.mv));
            if best.mv == other.mv { result.depth > chosen.depth } else { ours > theirs }
        };
        if better {
            chosen = result;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_DEPTH;
    use crate::search::RootMove;
    use crate::{Bound, Score};
    use chess::Position;

    /// A thread's result with this depth and one of the legal moves of the start position.
    fn result(depth: u32, mv: usize, score: Score) -> ThreadResult {
        let mut root = RootMove::all(&Position::startpos(), &[]);
        root.swap(0, mv);
        root[0].learn(score, Bound::Exact, depth, depth, &[]);
        ThreadResult { root, depth }
    }

    /// The index of the chosen result.
    fn chosen(results: &[ThreadResult], wanted: Option<u32>) -> usize {
        let chosen = vote(results, wanted);
        results.iter().position(|result| std::ptr::eq(result, chosen)).expect("one of them")
    }

    #[test]
    fn many_threads_outvote_one_slightly_deeper() {
        let results = [
            result(12, 0, Score(30)),
            result(11, 1, Score(30)),
            result(11, 1, Score(28)),
            result(11, 2, Score(30)),
        ];
        assert_eq!(chosen(&results, None), 1);
        assert_eq!(chosen(&results[..2], None), 0);
    }

    #[test]
    fn depth_and_score_give_weight() {
        assert_eq!(chosen(&[result(10, 0, Score(20)), result(14, 1, Score(20))], None), 1);
        assert_eq!(chosen(&[result(10, 0, Score(20)), result(10, 1, Score(60))], None), 1);
        assert_eq!(chosen(&[result(10, 0, Score(20)), result(10, 1, Score(-60))], None), 0);
    }

    #[test]
    fn deeper_of_equal_votes_counts() {
        assert_eq!(chosen(&[result(10, 3, Score(50)), result(12, 3, Score(10))], None), 1);
        assert_eq!(chosen(&[result(12, 3, Score(10)), result(10, 3, Score(50))], None), 0);
    }

    #[test]
    fn shortest_mate_decides() {
        let crowd = [
            result(20, 0, Score(300)),
            result(20, 0, Score(300)),
            result(9, 1, Score::mate_in(7)),
            result(9, 2, Score::mate_in(5)),
            result(30, 1, Score::mate_in(9)),
        ];
        assert_eq!(chosen(&crowd, None), 3);
    }

    #[test]
    fn thread_that_avoids_mate_is_chosen() {
        let results =
            [result(20, 0, Score::mated_in(6)), result(20, 0, Score::mated_in(6)), result(8, 1, Score(-400))];
        assert_eq!(chosen(&results, None), 2);
        let results =
            [result(8, 1, Score(-400)), result(20, 0, Score::mated_in(6)), result(20, 0, Score::mated_in(6))];
        assert_eq!(chosen(&results, None), 0);
    }

    #[test]
    fn only_threads_at_depth_vote() {
        let results = [result(9, 0, Score(80)), result(9, 0, Score(80)), result(10, 1, Score(10))];
        assert_eq!(chosen(&results, Some(10)), 2);
        assert_eq!(chosen(&results, Some(MAX_DEPTH)), 0);
    }

    #[test]
    fn thread_without_an_iteration_has_no_vote() {
        assert_eq!(chosen(&[result(3, 0, Score(10)), result(0, 1, Score::mate_in(3))], None), 0);
        assert_eq!(chosen(&[result(3, 0, Score(-500)), result(0, 1, Score::NONE)], None), 0);
        // Nor does it equalise the scores of the others.
        let results = [result(11, 0, Score(20)), result(10, 1, Score(90)), result(0, 2, Score::NONE)];
        assert_eq!(chosen(&results, None), 1);
    }
}
