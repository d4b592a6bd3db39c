//! Searching on the caller's thread, for self-play and in-process matches: with thousands of short searches,
//! passing each to another thread would cost more than the search.

use crate::Score;
use crate::clock::Budget;
use crate::engine::OptionError;
use crate::evaluation::Evaluation;
use crate::limits::Limits;
use crate::observe::{Observer, Recorder, Recording, Silent};
use crate::params::Params;
use crate::reporter::{Reporter, no_moves};
use crate::search::{Shared, ThreadData};
use crate::table::Table;
use crate::task::Task;
use chess::{Game, Move};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use uci::Info;

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal move.
    pub best: Option<Move>,
    /// Its score from the side to move's point of view.
    pub score: Score,
    /// The last completed iteration.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The principal variation, starting with the best move.
    pub pv: Vec<Move>,
}

/// The search, on one thread: a transposition table, an evaluation and a thread's histories.
///
/// ```
/// use chess::Game;
/// use engine::{Limits, Searcher};
/// use std::sync::atomic::AtomicBool;
/// let mut searcher = Searcher::new(1)?;
/// let stop = AtomicBool::new(false);
/// let result = searcher.search(&Game::default(), Limits::nodes(2000), &stop, |info| println!("{info:?}"));
/// assert!(Game::default().position().is_legal(result.best.unwrap()));
/// # Ok::<(), engine::OptionError>(())
/// ```
pub struct Searcher {
    table: Arc<Table>,
    evaluation: Evaluation,
    params: Params,
    data: ThreadData,
}

/// Number of lines to report.
type OnInfo<'a> = &'a mut dyn FnMut(&Info<Move>);

impl Searcher {
    /// A searcher with a table of this many mebibytes and the default evaluation.
    ///
    /// # Errors
    /// If the table cannot be allocated.
    pub fn new(hash_mb: usize) -> Result<Searcher, OptionError> {
        Searcher::with_evaluation(hash_mb, Evaluation::default())
    }

    /// A searcher with a table of this many mebibytes and this evaluation.
    ///
    /// # Errors
    /// If the table cannot be allocated.
    pub fn with_evaluation(hash_mb: usize, evaluation: Evaluation) -> Result<Searcher, OptionError> {
        let table = Table::new(hash_mb).map_err(|_| OptionError::NoMemory(hash_mb))?;
        let (table, params, data) = (Arc::new(table), Params::default(), ThreadData::new());
        Ok(Searcher { table, evaluation, params, data })
    }

    /// The same searcher with other parameters.
    #[must_use]
    pub fn with_params(mut self, params: Params) -> Searcher {
        self.params = params;
        self
    }

    /// Clears the table and the histories.
    pub fn new_game(&mut self) {
        self.table.clear(1);
        self.data.clear();
    }

    /// A searcher with a tiny table, for tests.
    #[cfg(test)]
    pub(crate) fn without_table(evaluation: Evaluation) -> Searcher {
        let table = Arc::new(Table::of_one_cluster());
        Searcher { table, evaluation, params: Params::default(), data: ThreadData::new() }
    }

    /// The table, for tests.
    #[doc(hidden)]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Searches the position that a game has reached. `on_info` receives every line, the final one last. When
    /// `stop` becomes true, the search ends with its best result so far; at least one iteration is completed.
    /// `infinite` and `ponder` are ignored.
    pub fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        stop: &AtomicBool,
        mut on_info: impl FnMut(&Info<Move>),
    ) -> SearchResult {
        self.run(game, limits, Silent, Some(stop), Some(&mut on_info)).0
    }

    /// [`search`](Self::search) without a listener, up to its limits.
    pub fn search_silent(&mut self, game: &Game, limits: Limits) -> SearchResult {
        self.run(game, limits, Silent, None, None).0
    }

    /// [`search`](Self::search) that records the tree.
    pub fn trace(
        &mut self,
        game: &Game,
        limits: Limits,
        stop: &AtomicBool,
        recorder: Recorder,
    ) -> (SearchResult, Recording) {
        let (result, recorder) = self.run(game, limits, recorder, Some(stop), None);
        (result, recorder.finish())
    }

    fn run<O: Observer>(
        &mut self,
        game: &Game,
        limits: Limits,
        observer: O,
        stop: Option<&AtomicBool>,
        on_info: Option<OnInfo>,
    ) -> (SearchResult, O) {
        self.table.new_search();
        let limits = Limits { infinite: false, ponder: false, ..limits };
        let budget = Budget::new(&limits, Duration::ZERO);
        let (table, evaluation) = (Arc::clone(&self.table), self.evaluation.clone());
        let shared = Shared::new(table, evaluation, limits, budget, 1, 1, self.params.clone());
        let task = Task::new(game, &shared);
        if task.root.is_empty() {
            let score = if task.position().in_check() { Score::mated_in(0) } else { Score::ZERO };
            if let Some(on_info) = on_info {
                on_info(&no_moves(task.position(), &shared));
            }
            return (SearchResult { best: None, score, depth: 0, nodes: 0, pv: Vec::new() }, observer);
        }
        let (found, observer) = match on_info {
            None => task.run(&shared, 0, &mut self.data, observer, None, stop),
            Some(on_info) => {
                let mut reporter = Reporter::new(1, &task, &shared, |info: Info<Move>| on_info(&info));
                let mut pass_on = |info| reporter.pass_on(info);
                let (found, observer) =
                    task.run(&shared, 0, &mut self.data, observer, Some(&mut pass_on), stop);
                reporter.conclude(&found);
                (found, observer)
            }
        };
        let best = found.best();
        let mut pv = best.line();
        task.cut_at_end_of_game(&mut pv);
        let result = SearchResult {
            best: Some(best.mv),
            score: best.score,
            depth: found.depth,
            nodes: shared.total_nodes(),
            pv,
        };
        (result, observer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    #[test]
    fn forced_results_need_no_table() {
        for (fen, depth) in [
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 9),
            ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 9),
            ("6k1/R7/8/8/8/8/8/1R5K b - - 0 1", 10),
            ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 11),
            ("8/6k1/R7/8/8/8/8/1R5K b - - 0 1", 12),
            // A perpetual check, and a bishop that cannot mate alone.
            ("5rk1/5p1p/5Q2/8/8/8/q4PPP/6K1 w - - 0 1", 8),
            ("8/8/4k3/8/8/2B1K3/8/8 w - - 0 1", 6),
        ] {
            let game = Game::new(Position::from_fen(fen).unwrap());
            let score = |mut searcher: Searcher| searcher.search_silent(&game, Limits::depth(depth)).score;
            let with = score(Searcher::with_evaluation(16, Evaluation::Classical).unwrap());
            let without = score(Searcher::without_table(Evaluation::Classical));
            let same = with == without || with.0.abs().max(without.0.abs()) <= 30;
            assert!(same, "{with:?} with a table, {without:?} without in {fen}");
        }
    }
}
