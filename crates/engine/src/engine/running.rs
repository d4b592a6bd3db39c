//! A running search: what its threads share with the engine, and what each of them does.

use crate::event::SearchEvent;
use crate::mate::{MateProof, MateSearch};
use crate::observe::{Observer, Statistics};
use crate::reporter::{Reporter, no_moves, proven_mate};
use crate::search::{Shared, ThreadData, ThreadResult};
use crate::strength::Handicap;
use crate::tablebase::TableAccess;
use crate::task::Task;
use chess::Move;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};
use uci::{BestMove, Info};

use super::vote::vote;

/// How long the best move waits for the results of helper threads. They stop at their next node; but with
/// more threads than cores, one may not be scheduled in time.
const PATIENCE: Duration = Duration::from_millis(10);

/// The most nodes of a proof of a mate before the ordinary search takes over.
const PROOF_NODES: u64 = 2_000_000;

/// The result that a helper sends to the first thread.
pub(super) type HelperReport = (ThreadResult, Option<Statistics>);

/// A running search.
pub(super) struct Running {
    pub shared: Shared,
    /// Strength limit, if any.
    pub handicap: Option<Handicap>,
    /// Number of lines to report.
    lines: usize,
}

impl Running {
    pub fn new(shared: Shared, handicap: Option<Handicap>, lines: usize) -> Running {
        Running { shared, handicap, lines }
    }

    /// A helper thread.
    pub fn help<O: Observer>(
        &self,
        task: &Task,
        id: usize,
        data: &mut ThreadData,
        observer: O,
        reports: &Sender<HelperReport>,
    ) {
        let (result, observer) = task.run(&self.shared, id, data, observer, None, None);
        // The first thread is gone only if it panicked.
        let _ = reports.send((result, observer.statistics()));
    }

    /// The first thread: searches, waits for `stop` where needed and for the helpers, and reports the best
    /// move. Helpers are started with the first report, so that any number of them neither delays the first
    /// line nor leaves a short search without one.
    pub fn lead<O: Observer>(
        &self,
        task: &Task,
        data: &mut ThreadData,
        observer: O,
        start_helpers: impl FnOnce(),
        reports: &Receiver<HelperReport>,
        mut listener: impl FnMut(&SearchEvent),
    ) {
        let _finish = FinishOnDrop(self);
        let shared = &self.shared;
        if task.root.is_empty() {
            listener(&SearchEvent::Info(no_moves(task.position(), shared)));
            shared.signals.wait_for_permission();
            listener(&SearchEvent::BestMove(BestMove::default()));
            return;
        }
        match self.prove_mate(task) {
            (MateProof::Mate(line), nodes) => {
                listener(&SearchEvent::Info(proven_mate(&line, nodes, shared)));
                shared.signals.wait_for_permission();
                let (best, ponder) = (line.first().copied(), line.get(1).copied());
                listener(&SearchEvent::BestMove(BestMove { best, ponder }));
                return;
            }
            (MateProof::None, _) => {
                let text = shared.limits.mate.map(|moves| format!("no mate in {moves}"));
                listener(&SearchEvent::Info(Info { text, ..Info::default() }));
            }
            (MateProof::Unknown, _) => {}
        }
        let mut reporter = Reporter::new(self.lines, task, shared, |info| listener(&SearchEvent::Info(info)));
        let mut start_helpers = Some(start_helpers);
        let mut on_info = |info| {
            reporter.pass_on(info);
            if let Some(start_helpers) = start_helpers.take() {
                start_helpers();
            }
        };
        let (mut own, observer) = task.run(shared, 0, data, observer, Some(&mut on_info), None);
        let mut statistics = observer.statistics();
        shared.signals.wait_for_permission();
        if let Some(handicap) = &self.handicap {
            let pace = handicap.pace(&shared.budget, &own.root, task.position().ply());
            shared.signals.pause(pace.saturating_sub(shared.elapsed_on_clock()));
            handicap.choose(&mut own.root);
        }
        shared.stop();
        let results = collect(own, &mut statistics, reports);
        // With MultiPV, all lines are those of the first thread.
        let chosen = if self.lines > 1 { &results[0] } else { vote(&results, shared.limits.depth) };
        reporter.conclude(chosen);
        let best = chosen.best().mv;
        let ponder = reporter.ponder_move(best);
        if let Some(statistics) = statistics {
            listener(&SearchEvent::Statistics(Box::new(statistics)));
        }
        if let Some(failure) = shared.tables.as_ref().and_then(TableAccess::failure) {
            let text = format!("SyzygyPath: {failure}; tablebases are off");
            listener(&SearchEvent::Info(Info { text: Some(text), ..Info::default() }));
        }
        listener(&SearchEvent::BestMove(BestMove { best: Some(best), ponder }));
    }
}

