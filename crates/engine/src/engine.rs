//! The engine as its clients see it: UCI, the studio, matches and tests all use this one interface. It
//! never prints and never reads.

use crate::clock::Budget;
use crate::evaluation::{
    Evaluation, EvaluationKind, Explanation, NetworkBoard, embedded, explain, has_bare_king,
};
use crate::event::{Event, Iteration};
use crate::limits::{Busy, HASH_MB, Limits, MOVE_OVERHEAD_MS, MULTI_PV, OptionError, Options, THREADS};
use crate::observe::{Counters, Observer, Silent, Statistics};
use crate::params::Params;
use crate::pool::Pool;
use crate::search::{Answer, RootMove, Search, Shared, ThreadData, report};
use crate::strength::{ELO, Handicap};
use crate::table::Table;
use crate::{Bound, Mutant, Score, mutants};
use chess::{Game, Move, Position};
use nnue::Network;
use std::ops::RangeInclusive;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A chess engine.
///
/// ```
/// use chess::Game;
/// use engine::{Engine, Event, Limits};
/// use std::sync::mpsc::channel;
///
/// let mut engine = Engine::new();
/// let (send, events) = channel();
/// engine.go(&Game::default(), Limits::depth(5), move |event| { let _ = send.send(event.clone()); })?;
/// let best = events.iter().find_map(|event| match event {
///     Event::BestMove { best, .. } => best,
///     _ => None,
/// });
/// assert!(Game::default().position().is_legal(best.unwrap()));
/// # Ok::<(), engine::Busy>(())
/// ```
pub struct Engine {
    options: Options,
    /// The network to judge by, if there is one.
    network: Option<Arc<Network>>,
    /// What shall judge; if nobody has said it, a network if there is one.
    judge: Option<EvaluationKind>,
    table: Arc<Table>,
    pool: Pool,
    params: Params,
    current: Option<Arc<Running>>,
    /// What makes games below full strength differ from each other.
    seed: u64,
}

/// A search that was started.
struct Running {
    shared: Shared,
    /// Who chooses the move, if not the search alone.
    handicap: Option<Handicap>,
    /// How many lines the listener wants.
    lines: usize,
    state: Mutex<State>,
    /// Told whenever the state or a flag of `shared` changes.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    finished: bool,
}

