//! The engine's public interface, used by UCI, the studio, matches and tests. It never prints and never reads
//! input.
//!
//! [`options`] holds its options, [`running`] a search in progress, [`vote`] the choice among the threads'
//! results, [`pool`] the threads.

mod options;
mod pool;
mod running;
mod vote;

pub use options::{Busy, HASH_MB, MOVE_OVERHEAD_MS, MULTI_PV, NODES_PER_MS, OptionError, Options, THREADS};

use crate::clock::Budget;
use crate::evaluation::{
    Evaluation, EvaluationKind, Explanation, NetworkBoard, embedded, explain, has_bare_king,
};
use crate::event::SearchEvent;
use crate::limits::Limits;
use crate::observe::{Observer, Silent, StatisticsCounter};
use crate::params::Params;
use crate::search::{Shared, ThreadData};
use crate::strength::Handicap;
use crate::sync;
use crate::table::Table;
use crate::tablebase::TableAccess;
use crate::task::Task;
use crate::{Mutant, mutants};
use chess::{Game, Move, Position};
use nnue::Network;
use pool::Pool;
use running::Running;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use support::sync::lock;
use tables::Tablebases;
use uci::{BestMove, Bound, Info};

/// Engines take memory and threads one after the other: what one has found free is not taken by another meanwhile.
static STARTING: Mutex<()> = Mutex::new(());

/// How often [`Engine::search`] checks whether it has been stopped.
const STOP_INTERVAL: Duration = Duration::from_millis(10);

/// A chess engine: the search on any number of threads, with options, strength limit and ponder.
///
/// [`go`](Self::go) searches in the background and reports to a listener, [`search`](Self::search) blocks.
///
/// ```
/// use chess::Game;
/// use engine::{Engine, Limits};
/// use std::sync::atomic::AtomicBool;
///
/// let mut engine = Engine::new();
/// engine.set_option("Hash", Some("4"))?;
/// let stop = AtomicBool::new(false);
/// let answer = engine.search(&Game::default(), Limits::depth(5), &stop, |info| println!("{info:?}"))?;
/// assert!(Game::default().position().is_legal(answer.best.unwrap()));
/// # Ok::<(), engine::OptionError>(())
/// ```
pub struct Engine {
    options: Options,
    /// The network, if there is one.
    network: Option<Arc<Network>>,
    /// The description in the network's file.
    network_description: Option<String>,
    /// The selected evaluation; by default the network, if there is one.
    chosen_evaluation: Option<EvaluationKind>,
    table: Arc<Table>,
    /// Tablebases, if there are any.
    tables: Option<Arc<Tablebases>>,
    pool: Pool,
    params: Params,
    /// The running search, or the last one of this game.
    current: Option<Arc<Running>>,
    /// What is kept of the last search of this game when `current` was dropped.
    last: Option<LastSearch>,
    /// Seed of the choices at limited strength.
    seed: u64,
}

/// What is kept of a finished search.
struct LastSearch {
    evaluation: Evaluation,
    /// Strength was limited.
    is_limited: bool,
    left_on_node_clock: Option<Duration>,
}

impl Engine {
    /// An engine with default options.
    ///
    /// # Panics
    /// Where [`try_new`](Self::try_new) fails.
    pub fn new() -> Engine {
        Engine::try_new().unwrap_or_else(|error| panic!("{error}"))
    }

    /// An engine with default options and this evaluation.
    ///
    /// # Panics
    /// Where [`try_with_evaluation`](Self::try_with_evaluation) fails.
    pub fn with_evaluation(evaluation: Evaluation) -> Engine {
        Engine::try_with_evaluation(evaluation).unwrap_or_else(|error| panic!("{error}"))
    }

    /// An engine with default options.
    ///
    /// # Errors
    /// The system has no thread, or no memory for a hash table of 16 MiB.
    pub fn try_new() -> Result<Engine, OptionError> {
        let mut engine = Engine::try_with_evaluation(Evaluation::default())?;
        engine.chosen_evaluation = None;
        Ok(engine)
    }

