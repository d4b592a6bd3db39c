//! An engine of one thread that thinks on its caller's thread: for self-play and matches inside one
//! program, where thousands of short searches run side by side and handing each to another thread would
//! cost more than the search.

use crate::Score;
use crate::clock::Budget;
use crate::engine::recent_keys;
use crate::evaluation::Evaluation;
use crate::limits::{Limits, OptionError};
use crate::observe::{Observer, Recorder, Recording, Silent};
use crate::search::{Experience, RootMove, Search, Shared};
use crate::table::Table;
use chess::{Game, Move};
use std::sync::Arc;
use std::time::Duration;

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
    experience: Experience,
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
        Ok(Solo { table: Arc::new(table), evaluation, experience: Experience::new() })
    }

    /// Forgets everything about the last game.
    pub fn new_game(&mut self) {
        self.table.clear(1);
        self.experience.clear();
    }

    /// An engine that remembers nothing but its last few nodes, for tests.
    #[cfg(test)]
    pub(crate) fn without_table(evaluation: Evaluation) -> Solo {
        Solo { table: Arc::new(Table::of_one_cluster()), evaluation, experience: Experience::new() }
    }

    /// The table, for tests that look into it.
    #[cfg(test)]
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Thinks about the position a game has reached; `None` if it has no legal move. `infinite` and
    /// `ponder` mean nothing here, since nobody could end such a search.
    pub fn think(&mut self, game: &Game, limits: Limits) -> Option<Found> {
        self.think_observed(game, limits, Silent).map(|(found, _)| found)
    }

    /// Thinks as [`think`](Self::think) does, and records the tree.
    pub fn trace(&mut self, game: &Game, limits: Limits, recorder: Recorder) -> Option<(Found, Recording)> {
        let (found, recorder) = self.think_observed(game, limits, recorder)?;
        Some((found, recorder.finish()))
    }

    fn think_observed<O: Observer>(
        &mut self,
        game: &Game,
        limits: Limits,
        observer: O,
    ) -> Option<(Found, O)> {
        let root = RootMove::all(game.position(), &limits.search_moves);
        if root.is_empty() {
            return None;
        }
        self.table.new_search();
        let limits = Limits { infinite: false, ponder: false, ..limits };
        let budget = Budget::new(&limits, Duration::ZERO);
        let shared = Shared::new(Arc::clone(&self.table), self.evaluation.clone(), limits, budget, 1, 1);
        let keys = recent_keys(game);
        let mut search = Search::new(&shared, 0, &mut self.experience, observer, None, keys, root);
        let answer = search.deepen(game.position());
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