impl Running {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the answer may be given.
    fn wait_for_permission(&self) {
        let mut state = self.state();
        while self.shared.must_wait() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for a time, or until somebody wants the answer. That a limit has ended the search is no reason to hurry.
    fn pause(&self, time: Duration) {
        let end = Instant::now() + time;
        let mut state = self.state();
        while !self.shared.is_released() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn finish(&self) {
        self.state().finished = true;
        self.changed.notify_all();
    }

    fn wait_until_finished(&self) {
        let mut state = self.state();
        while !state.finished {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// What a thread sends to the first one when it has ended.
type Report = (Answer, Option<Statistics>);

/// How long the answer waits for what the helping threads found. They stop at their next node; but where there are
/// more threads than processors, one may get none for longer than there is time.
const PATIENCE: Duration = Duration::from_millis(10);

impl Engine {
    /// An engine with default options.
    ///
    /// # Panics
    /// If the system gives neither one thread nor 16 MB of memory.
    pub fn new() -> Engine {
        let mut engine = Engine::with_evaluation(Evaluation::default());
        engine.judge = None;
        engine
    }

    /// An engine with default options that judges positions in this way.
    ///
    /// # Panics
    /// If the system gives neither one thread nor 16 MB of memory.
    pub fn with_evaluation(evaluation: Evaluation) -> Engine {
        let judge = Some(evaluation.kind());
        let options = Options { evaluation: evaluation.kind(), ..Options::default() };
        let network = match evaluation {
            Evaluation::Network(network) => Some(network),
            Evaluation::Classical => embedded(),
        };
        let table = Table::new(options.hash_mb).expect("there is memory for a small table");
        let pool = Pool::new(options.threads).expect("the system gives a thread");
        // The clock is as good a seed as any: games shall differ.
        let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        let (table, params) = (Arc::new(table), Params::default());
        Engine { options, network, judge, table, pool, params, current: None, seed }
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether a search is running: its best move has not been told yet.
    pub fn is_thinking(&self) -> bool {
        self.current.as_ref().is_some_and(|running| !running.state().finished)
    }

    fn idle(&self) -> Result<(), Busy> {
        if self.is_thinking() { Err(Busy) } else { Ok(()) }
    }

    /// Sets the size of the table, which is empty afterwards.
    ///
    /// # Errors
    /// The old table stays when there is no memory for the new one, the size is out of range, or a search
    /// is running.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), OptionError> {
        self.idle()?;
        check(mebibytes, &HASH_MB)?;
        self.table = Arc::new(Table::new(mebibytes).map_err(|_| OptionError::NoMemory(mebibytes))?);
        self.options.hash_mb = mebibytes;
        Ok(())
    }

    /// Sets the number of threads that search.
    ///
    /// # Errors
    /// The old threads stay when the system refuses new ones, the number is out of range, or a search is
    /// running.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), OptionError> {
        self.idle()?;
        check(threads, &THREADS)?;
        self.pool = Pool::new(threads).map_err(|_| OptionError::NoThreads(threads))?;
        self.options.threads = threads;
        Ok(())
    }

    /// Sets how many best lines are told.
    ///
    /// # Errors
    /// If the number is out of range or a search is running.
    pub fn set_multi_pv(&mut self, lines: usize) -> Result<(), OptionError> {
        self.idle()?;
        check(lines, &MULTI_PV)?;
        self.options.multi_pv = lines;
        Ok(())
    }

    /// Sets how much time is lost between an answer and the clock.
    ///
    /// # Errors
    /// If it is out of range or a search is running.
    pub fn set_move_overhead(&mut self, overhead: Duration) -> Result<(), OptionError> {
        self.idle()?;
        let (least, most) = (*MOVE_OVERHEAD_MS.start() as usize, *MOVE_OVERHEAD_MS.end() as usize);
        check(usize::try_from(overhead.as_millis()).unwrap_or(usize::MAX), &(least..=most))?;
        self.options.move_overhead = overhead;
        Ok(())
    }

    /// Sets whether searches report what happened inside.
    ///
    /// # Errors
    /// If a search is running.
    pub fn collect_statistics(&mut self, collect: bool) -> Result<(), OptionError> {
        self.idle()?;
        self.options.collect_statistics = collect;
        Ok(())
    }

    /// Sets whether to play below full strength: [`set_elo`](Self::set_elo) says how far. Analysis without end
    /// is not held back.
    ///
    /// # Errors
    /// If a search is running.
    pub fn set_limit_strength(&mut self, limit: bool) -> Result<(), OptionError> {
        self.idle()?;
        self.options.limit_strength = limit;
        Ok(())
    }

    /// Sets how strong to play while strength is limited.
    ///
    /// # Errors
    /// If it is out of range or a search is running.
    pub fn set_elo(&mut self, elo: u32) -> Result<(), OptionError> {
        self.idle()?;
        check(elo as usize, &ELO)?;
        self.options.elo = elo;
        Ok(())
    }

    /// The parameters of its searches.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Sets the parameters of its searches.
    ///
    /// # Errors
    /// If a search is running.
    pub fn set_params(&mut self, params: Params) -> Result<(), OptionError> {
        self.idle()?;
        self.params = params;
        Ok(())
    }

    /// Sets what makes games below full strength differ: the same seed gives the same moves. Every new game
    /// takes the next one.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Sets what judges positions, and forgets what was found by another judge.
    ///
    /// # Errors
    /// If there is no network to judge by, or a search is running.
    pub fn set_evaluation(&mut self, kind: EvaluationKind) -> Result<(), OptionError> {
        self.idle()?;
        if kind == EvaluationKind::Network && self.network.is_none() {
            return Err(OptionError::NoNetwork);
        }
        self.judge = Some(kind);
        if kind != self.options.evaluation {
            self.options.evaluation = kind;
            self.new_game()?;
        }
        Ok(())
    }

    /// Sets the network to judge by, and forgets what was found with another one. `None` is the network
    /// inside the program. A network judges unless [`set_evaluation`](Self::set_evaluation) has chosen rules.
    ///
    /// # Errors
    /// If there is none inside the program while one is needed, or a search is running.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) -> Result<(), OptionError> {
        self.idle()?;
        let network = network.or_else(embedded);
        let by_itself = if network.is_some() { EvaluationKind::Network } else { EvaluationKind::Classical };
        let kind = self.judge.unwrap_or(by_itself);
        if network.is_none() && kind == EvaluationKind::Network {
            return Err(OptionError::NoNetwork);
        }
        self.network = network;
        self.options.evaluation = kind;
        self.new_game()?;
        Ok(())
    }

    /// What judges positions.
    pub fn evaluation(&self) -> Evaluation {
        match (self.options.evaluation, &self.network) {
            (EvaluationKind::Network, Some(network)) => Evaluation::Network(Arc::clone(network)),
            _ => Evaluation::Classical,
        }
    }

    /// Empties the table.
    ///
    /// # Errors
    /// If a search is running.
    pub fn clear_hash(&mut self) -> Result<(), Busy> {
        self.idle()?;
        self.pool.wait();
        self.table.clear(self.pool.len());
        Ok(())
    }

    /// Forgets everything about the last game.
    ///
    /// # Errors
    /// If a search is running.
    pub fn new_game(&mut self) -> Result<(), Busy> {
        self.idle()?;
        self.seed = self.seed.wrapping_add(1);
        if !mutants::active(Mutant::StaleHash) {
            self.forget();
        }
        Ok(())
    }

    /// Empties the table and every thread's histories.
    fn forget(&self) {
        // First the threads: one that is late still writes into the table.
        self.pool.clear();
        self.table.clear(self.pool.len());
    }

    /// Starts to think in the background about the position a game has reached. The listener hears of it
    /// on another thread; the last event is the best move.
    ///
    /// # Errors
    /// If a search is running; it goes on.
    pub fn go(
        &mut self,
        game: &Game,
        limits: Limits,
        mut listener: impl FnMut(&Event) + Send + 'static,
    ) -> Result<(), Busy> {
        self.idle()?;
        let turn = game.position().turn();
        let listener = move |event: &Event| listener(&mutants::told(event, turn));
        self.table.new_search();
        let budget = Budget::new(&limits, self.options.move_overhead);
        let Options { multi_pv, limit_strength, elo, .. } = self.options;
        let handicap = (limit_strength && !limits.infinite).then(|| Handicap::new(elo, game, self.seed));
        let (limits, lines, threads) = match &handicap {
            Some(handicap) => (handicap.limit(limits), handicap.lines.max(multi_pv), 1),
            None => (limits, multi_pv, self.pool.len()),
        };
        let evaluation = handicap.as_ref().map_or_else(|| self.evaluation(), Handicap::evaluation);
        // Who judges otherwise, or stops or begins to be held back, does not remember what the other one found.
        let is_another = |last: &Arc<Running>| {
            !last.shared.evaluation.is(&evaluation) || last.handicap.is_some() != handicap.is_some()
        };
        if self.current.as_ref().is_some_and(is_another) {
            self.forget();
        }
        let shared = Shared::new(
            Arc::clone(&self.table),
            evaluation,
            limits,
            budget,
            lines,
            threads,
            self.params.clone(),
        );
        let running = Arc::new(Running {
            shared,
            handicap,
            lines: multi_pv,
            state: Mutex::new(State::default()),
            changed: Condvar::new(),
        });
        self.current = Some(Arc::clone(&running));
        if self.options.collect_statistics {
            self.start::<Counters>(&running, game, listener);
        } else {
            self.start::<Silent>(&running, game, listener);
        }
        Ok(())
    }

    /// Hands the search to the first thread. It tells, calls the others, collects what they found, and answers.
    fn start<O: Observer + Default + 'static>(
        &self,
        running: &Arc<Running>,
        game: &Game,
        listener: impl FnMut(&Event) + Send + 'static,
    ) {
        let (send, reports): (Sender<Report>, Receiver<Report>) = channel();
        let wanted = &running.shared.limits.search_moves;
        let wanted = if mutants::active(Mutant::SearchMovesIgnored) { &[][..] } else { wanted };
        let root = RootMove::all(game.position(), wanted);
        let task = Arc::new(Task { position: *game.position(), keys: recent_keys(game), root });
        let (helped, its_task) = (Arc::clone(running), Arc::clone(&task));
        let helpers = self.pool.inboxes(1..running.shared.threads());
        let call_helpers = move || {
            for (id, inbox) in (1..).zip(helpers) {
                // With many of them even that takes time.
                if helped.shared.is_stopped() {
                    break;
                }
                let (running, task, send) = (Arc::clone(&helped), Arc::clone(&its_task), send.clone());
                inbox.give(move |data| {
                    let report = task.search(&running.shared, id, data, O::default(), None);
                    // The first thread has gone away only if it panicked.
                    let _ = send.send(report);
                });
            }
        };
        let leader = Arc::clone(running);
        self.pool.run(0, move |data| {
            let guard = FinishOnDrop(&leader);
            task.lead(&leader, data, O::default(), call_helpers, &reports, listener);
            drop(guard);
        });
    }

    /// Ends the search, if there is one: the best move follows at once.
    pub fn stop(&self) {
        if let Some(running) = &self.current {
            let _state = running.state();
            running.shared.release();
            running.changed.notify_all();
        }
    }

    /// The move that was pondered on has been played.
    pub fn ponderhit(&self) {
        if let Some(running) = &self.current
            && running.shared.is_pondering()
        {
            let _state = running.state();
            running.shared.ponderhit();
            running.changed.notify_all();
        }
    }

    /// The static evaluation of a position for people to read, term by term or man by man.
    pub fn evaluate(&self, position: &Position) -> Explanation {
        match self.evaluation() {
            Evaluation::Network(network) if !has_bare_king(position) => {
                Explanation::Network(Box::new(NetworkBoard::new(&network, position)))
            }
            _ => Explanation::Classical(explain(position)),
        }
    }

    /// Waits until the best move has been told.
    pub fn wait(&self) {
        if let Some(running) = &self.current {
            running.wait_until_finished();
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

/// Marks a search as finished even if it panicked, so that nobody waits for ever.
struct FinishOnDrop<'a>(&'a Running);

impl Drop for FinishOnDrop<'_> {
    fn drop(&mut self) {
        self.0.shared.stop();
        self.0.finish();
    }
}

fn check(value: usize, range: &RangeInclusive<usize>) -> Result<(), OptionError> {
    if range.contains(&value) {
        Ok(())
    } else {
        Err(OptionError::OutOfRange { least: *range.start(), most: *range.end() })
    }
}

/// The keys since the last move that cannot be taken back: no earlier position can occur again.
pub(crate) fn recent_keys(game: &Game) -> Vec<u64> {
    let reach = game.position().halfmove_clock() as usize + 1;
    let keys = game.keys();
    keys[keys.len().saturating_sub(reach)..].to_vec()
}

/// What is to be searched.
struct Task {
    position: Position,
    keys: Vec<u64>,
    root: Vec<RootMove>,
}

impl Task {
    fn search<'a, O: Observer>(
        &self,
        shared: &'a Shared,
        id: usize,
        data: &'a mut ThreadData,
        observer: O,
        tell: Option<&'a mut dyn FnMut(Event)>,
    ) -> Report {
        let mut search = Search::new(shared, id, data, observer, tell, self.keys.clone(), self.root.clone());
        let answer = search.deepen(&self.position);
        (answer, search.observer.statistics())
    }

    /// The first thread's part: search, wait for permission and for the others, answer. The others are called when there
    /// is something to tell: however many there are, they neither delay the first line nor leave a short search without one.
    fn lead<O: Observer>(
        &self,
        running: &Running,
        data: &mut ThreadData,
        observer: O,
        call_helpers: impl FnOnce(),
        reports: &Receiver<Report>,
        mut listener: impl FnMut(&Event),
    ) {
        let shared = &running.shared;
        if self.root.is_empty() {
            listener(&Event::Iteration(no_moves(&self.position, shared)));
            running.wait_for_permission();
            listener(&Event::BestMove { best: None, ponder: None });
            return;
        }
        let position = self.position;
        let mut last_told: Vec<Iteration> = Vec::new();
        let mut call_helpers = Some(call_helpers);
        let mut tell = |event| {
            // A handicapped player considers more lines than are asked for.
            if matches!(&event, Event::Iteration(line) if line.multi_pv > running.lines) {
                return;
            }
            if let Event::Iteration(iteration) = &event {
                last_told.truncate(iteration.multi_pv - 1);
                last_told.push(iteration.clone());
            }
            listener(&event);
            if let Some(call_helpers) = call_helpers.take() {
                call_helpers();
            }
        };
        let (mut own, mut statistics) = self.search(shared, 0, data, observer, Some(&mut tell));
        running.wait_for_permission();
        if let Some(handicap) = &running.handicap {
            let pace = handicap.pace(&shared.budget, &own.root, position.ply());
            running.pause(pace.saturating_sub(shared.elapsed_on_clock()));
            handicap.choose(&mut own.root);
        }
        shared.stop();
        let mut answers = vec![own];
        let patience = Instant::now() + PATIENCE;
        let soon = || reports.recv_timeout(patience.saturating_duration_since(Instant::now())).ok();
        // Statistics are those of all threads; an answer can do without some.
        let counting = statistics.is_some();
        while let Some((answer, counts)) = if counting { reports.recv().ok() } else { soon() } {
            answers.push(answer);
            if let (Some(sum), Some(part)) = (&mut statistics, counts) {
                *sum += &part;
            }
        }
        // Lines belong together: where several are told, they are those of the first thread.
        let chosen = if running.lines > 1 { &answers[0] } else { vote(&answers, shared.limits.depth) };
        let best = chosen.best().mv;
        // What was told last must be what is played and expected.
        let lines = chosen.root.iter().take(running.lines).enumerate();
        let conclusion: Vec<Iteration> = lines.map(|(line, mv)| report(shared, mv, line)).collect();
        if is_news(&last_told, &conclusion) {
            last_told = conclusion;
            for iteration in &last_told {
                listener(&Event::Iteration(iteration.clone()));
            }
        }
        if let Some(statistics) = statistics {
            listener(&Event::Statistics(Box::new(statistics)));
        }
        let expected = last_told.first().and_then(|line| line.pv.get(1).copied());
        let ponder = expected.filter(|&mv| position.after(best).is_legal(mv));
        listener(&Event::BestMove { best: Some(best), ponder });
    }
}

/// Whether what was found has still to be told after what was told last. A mere bound has not where the same move was told
/// with its exact score: another thread may have seen more of it, but nobody could say how much.
fn is_news(told: &[Iteration], found: &[Iteration]) -> bool {
    if let ([told], [found]) = (told, found)
        && (told.bound, told.pv.first()) == (Bound::Exact, found.pv.first())
        && found.bound != Bound::Exact
    {
        return false;
    }
    let says = |line: &Iteration| (line.score, line.bound, line.pv.clone());
    !told.iter().map(says).eq(found.iter().map(says))
}

/// The line of a position without legal moves.
fn no_moves(position: &Position, shared: &Shared) -> Iteration {
    let score = if position.in_check() { Score::mated_in(0) } else { Score::ZERO };
    Iteration {
        depth: 0,
        selective_depth: 0,
        multi_pv: 1,
        score,
        bound: Bound::Exact,
        wdl: shared.evaluation.kind().chances(score),
        nodes: 0,
        time: shared.elapsed(),
        hashfull: shared.table.hashfull(),
        tb_hits: 0,
        pv: Vec::new(),
    }
}

/// Chooses among what the threads found: every thread votes for its move, with more weight the deeper it
/// looked and the better its score; a proven mate decides. Of two that found the same move the deeper one tells it.
/// Where a depth was asked for, only those that reached it are listened to, if there are any; who has finished no iteration
/// has no say.
fn vote(answers: &[Answer], wanted: Option<u32>) -> &Answer {
    let reached = |answer: &Answer| wanted.is_none_or(|depth| answer.depth >= depth);
    let some_reached = answers.iter().any(reached);
    let is_heard = |answer: &&Answer| answer.depth > 0 && (!some_reached || reached(answer));
    let heard: Vec<&Answer> = answers.iter().filter(is_heard).collect();
    let least = heard.iter().map(|answer| answer.best().score.0).min().unwrap_or(0);
    let weight = |answer: &Answer| i64::from(answer.best().score.0 - least + 14) * i64::from(answer.depth);
    let votes = |mv: Move| -> i64 {
        heard.iter().filter(|answer| answer.best().mv == mv).map(|answer| weight(answer)).sum()
    };
    let mut chosen = heard.first().copied().unwrap_or(&answers[0]);
    for &answer in &heard {
        let (best, other) = (answer.best(), chosen.best());
        let better = if other.score.is_win() || best.score.is_win() {
            best.score > other.score
        } else if other.score.is_loss() != best.score.is_loss() {
            other.score.is_loss()
        } else {
            let (ours, theirs) = (votes(best.mv), votes(other.mv));
            if best.mv == other.mv { answer.depth > chosen.depth } else { ours > theirs }
        };
        if better {
            chosen = answer;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_DEPTH;
    use std::slice::from_ref;

    /// What a thread found that looked so deep and prefers one of the legal moves of the start position.
    fn answer(depth: u32, mv: usize, score: Score) -> Answer {
        let mut root = RootMove::all(&Position::startpos(), &[]);
        root.swap(0, mv);
        root[0].learn(score, Bound::Exact, depth, depth, &[]);
        Answer { root, depth }
    }

    /// The place of the answer that is chosen.
    fn chosen(answers: &[Answer], wanted: Option<u32>) -> usize {
        let chosen = vote(answers, wanted);
        answers.iter().position(|answer| std::ptr::eq(answer, chosen)).expect("one of them")
    }

    #[test]
    fn many_threads_outvote_one_that_looked_a_little_deeper() {
        let answers = [
            answer(12, 0, Score(30)),
            answer(11, 1, Score(30)),
            answer(11, 1, Score(28)),
            answer(11, 2, Score(30)),
        ];
        assert_eq!(chosen(&answers, None), 1);
        assert_eq!(chosen(&answers[..2], None), 0);
    }

    #[test]
    fn depth_and_score_give_weight() {
        assert_eq!(chosen(&[answer(10, 0, Score(20)), answer(14, 1, Score(20))], None), 1);
        assert_eq!(chosen(&[answer(10, 0, Score(20)), answer(10, 1, Score(60))], None), 1);
        assert_eq!(chosen(&[answer(10, 0, Score(20)), answer(10, 1, Score(-60))], None), 0);
    }

    #[test]
    fn of_two_that_found_the_same_move_the_deeper_one_tells_it() {
        assert_eq!(chosen(&[answer(10, 3, Score(50)), answer(12, 3, Score(10))], None), 1);
        assert_eq!(chosen(&[answer(12, 3, Score(10)), answer(10, 3, Score(50))], None), 0);
    }

    #[test]
    fn the_shortest_mate_decides_whatever_the_others_say() {
        let crowd = [
            answer(20, 0, Score(300)),
            answer(20, 0, Score(300)),
            answer(9, 1, Score::mate_in(7)),
            answer(9, 2, Score::mate_in(5)),
            answer(30, 1, Score::mate_in(9)),
        ];
        assert_eq!(chosen(&crowd, None), 3);
    }

    #[test]
    fn who_sees_a_way_out_of_a_mate_is_believed() {
        let answers =
            [answer(20, 0, Score::mated_in(6)), answer(20, 0, Score::mated_in(6)), answer(8, 1, Score(-400))];
        assert_eq!(chosen(&answers, None), 2);
        let answers =
            [answer(8, 1, Score(-400)), answer(20, 0, Score::mated_in(6)), answer(20, 0, Score::mated_in(6))];
        assert_eq!(chosen(&answers, None), 0);
    }

    #[test]
    fn only_those_who_reached_the_wanted_depth_are_listened_to_if_there_are_any() {
        let answers = [answer(9, 0, Score(80)), answer(9, 0, Score(80)), answer(10, 1, Score(10))];
        assert_eq!(chosen(&answers, Some(10)), 2);
        assert_eq!(chosen(&answers, Some(MAX_DEPTH)), 0);
    }

    /// The iterations that are told of the start position, and whether there were statistics.
    fn iterations(threads: usize, limits: Limits) -> (Vec<Iteration>, bool) {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        engine.set_threads(threads).unwrap();
        engine.collect_statistics(true).unwrap();
        let (send, events) = channel();
        engine.go(&Game::default(), limits, move |event| send.send(event.clone()).unwrap()).unwrap();
        let (mut told, mut counted) = (Vec::new(), false);
        for event in events {
            match event {
                Event::Iteration(iteration) => told.push(iteration),
                Event::Statistics(_) => counted = true,
                _ => {}
            }
        }
        (told, counted)
    }

    #[test]
    fn helpers_do_not_begin_before_the_first_line_and_are_waited_for_where_all_is_counted() {
        let (alone, _) = iterations(1, Limits::depth(1));
        for limits in [Limits::depth(1), Limits::depth(7), Limits::nodes(5000)] {
            let (told, counted) = iterations(8, limits);
            assert_eq!((told[0].depth, told[0].nodes), (1, alone[0].nodes));
            assert!(counted);
        }
    }

    #[test]
    fn the_last_word_is_what_is_played_and_no_bound_where_the_score_was_told() {
        let (mut lines, _) = iterations(1, Limits::depth(3));
        let exact = lines.swap_remove(0);
        let deeper = Iteration { depth: 9, nodes: 99, ..exact.clone() };
        let better = Iteration { score: exact.score + 30, bound: Bound::Lower, ..deeper.clone() };
        let longer = Iteration { pv: [exact.pv.clone(), vec![Move::NONE]].concat(), ..deeper.clone() };
        let other = Iteration { pv: vec![Move::NONE], ..better.clone() };
        let is_news = |told: &Iteration, found: &Iteration| is_news(from_ref(told), from_ref(found));
        assert!(!is_news(&exact, &deeper) && !is_news(&exact, &better));
        assert!(is_news(&better, &exact) && is_news(&exact, &longer) && is_news(&exact, &other));
        assert!(super::is_news(&[exact.clone(), other.clone()], &[better, other]));
    }

    /// A search of no thread, as it is when its limits have ended it.
    fn ended_by_a_limit() -> Running {
        let limits = Limits::nodes(1);
        let budget = Budget::new(&limits, Duration::ZERO);
        let table = Arc::new(Table::of_one_cluster());
        let shared = Shared::new(table, Evaluation::Classical, limits, budget, 1, 0, Params::default());
        shared.stop();
        Running {
            shared,
            handicap: None,
            lines: 1,
            state: Mutex::new(State::default()),
            changed: Condvar::new(),
        }
    }

    #[test]
    fn a_pause_is_held_when_a_limit_has_ended_the_search() {
        let (running, start) = (ended_by_a_limit(), Instant::now());
        running.pause(Duration::from_millis(20));
        assert!(start.elapsed() >= Duration::from_millis(20));
    }

    #[test]
    fn a_pause_ends_when_the_answer_is_wanted() {
        let running = ended_by_a_limit();
        running.shared.release();
        running.pause(Duration::from_hours(1));
    }

    #[test]
    fn a_thread_that_finished_nothing_has_no_say() {
        assert_eq!(chosen(&[answer(3, 0, Score(10)), answer(0, 1, Score::mate_in(3))], None), 0);
        assert_eq!(chosen(&[answer(3, 0, Score(-500)), answer(0, 1, Score::NONE)], None), 0);
        // Nor does it make the scores of the others look alike.
        let answers = [answer(11, 0, Score(20)), answer(10, 1, Score(90)), answer(0, 2, Score::NONE)];
        assert_eq!(chosen(&answers, None), 1);
    }
}