    /// An engine with default options and this evaluation.
    ///
    /// # Errors
    /// The system has no thread, or no memory for a hash table of 16 MiB.
    pub fn try_with_evaluation(evaluation: Evaluation) -> Result<Engine, OptionError> {
        let chosen_evaluation = Some(evaluation.kind());
        let options = Options { evaluation: evaluation.kind(), ..Options::default() };
        let network = match evaluation {
            Evaluation::Network(network) => Some(network),
            Evaluation::Classical => embedded(),
        };
        let Options { hash_mb, threads, .. } = options;
        let _turn = lock(&STARTING);
        let table = Arc::new(Table::new(hash_mb).map_err(|_| OptionError::NoMemory(hash_mb))?);
        let pool = Pool::new(threads, &options.numa.placement(threads))
            .map_err(|_| OptionError::NoThreads(threads))?;
        // Seeded by the clock, so that games differ.
        let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        let params = Params::default();
        Ok(Engine {
            options,
            network,
            network_description: None,
            chosen_evaluation,
            table,
            tables: None,
            pool,
            params,
            current: None,
            last: None,
            seed,
        })
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether a search is running, that is, its best move has not been reported yet.
    pub fn is_searching(&self) -> bool {
        self.current.as_ref().is_some_and(|running| !running.shared.signals.is_finished())
    }

    fn idle(&self) -> Result<(), Busy> {
        if self.is_searching() { Err(Busy) } else { Ok(()) }
    }

    /// The evaluation in use.
    pub fn evaluation(&self) -> Evaluation {
        match (self.options.evaluation, &self.network) {
            (EvaluationKind::Network, Some(network)) => Evaluation::Network(Arc::clone(network)),
            _ => Evaluation::Classical,
        }
    }

    /// The network, whether it is in use or not, and the description in its file.
    pub fn network(&self) -> Option<(Arc<Network>, String)> {
        let network = self.network.clone()?;
        let built_in = || nnue::embedded().ok().flatten().filter(|(other, _)| Arc::ptr_eq(other, &network));
        let description = self.network_description.clone();
        let description = description.or_else(|| built_in().map(|(_, label)| label.description));
        Some((network, description.unwrap_or_default()))
    }

    /// Clears the transposition table.
    ///
    /// # Errors
    /// If a search is running.
    pub fn clear_hash(&mut self) -> Result<(), Busy> {
        self.idle()?;
        self.pool.wait();
        self.table.clear(self.pool.len());
        Ok(())
    }

    /// Clears the transposition table and all histories for a new game.
    ///
    /// # Errors
    /// If a search is running.
    pub fn new_game(&mut self) -> Result<(), Busy> {
        self.idle()?;
        self.seed = self.seed.wrapping_add(1);
        (self.current, self.last) = (None, None);
        if !mutants::active(Mutant::StaleHash) {
            self.forget();
        }
        Ok(())
    }

    /// Drops the shared state of the last search, which has ended, most of all its hash table; keeps what later searches
    /// need of it.
    fn release_search(&mut self) {
        if let Some(running) = self.current.take() {
            self.last = Some(LastSearch {
                evaluation: running.shared.evaluation.clone(),
                is_limited: running.handicap.is_some(),
                left_on_node_clock: running.shared.left_on_node_clock(),
            });
        }
    }

    /// Clears the table and every thread's histories.
    fn forget(&self) {
        // First the threads, since a late one may still write to the table.
        self.pool.clear();
        self.table.clear(self.pool.len());
    }

    /// Starts a search of the position that a game has reached. The listener is called on another thread; the
    /// last event is the best move.
    ///
    /// # Errors
    /// If a search is running, which continues.
    pub fn go(
        &mut self,
        game: &Game,
        limits: Limits,
        mut listener: impl FnMut(&SearchEvent) + Send + 'static,
    ) -> Result<(), Busy> {
        self.idle()?;
        let turn = game.position().turn();
        let listener = move |event: &SearchEvent| listener(&mutants::reported(event, turn));
        self.release_search();
        let last = self.last.take();
        let limits = self.on_node_clock(limits, last.as_ref());
        self.table.new_search();
        let budget = Budget::new(&limits, self.options.move_overhead);
        let Options { multi_pv, limit_strength, elo, .. } = self.options;
        let handicap = (limit_strength && !limits.infinite).then(|| Handicap::new(elo, game, self.seed));
        let (limits, lines, threads) = match &handicap {
            Some(handicap) => (handicap.limit(limits), handicap.lines.max(multi_pv), 1),
            None => (limits, multi_pv, self.pool.len()),
        };
        let evaluation = handicap.as_ref().map_or_else(|| self.evaluation(), Handicap::evaluation);
        // Scores of another evaluation, or of limited strength, must not be reused.
        let is_other =
            |last: &LastSearch| !last.evaluation.is(&evaluation) || last.is_limited != handicap.is_some();
        if last.as_ref().is_some_and(is_other) {
            self.forget();
        }
        let (table, params) = (Arc::clone(&self.table), self.params.clone());
        // A limited strength does not play endgames perfectly.
        let tables = if handicap.is_some() { None } else { self.table_access() };
        let shared =
            Shared::new(table, evaluation, limits, budget, lines, threads, params).with_tables(tables);
        let running = Arc::new(Running::new(shared, handicap, multi_pv));
        self.current = Some(Arc::clone(&running));
        if self.options.collect_statistics {
            self.start::<StatisticsCounter>(&running, game, listener);
        } else {
            self.start::<Silent>(&running, game, listener);
        }
        Ok(())
    }

    /// The tablebases as the options say.
    fn table_access(&self) -> Option<TableAccess> {
        let Options { syzygy_probe_limit, syzygy_probe_depth, syzygy_50_move_rule, .. } = self.options;
        let tables = self.tables.as_ref().filter(|tables| tables.failure().is_none())?;
        TableAccess::new(tables, syzygy_probe_limit, syzygy_probe_depth, syzygy_50_move_rule)
    }

    /// The same limits on the engine's own clock where clocks count nodes. It starts with the clock of a game's first
    /// search; a later one has what the search before it left.
    fn on_node_clock(&self, mut limits: Limits, last: Option<&LastSearch>) -> Limits {
        limits.nodes_per_ms = self.options.nodes_per_ms;
        let left = last.and_then(|last| last.left_on_node_clock);
        if let (Some(clock), Some(left)) = (&mut limits.clock, left.filter(|_| limits.nodes_per_ms > 0)) {
            clock.remaining = left;
        }
        limits
    }

    /// Starts the search on the first thread, which starts the others.
    fn start<O: Observer + Default + 'static>(
        &self,
        running: &Arc<Running>,
        game: &Game,
        listener: impl FnMut(&SearchEvent) + Send + 'static,
    ) {
        let (send, reports) = channel();
        let helpers = self.pool.inboxes(1..running.shared.threads());
        let (leader, game) = (Arc::clone(running), game.clone());
        self.pool.run(0, move |data| {
            let task = Arc::new(Task::new(&game, &leader.shared));
            let (helped, shared_task) = (&leader, &task);
            let start_helpers = move || {
                for (id, inbox) in (1..).zip(helpers) {
                    // With many threads even that takes time.
                    if helped.shared.is_stopped() {
                        break;
                    }
                    let (running, task, send) = (Arc::clone(helped), Arc::clone(shared_task), send.clone());
                    inbox.give(move |data| running.help(&task, id, data, O::default(), &send));
                }
            };
            leader.lead(&task, data, O::default(), start_helpers, &reports, listener);
        });
    }

