//! An engine of one thread that thinks on its caller's thread: for self-play and matches inside one
//! program, where thousands of short searches run side by side and handing each to another thread would
//! cost more than the search.

use crate::Score;
use crate::clock::Budget;
use crate::engine::recent_keys;
use crate::evaluation::Evaluation;
use crate::limits::{Limits, OptionError};
use crate::observe::{Observer, Recorder, Recording, Silent};
use crate::params::Params;
use crate::search::{RootMove, Search, Shared, ThreadData};
use crate::table::Table;
use chess::{Game, Move};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How often a search that can be ended from outside is looked after.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best move.
    pub best: Move,
    /// Its score from the side to move's view.
    pub score: Score,
    /// The last iteration that was finished.
    pub depth: u32,
    /// Nodes of this search.
    pub nodes: u64,
    /// The line that begins with the best move.
    pub line: Vec<Move>,
}

/// An engine of one thread.
///
/// ```
/// use chess::Game;
/// use engine::{Limits, Solo};
/// let mut solo = Solo::new(1)?;
/// let found = solo.think(&Game::default(), Limits::nodes(2000)).unwrap();
/// assert!(Game::default().position().is_legal(found.best));
/// # Ok::<(), engine::OptionError>(())
/// ```
pub struct Solo {
    table: Arc<Table>,
    evaluation: Evaluation,
    params: Params,
    data: ThreadData,
}

impl Solo {
    /// An engine with a table of this many mebibytes.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(hash_mb: usize) -> Result<Solo, OptionError> {
        Solo::with_evaluation(hash_mb, Evaluation::default())
    }

    /// An engine with a table of this many mebibytes that judges positions in this way.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn with_evaluation(hash_mb: usize, evaluation: Evaluation) -> Result<Solo, OptionError> {
        let table = Table::new(hash_mb).map_err(|_| OptionError::NoMemory(hash_mb))?;
        Ok(Solo { table: Arc::new(table), evaluation, params: Params::default(), data: ThreadData::new() })
    }

    /// The same engine with other parameters of the search.
    #[must_use]
    pub fn with_params(mut self, params: Params) -> Solo {
        self.params = params;
        self
    }

    /// Forgets everything about the last game.
    pub fn new_game(&mut self) {
        self.table.clear(1);
        self.data.clear();
    }

    /// An engine that remembers nothing but its last few nodes, for tests.
    #[cfg(test)]
    pub(crate) fn without_table(evaluation: Evaluation) -> Solo {
        Solo {
            table: Arc::new(Table::of_one_cluster()),
            evaluation,
            params: Params::default(),
            data: ThreadData::new(),
        }
    }

    /// The table, for tests that look into it.
    #[cfg(test)]
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Thinks about the position a game has reached; `None` if it has no legal move. `infinite` and
    /// `ponder` mean nothing here, since nobody could end such a search.
    pub fn think(&mut self, game: &Game, limits: Limits) -> Option<Found> {
        self.think_observed(game, limits, Silent, None).map(|(found, _)| found)
    }

    /// Thinks as [`think`](Self::think) does, and records the tree. When `interrupt` becomes true, the search
    /// ends with what the last whole iteration has found.
    pub fn trace(
        &mut self,
        game: &Game,
        limits: Limits,
        recorder: Recorder,
        interrupt: &AtomicBool,
    ) -> Option<(Found, Recording)> {
        let (found, recorder) = self.think_observed(game, limits, recorder, Some(interrupt))?;
        Some((found, recorder.finish()))
    }

    fn think_observed<O: Observer>(
        &mut self,
        game: &Game,
        limits: Limits,
        observer: O,
        interrupt: Option<&AtomicBool>,
    ) -> Option<(Found, O)> {
        let root = RootMove::all(game.position(), &limits.search_moves);
        if root.is_empty() {
            return None;
        }
        self.table.new_search();
        let limits = Limits { infinite: false, ponder: false, ..limits };
        let budget = Budget::new(&limits, Duration::ZERO);
        let shared = Shared::new(
            Arc::clone(&self.table),
            self.evaluation.clone(),
            limits,
            budget,
            1,
            1,
            self.params.clone(),
        );
        let keys = recent_keys(game);
        let mut search = Search::new(&shared, 0, &mut self.data, observer, None, keys, root);
        let answer = match interrupt {
            None => search.deepen(game.position()),
            Some(interrupt) => stoppable(&shared, interrupt, || search.deepen(game.position())),
        };
        let best = answer.best();
        let found = Found {
            best: best.mv,
            score: best.score,
            depth: answer.depth,
            nodes: shared.total_nodes(),
            line: best.line(),
        };
        Some((found, search.observer))
    }
}

/// Runs a search while another thread looks whether somebody wants it to end: at its nodes the search reads no
/// flag but its own. Where the system gives no thread, the search ends at its limits.
fn stoppable<T>(shared: &Shared, interrupt: &AtomicBool, search: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    let watch = || {
        while !done.load(Ordering::Acquire) {
            if interrupt.load(Ordering::Relaxed) {
                return shared.stop();
            }
            thread::park_timeout(LOOK_EVERY);
        }
    };
    thread::scope(|scope| {
        let watcher = thread::Builder::new().name("watcher".to_owned()).spawn_scoped(scope, watch).ok();
        let _release =
            Release { done: &done, watcher: watcher.as_ref().map(|watcher| watcher.thread().clone()) };
        search()
    })
}

/// Lets the watcher of a search go, also when the search panicked.
struct Release<'a> {
    done: &'a AtomicBool,
    watcher: Option<thread::Thread>,
}

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Release);
        if let Some(watcher) = &self.watcher {
            watcher.unpark();
        }
    }
}
