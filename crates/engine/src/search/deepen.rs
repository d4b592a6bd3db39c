//! Iterative deepening with aspiration windows.

use super::root::{prefer_settled, sort};
use super::{Root, RootMove, Search, Shared, Soundness};
use crate::clock::SearchStability;
use crate::limits::MAX_DEPTH;
use crate::observe::{Observer, Purpose};
use crate::table::table_key;
use crate::tablebase::TableVerdict;
use crate::{Bound, Depth, Score};
use chess::{Move, Position};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use uci::Info;

/// Bounds and the current move are reported only after this time.
const VERBOSE_AFTER: Duration = Duration::from_secs(3);

/// The result of one thread.
#[derive(Clone, Debug)]
pub(crate) struct ThreadResult {
    /// The moves at the root, the best first.
    pub root: Vec<RootMove>,
    /// The last completed iteration.
    pub depth: u32,
}

impl ThreadResult {
    pub fn best(&self) -> &RootMove {
        &self.root[0]
    }
}

impl<O: Observer, S: Soundness> Search<'_, O, S> {
    /// Searches deeper and deeper until a limit is reached.
    pub fn deepen(&mut self, position: &Position) -> ThreadResult {
        self.data.assessor.begin(position);
        let last_depth = self.shared.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let lines = self.shared.multi_pv.min(self.root.len());
        // The tablebases may leave a single candidate.
        let candidates = self.root.iter().filter(|root_move| root_move.rank() == self.root[0].rank()).count();
        let mut stability = SearchStability { only_move: candidates == 1, ..SearchStability::default() };
        let mut scores = None;

        for depth in 1..=last_depth {
            if self.leaves_to_others(depth) && depth < last_depth {
                continue;
            }
            self.root_depth = depth;
            self.observer.iteration(depth);
            let best_before = self.root[0].mv;
            for root_move in &mut self.root {
                root_move.previous = root_move.score;
            }
            for line in 0..lines {
                self.line = line;
                self.selective_depth = 0;
                self.aspire(position);
                sort(&mut self.root[..=line]);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            self.completed_depth = depth;
            self.root[..lines].iter_mut().for_each(RootMove::settle);
            self.publish_nodes();
            if self.id > 0 {
                // The first thread to reach the last depth ends the search.
                if depth == last_depth {
                    self.shared.stop();
                }
                continue;
            }
            for line in 0..lines {
                self.report_line(line);
            }

            let best = &self.root[0];
            stability.stable_iterations =
                if best.mv == best_before { stability.stable_iterations + 1 } else { 0 };
            stability.effort = best.nodes as f64 / self.nodes.max(1) as f64;
            stability.score_drop = SearchStability::drop_from(scores, best.score);
            let score = f64::from(best.score.0);
            scores = Some(scores.map_or(score, |average: f64| (2.0 * average + score) / 3.0));
            if self.is_finished(&stability) {
                break;
            }
            self.look_at_limits();
            if self.stopped {
                break;
            }
        }
        self.publish_nodes();
        if self.stopped {
            self.fall_back(lines);
            self.expect_reply(position);
        }
        ThreadResult { root: self.root.clone(), depth: self.completed_depth }
    }

    /// An iteration was stopped: moves without a result in it are reported with that of the last completed
    /// one. With `MultiPV`, lines with results of the stopped iteration come first, and each group is sorted
    /// by score.
    fn fall_back(&mut self, lines: usize) {
        let completed = self.completed_depth;
        if lines == 1 {
            prefer_settled(&mut self.root, completed);
            self.root[0].fall_back(completed);
            return;
        }
        let has_result = |root_move: &&RootMove| {
            let is_known = root_move.score != Score::NONE && root_move.bound != Bound::Upper;
            is_known && root_move.depth > completed
        };
        let finished = self.root[..lines].iter().take_while(has_result).count();
        self.root[finished..].iter_mut().for_each(|root_move| root_move.fall_back(completed));
        sort(&mut self.root[..finished]);
        sort(&mut self.root[finished..]);
    }

    /// Whether a helper thread skips this depth. A helper that skips every other depth runs ahead of the
    /// first thread, and leaves in the table what that needs next.
    fn leaves_to_others(&self, depth: u32) -> bool {
        self.id > 0 && depth >= 4 && (depth as usize + self.id).is_multiple_of(2)
    }

    /// Whether to stop: a limit is reached, the result is certain, or the time is better saved.
    fn is_finished(&self, stability: &SearchStability) -> bool {
        let best = &self.root[0];
        if let (Some(wanted), Some(plies)) = (self.shared.limits.mate, best.score.mate_distance())
            && plies.div_ceil(2) <= wanted as usize
        {
            return true;
        }
        if self.shared.is_pondering() || self.shared.limits.infinite {
            return false;
        }
        if self.shared.limits.soft_nodes.is_some_and(|limit| self.shared.total_nodes() >= limit) {
            return true;
        }
        let on_clock = self.shared.limits.clock.is_some();
        // A mate well within the searched depth will not become shorter.
        let certain_mate =
            best.score.mate_distance().is_some_and(|plies| 2 * plies + 4 < self.completed_depth as usize);
        on_clock && certain_mate || self.shared.budget.is_enough(self.shared.elapsed_on_clock(), stability)
    }

    /// Searches one line with a window around its average score, and widens it until the score is inside.
    fn aspire(&mut self, position: &Position) {
        let mut delta = self.params().aspiration_delta();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let average = self.root[self.line].average;
        self.be_optimistic(position.turn(), average);
        if let Some(average) = average.filter(|average| self.root_depth >= 4 && average.abs() < 10_000.0) {
            delta += (average * average / 16_000.0) as i32;
            alpha = Score((average as i32 - delta).max(-Score::INFINITE.0));
            beta = Score((average as i32 + delta).min(Score::INFINITE.0));
        }
        let mut fail_highs = 0;
        loop {
            // After repeated fail-highs, search with less depth.
            let depth = Depth::plies((self.root_depth as i32 - fail_highs).max(1));
            self.observer.approach(Purpose::Root, Move::NONE);
            let score = self.search::<Root>(position, alpha, beta, depth, 0, false);
            sort(&mut self.root[self.line..]);
            if self.stopped {
                return;
            }
            // No score is outside of a full window. If one were, widening would not help.
            if score <= alpha && alpha > -Score::INFINITE {
                beta = Score(i32::midpoint(alpha.0, beta.0));
                alpha = Score((score.0 - delta).max(-Score::INFINITE.0));
                fail_highs = 0;
            } else if score >= beta && beta < Score::INFINITE {
                beta = Score((score.0 + delta).min(Score::INFINITE.0));
                fail_highs = (fail_highs + 1).min(3);
            } else {
                return;
            }
            if self.is_verbose() && self.shared.multi_pv == 1 {
                self.report_line(self.line);
            }
            delta += delta / 2 + 4;
            if delta > 1500 {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// A move that has just failed high has no line. Take the reply from the table, to ponder on.
    fn expect_reply(&mut self, position: &Position) {
        let best = &mut self.root[0];
        if !best.replies.is_empty() {
            return;
        }
        let child = position.after(best.mv);
        let known = self.shared.table.probe(table_key(&child), 1);
        best.replies.extend(known.map(|entry| entry.mv).filter(|&mv| child.is_legal(mv)));
    }

    /// Whether the search is long enough to report its progress.
    fn is_verbose(&self) -> bool {
        self.on_info.is_some() && self.shared.elapsed() > VERBOSE_AFTER
    }

    fn report_line(&mut self, line: usize) {
        self.publish_nodes();
        if let Some(on_info) = &mut self.on_info {
            on_info(report(self.shared, &self.root[line], line));
        }
    }

    /// Reports the current root move, in long searches.
    pub(super) fn report_current_move(&mut self, mv: Move, number: usize) {
        if !self.is_verbose() {
            return;
        }
        let info = Info {
            depth: Some(self.root_depth),
            current_move: Some(mv),
            current_move_number: Some((number + self.line) as u32),
            ..Info::default()
        };
        if let Some(on_info) = &mut self.on_info {
            on_info(info);
        }
    }

    fn publish_nodes(&self) {
        self.shared.nodes[self.id].0.store(self.nodes, Relaxed);
    }
}

/// The report of a root move's line.
pub(crate) fn report(shared: &Shared, root_move: &RootMove, line: usize) -> Info<Move> {
    let found = if root_move.score == Score::NONE { root_move.previous } else { root_move.score };
    let score = root_move.verdict.map_or(found, |verdict| verdict.score(found));
    // A score of the tablebases is no bound.
    let bound = if score == found { root_move.bound } else { Bound::Exact };
    let chances = || shared.evaluation.kind().wdl(score);
    let (nodes, time) = (shared.total_nodes(), shared.elapsed());
    Info {
        depth: Some(root_move.depth.max(1)),
        seldepth: Some(root_move.selective_depth),
        multipv: Some(line as u32 + 1),
        score: Some(score.to_uci()),
        bound,
        wdl: Some(root_move.verdict.map_or_else(chances, TableVerdict::chances)),
        nodes: Some(nodes),
        nps: Some(nodes_per_second(nodes, time)),
        hashfull: Some(shared.table.hashfull()),
        tbhits: Some(shared.table_hits()),
        time: Some(time),
        pv: root_move.line(),
        ..Info::default()
    }
}

fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000 / time.as_micros().max(1)) as u64
}

#[cfg(test)]
mod tests {
    use crate::evaluation::Evaluation;
    use crate::table::{Entry, table_key};
    use crate::{Bound, Limits, Score, Searcher};
    use chess::{Game, Move};
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    /// No sound search stores such a score, but `go` must end whatever the table contains.
    #[test]
    fn impossible_hash_score_does_not_hang_search() {
        for score in [Score::NONE, -Score::NONE] {
            let (done, answer) = channel();
            // The test ends even if the search does not.
            thread::spawn(move || {
                let game = Game::default();
                let mut searcher =
                    Searcher::with_evaluation(1, Evaluation::Classical).expect("there is memory");
                let bound = if score == Score::NONE { Bound::Upper } else { Bound::Lower };
                let entry = Entry {
                    mv: Move::NONE,
                    score,
                    evaluation: Score::ZERO,
                    depth: 100,
                    bound: Some(bound),
                    was_pv: false,
                };
                for mv in game.position().legal_moves() {
                    searcher.table().store(table_key(&game.position().after(mv)), 1, entry);
                }
                let _ = done.send(searcher.search_silent(&game, Limits::depth(6)).best.is_some());
            });
            assert_eq!(answer.recv_timeout(Duration::from_mins(1)), Ok(true), "{score:?}");
        }
    }
}