    /// Searches and waits for the best move. `on_info` is called on this thread. When `stop` becomes true,
    /// the search ends with what it has found.
    ///
    /// # Errors
    /// If a search is running, which continues.
    pub fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        stop: &AtomicBool,
        mut on_info: impl FnMut(&Info<Move>),
    ) -> Result<BestMove<Move>, Busy> {
        let (send, events) = channel();
        self.go(game, limits, move |event| {
            let _ = send.send(event.clone());
        })?;
        let mut answer = BestMove::default();
        loop {
            match events.recv_timeout(STOP_INTERVAL) {
                Ok(SearchEvent::Info(info)) => on_info(&info),
                Ok(SearchEvent::BestMove(best)) => answer = best,
                Ok(SearchEvent::Statistics(_)) | Err(RecvTimeoutError::Timeout) => {}
                // The listener is dropped with the search.
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stop.load(Ordering::Relaxed) {
                self.stop();
            }
        }
        self.wait();
        Ok(answer)
    }

    /// Searches and returns the best lines, at most as many as there are legal moves, the best one first.
    ///
    /// ```
    /// use engine::{Engine, Limits};
    /// let game = chess::Game::new("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1".parse()?);
    /// let lines = Engine::try_new()?.analyse(&game, Limits::depth(4), 2)?;
    /// assert_eq!(lines.len(), 2);
    /// assert_eq!(lines[0].pv[0].to_string(), "g5g7");
    /// assert_eq!(lines[0].score, Some(uci::Score::Mate(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a search is running, or the number of lines is out of range.
    pub fn analyse(
        &mut self,
        game: &Game,
        limits: Limits,
        lines: usize,
    ) -> Result<Vec<Info<Move>>, OptionError> {
        let before = self.options.multi_pv;
        self.set_multi_pv(lines)?;
        let mut best: Vec<Info<Move>> = Vec::new();
        let found = self.search(game, limits, &AtomicBool::new(false), |info| {
            let place = info.multipv.map_or(0, |number| number.saturating_sub(1) as usize);
            if info.bound != Bound::Exact || info.pv.is_empty() || place > best.len() {
                return;
            }
            match best.get_mut(place) {
                Some(line) => *line = info.clone(),
                None => best.push(info.clone()),
            }
        });
        self.set_multi_pv(before)?;
        found?;
        Ok(best)
    }

    /// Stops the search, if there is one. The best move follows at once.
    pub fn stop(&self) {
        if let Some(running) = &self.current {
            running.shared.signals.release();
        }
    }

    /// `ponderhit`: the expected move was played.
    pub fn ponderhit(&self) {
        if let Some(running) = &self.current {
            running.shared.ponderhit();
        }
    }

    /// Nodes of the running search, or of the last one.
    pub fn nodes(&self) -> u64 {
        self.current.as_ref().map_or(0, |running| running.shared.total_nodes())
    }

    /// Waits until the best move has been reported.
    pub fn wait(&self) {
        if let Some(running) = &self.current {
            running.shared.signals.wait_until_finished();
        }
    }

    /// The static evaluation of a position, term by term or piece by piece.
    pub fn evaluate(&self, position: &Position) -> Explanation {
        match self.evaluation() {
            Evaluation::Network(network) if !has_bare_king(position) => {
                Explanation::Network(Box::new(NetworkBoard::new(&network, position)))
            }
            _ => Explanation::Classical(explain(position)),
        }
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clock;

    /// The lines that are reported for the start position, and whether there were statistics.
    fn lines(threads: usize, limits: Limits) -> (Vec<Info<Move>>, bool) {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        engine.set_threads(threads).unwrap();
        engine.collect_statistics(true).unwrap();
        let (send, events) = channel();
        engine.go(&Game::default(), limits, move |event| send.send(event.clone()).unwrap()).unwrap();
        let (mut lines, mut counted) = (Vec::new(), false);
        for event in events {
            match event {
                SearchEvent::Info(info) => lines.push(info),
                SearchEvent::Statistics(_) => counted = true,
                SearchEvent::BestMove(_) => {}
            }
        }
        (lines, counted)
    }

    #[test]
    fn engine_searches_again_after_a_panic() {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        let panicking = |_: &SearchEvent| std::panic::resume_unwind(Box::new(()));
        engine.go(&Game::default(), Limits::depth(1), panicking).unwrap();
        engine.wait();
        let stop = AtomicBool::new(false);
        let answer = engine.search(&Game::default(), Limits::depth(1), &stop, |_| {}).unwrap();
        assert!(answer.best.is_some());
    }

    #[test]
    fn helpers_start_after_first_line() {
        let (alone, _) = lines(1, Limits::depth(1));
        for limits in [Limits::depth(1), Limits::depth(7), Limits::nodes(5000)] {
            let (lines, counted) = lines(8, limits);
            assert_eq!((lines[0].depth, lines[0].nodes), (Some(1), alone[0].nodes));
            assert!(counted);
        }
    }

    /// Plays both sides of a game on the clock, and returns the moves and the nodes of each.
    fn moves_on_node_clock(nodes_per_ms: u32) -> Vec<(Option<Move>, Option<u64>)> {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        engine.set_nodes_per_ms(nodes_per_ms).unwrap();
        let mut game = Game::default();
        let mut moves = Vec::new();
        for _ in 0..12 {
            // A clock that runs much faster than the nodes do is ignored after the first move.
            let clock = Clock {
                remaining: Duration::from_millis(if moves.is_empty() { 500 } else { 1 }),
                increment: Duration::from_millis(5),
                moves_to_go: None,
            };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let mut nodes = None;
            let answer = engine
                .search(&game, limits, &AtomicBool::new(false), |info| nodes = info.nodes.or(nodes))
                .unwrap();
            moves.push((answer.best, nodes));
            game.play(answer.best.unwrap());
        }
        moves
    }

    #[test]
    fn games_on_a_node_clock_repeat_themselves() {
        let moves = moves_on_node_clock(100);
        assert_eq!(moves, moves_on_node_clock(100));
        let nodes: Vec<u64> = moves.iter().filter_map(|&(_, nodes)| nodes).collect();
        let (sum, given) = (nodes.iter().sum::<u64>(), 100 * (500 + 12 * 5));
        assert!(sum < given + 1024 && nodes.iter().all(|&nodes| nodes > 500), "{nodes:?}");
        assert!(nodes[0] > nodes[11], "less is left: {nodes:?}");
    }

    #[test]
    fn move_time_is_counted_in_nodes() {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        engine.set_nodes_per_ms(10).unwrap();
        engine.set_move_overhead(Duration::ZERO).unwrap();
        let (stop, mut nodes) = (AtomicBool::new(false), None);
        let limits = Limits::move_time(Duration::from_secs(2));
        engine.search(&Game::default(), limits, &stop, |info| nodes = info.nodes.or(nodes)).unwrap();
        // The last line may be from an iteration that ended before; the limit is checked every 1024 nodes.
        assert!(nodes.is_some_and(|nodes| (5_000..=20_480).contains(&nodes)), "{nodes:?}");
    }

    #[test]
    fn search_blocks_until_it_is_stopped() {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        let stop = AtomicBool::new(false);
        let answer = engine.search(&Game::default(), Limits::depth(100), &stop, |info| {
            stop.store(info.depth >= Some(3), Ordering::Relaxed);
        });
        assert!(answer.unwrap().best.is_some() && !engine.is_searching());
        let limits = Limits { infinite: true, ..Limits::default() };
        assert!(engine.search(&Game::default(), limits, &stop, |_| {}).unwrap().best.is_some());
    }
}