impl Running {
    /// `go mate`: proves a mate, or that there is none, if that does not take long. The nodes are those of the proof.
    fn prove_mate(&self, task: &Task) -> (MateProof, u64) {
        let shared = &self.shared;
        let Some(moves) = shared.limits.mate.filter(|_| self.handicap.is_none()) else {
            return (MateProof::Unknown, 0);
        };
        // The depth and node limits hold for the proof as well.
        let moves = shared.limits.depth.map_or(moves, |depth| moves.min(depth.div_ceil(2)));
        let max_nodes = shared.limits.nodes.map_or(PROOF_NODES, |nodes| PROOF_NODES.min(nodes / 2));
        let root: Vec<Move> = task.root.iter().map(|root_move| root_move.mv).collect();
        let mut proof = MateSearch::new(max_nodes, |_| shared.is_stopped() || shared.is_over_time());
        let found = proof.prove(task.position(), &root, moves);
        // A smaller depth does not refuse the mate that was asked for.
        let is_whole = Some(moves) == shared.limits.mate;
        (if found == MateProof::None && !is_whole { MateProof::Unknown } else { found }, proof.nodes)
    }
}

/// The results of all threads that are ready in time, its own first. Statistics wait for all threads; a best
/// move does not need all results.
fn collect(
    own: ThreadResult,
    statistics: &mut Option<Statistics>,
    reports: &Receiver<HelperReport>,
) -> Vec<ThreadResult> {
    let mut results = vec![own];
    let deadline = Instant::now() + PATIENCE;
    let in_time = || reports.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok();
    let counting = statistics.is_some();
    while let Some((result, counts)) = if counting { reports.recv().ok() } else { in_time() } {
        results.push(result);
        if let (Some(sum), Some(part)) = (&mut *statistics, counts) {
            *sum += &part;
        }
    }
    results
}

/// Marks a search as finished even if it panicked, so that no one waits forever.
struct FinishOnDrop<'a>(&'a Running);

impl Drop for FinishOnDrop<'_> {
    fn drop(&mut self) {
        self.0.shared.signals.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::clock::Budget;
    use crate::evaluation::Evaluation;
    use crate::params::Params;
    use crate::table::Table;
    use std::sync::Arc;

    /// A search without threads, ended by its limits.
    fn ended_by_a_limit() -> Running {
        let limits = Limits::nodes(1);
        let budget = Budget::new(&limits, Duration::ZERO);
        let table = Arc::new(Table::of_one_cluster());
        let shared = Shared::new(table, Evaluation::Classical, limits, budget, 1, 0, Params::default());
        shared.stop();
        Running::new(shared, None, 1)
    }

    #[test]
    fn pause_lasts_when_a_limit_has_ended_the_search() {
        let (running, start) = (ended_by_a_limit(), Instant::now());
        running.shared.signals.pause(Duration::from_millis(20));
        assert!(start.elapsed() >= Duration::from_millis(20));
    }

    #[test]
    fn pause_ends_when_the_answer_is_wanted() {
        let running = ended_by_a_limit();
        running.shared.signals.release();
        running.shared.signals.pause(Duration::from_hours(1));
    }
}
