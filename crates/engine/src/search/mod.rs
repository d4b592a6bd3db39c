//! One thread's search: the state it carries and the questions every node asks of it.
//!
//! The way of a search: [`deepen`] runs iterations with aspiration windows; [`node`] is the principal
//! variation search with its move loop; [`quiesce`] resolves captures at the leaves. What may be skipped is
//! decided in [`prune`], how deep a move is searched in [`reduce`] and [`extend`].

mod deepen;
mod extend;
mod learn;
mod node;
mod prune;
mod quiesce;
mod reduce;
mod root;
mod soundness;

pub(crate) use deepen::{ThreadResult, report};
pub(crate) use root::RootMove;
pub(crate) use soundness::{Built, Soundness};

use crate::clock::Budget;
use crate::evaluation::{Assessor, Evaluation};
use crate::observe::Observer;
use crate::order::{Before, Corrections, Features, Histories, Killers, PieceTo, ScoredMoves};
use crate::params::Params;
use crate::score::MAX_PLY;
use crate::table::{Entry, Table, table_key};
use crate::{Depth, Limits, Score};
use chess::{Move, Position, has_upcoming_repetition};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};
use std::time::Duration;
use uci::Info;

/// The kind of a node, known at compile time.
pub(crate) trait Node {
    /// The root.
    const ROOT: bool;
    /// A PV node: it is searched with a full window.
    const PV: bool;
    /// The kind of the node behind a move that is searched with the full window.
    type Child: Node;
}

/// Where the search begins.
pub(crate) enum Root {}
/// A node searched with a full window.
pub(crate) enum Pv {}
/// A node searched with a zero window.
pub(crate) enum NonPv {}

impl Node for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type Child = Pv;
}

impl Node for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
    type Child = Pv;
}

impl Node for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
    type Child = NonPv;
}

/// A counter on a cache line of its own, so that threads do not disturb each other.
#[repr(align(128))]
#[derive(Default)]
struct PaddedCounter(AtomicU64);

/// What the threads of one search share.
pub(crate) struct Shared {
    pub table: Arc<Table>,
    pub evaluation: Evaluation,
    pub limits: Limits,
    pub budget: Budget,
    pub multi_pv: usize,
    pub params: Params,
    stop: AtomicBool,
    /// Somebody outside has ended the search, so that the answer waits for nothing more.
    released: AtomicBool,
    pondering: AtomicBool,
    /// Microseconds of [`time`](Self::time) before the moment from which time counts.
    clock_start: AtomicU64,
    nodes: Box<[PaddedCounter]>,
}

impl Shared {
    pub fn new(
        table: Arc<Table>,
        evaluation: Evaluation,
        limits: Limits,
        budget: Budget,
        multi_pv: usize,
        threads: usize,
        params: Params,
    ) -> Shared {
        let pondering = AtomicBool::new(limits.ponder);
        let nodes = (0..threads).map(|_| PaddedCounter::default()).collect();
        let (stop, released, clock_start) = Default::default();
        Shared {
            table,
            evaluation,
            limits,
            budget,
            multi_pv,
            params,
            stop,
            released,
            pondering,
            clock_start,
            nodes,
        }
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Ends the search from outside: its answer is wanted.
    pub fn release(&self) {
        self.released.store(true, Relaxed);
        self.stop();
    }

    /// Whether somebody outside has ended the search.
    pub fn is_released(&self) -> bool {
        self.released.load(Relaxed)
    }

    /// The move that was pondered on was played: from now on time counts.
    pub fn ponderhit(&self) {
        self.clock_start.store(self.time().as_micros() as u64, Relaxed);
        // Who sees that pondering is over also sees since when.
        self.pondering.store(false, Release);
    }

    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Acquire)
    }

    /// Whether the answer has to wait for `stop` or `ponderhit`, even if a limit has ended the search.
    pub fn must_wait(&self) -> bool {
        (self.limits.infinite || self.is_pondering()) && !self.is_released()
    }

    /// Time since the search was asked for.
    pub fn elapsed(&self) -> Duration {
        self.limits.received.elapsed()
    }

    /// Time since the search was asked for, in nodes if it is counted so.
    fn time(&self) -> Duration {
        match self.limits.nodes_per_ms {
            0 => self.elapsed(),
            nodes => Duration::from_micros(self.total_nodes().saturating_mul(1000) / u64::from(nodes)),
        }
    }

    /// Time that counts against the clock.
    pub fn elapsed_on_clock(&self) -> Duration {
        self.time().saturating_sub(Duration::from_micros(self.clock_start.load(Relaxed)))
    }

    /// What is left for the next move on a clock that counts nodes.
    pub fn left_on_node_clock(&self) -> Option<Duration> {
        let clock = self.limits.clock.filter(|_| self.limits.nodes_per_ms > 0)?;
        Some(clock.remaining.saturating_sub(self.elapsed_on_clock()) + clock.increment)
    }

    /// Whether the node limit is reached.
    fn is_over_nodes(&self) -> bool {
        self.limits.nodes.is_some_and(|limit| self.total_nodes() >= limit)
    }

    /// Whether the hard time limit is reached.
    fn is_over_time(&self) -> bool {
        !self.is_pondering() && self.budget.hard().is_some_and(|hard| self.elapsed_on_clock() >= hard)
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.nodes.len()
    }

    /// Nodes of all threads.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}

/// What the search remembers of a ply of the present line.
#[derive(Clone, Copy)]
struct Frame {
    /// The move that is being searched here, as later plies remember it.
    moved: PieceTo,
    /// The corrected static evaluation, or `Score::NONE` in check.
    evaluation: Score,
    /// A move that is left out, while it is asked whether it is the only good one.
    excluded: Move,
    /// Quiet moves that cut off at this ply.
    killers: Killers,
    /// Whether the move being searched is a null move.
    null: bool,
    /// Cutoffs at the nodes of this ply since their common parent was entered.
    cutoffs: u32,
    /// How much the move being searched here is reduced, until the node behind it has looked.
    reduction: Depth,
    /// Extensions by more than one ply on the way here.
    double_extensions: u32,
}

impl Frame {
    const EMPTY: Frame = Frame {
        moved: PieceTo::NONE,
        evaluation: Score::NONE,
        excluded: Move::NONE,
        killers: Killers::NONE,
        null: false,
        cutoffs: 0,
        reduction: Depth::ZERO,
        double_extensions: 0,
    };
}

/// Frames before the root, so that looking back never needs a question.
const FRAMES_BEFORE_ROOT: usize = 4;

/// A line of moves.
#[derive(Clone, Copy)]
struct Line {
    moves: [Move; MAX_PLY],
    len: usize,
}

impl Line {
    const EMPTY: Line = Line { moves: [Move::NONE; MAX_PLY], len: 0 };

    fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

/// What a thread keeps from one search to the next: histories, and its stacks.
pub(crate) struct ThreadData {
    histories: Histories,
    corrections: Corrections,
    assessor: Assessor,
    lists: Box<[ScoredMoves]>,
    frames: Box<[Frame]>,
    lines: Box<[Line]>,
}

impl ThreadData {
    pub fn new() -> ThreadData {
        ThreadData {
            histories: Histories::new(),
            corrections: Corrections::new(),
            assessor: Assessor::new(&Evaluation::default()),
            lists: (0..=MAX_PLY).map(|_| ScoredMoves::new()).collect(),
            frames: vec![Frame::EMPTY; MAX_PLY + 2 * FRAMES_BEFORE_ROOT].into_boxed_slice(),
            lines: vec![Line::EMPTY; MAX_PLY + 1].into_boxed_slice(),
        }
    }

    /// Forgets the last game.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.assessor.clear();
    }
}

/// One thread's search.
pub(crate) struct Search<'a, O, S = Built> {
    shared: &'a Shared,
    id: usize,
    data: &'a mut ThreadData,
    pub observer: O,
    /// Gets the lines that are found, if anybody listens; they are not put together otherwise.
    on_info: Option<&'a mut dyn FnMut(Info<Move>)>,
    /// Ends the search when it becomes true; looked at together with the limits.
    pub interrupt: Option<&'a AtomicBool>,
    /// Keys of the game and of the present line, the present position's last.
    keys: Vec<u64>,
    /// Where in `keys` the last null move was made; repetitions do not reach across it.
    null_at: usize,
    root: Vec<RootMove>,
    /// Which of the best lines is being searched, from 0.
    line: usize,
    root_depth: u32,
    completed_depth: u32,
    nodes: u64,
    selective_depth: usize,
    /// Below this ply no null move is made, while one is being verified.
    null_move_floor: usize,
    stopped: bool,
    nodes_per_look: u64,
    soundness: PhantomData<S>,
}

/// Nodes between two looks at the clock; a power of two.
const NODES_PER_LOOK: u64 = 1024;
/// The same where time is short: a thousand nodes can take longer than there is.
const NODES_PER_HASTY_LOOK: u64 = 64;
/// Less time than this is short.
const SHORT_TIME: Duration = Duration::from_millis(20);

impl<'a, O: Observer> Search<'a, O> {
    /// A search of thread `id` that begins at the last of the positions whose keys are given.
    pub fn new(
        shared: &'a Shared,
        id: usize,
        data: &'a mut ThreadData,
        observer: O,
        on_info: Option<&'a mut dyn FnMut(Info<Move>)>,
        keys: Vec<u64>,
        root: Vec<RootMove>,
    ) -> Search<'a, O> {
        data.frames.fill(Frame::EMPTY);
        let hasty = shared.budget.hard().is_some_and(|hard| hard < SHORT_TIME);
        if !data.assessor.uses(&shared.evaluation) {
            data.assessor = Assessor::new(&shared.evaluation);
        }
        Search {
            shared,
            id,
            data,
            observer,
            on_info,
            interrupt: None,
            keys,
            null_at: 0,
            root,
            line: 0,
            root_depth: 0,
            completed_depth: 0,
            nodes: 0,
            selective_depth: 0,
            null_move_floor: 0,
            stopped: false,
            nodes_per_look: if hasty { NODES_PER_HASTY_LOOK } else { NODES_PER_LOOK },
            soundness: PhantomData,
        }
    }
}

impl<'a, O: Observer, S: Soundness> Search<'a, O, S> {
    #[inline(always)]
    fn params(&self) -> &'a Params {
        &self.shared.params
    }

    #[inline(always)]
    fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.data.frames[ply + FRAMES_BEFORE_ROOT]
    }

    /// The frame `back` plies before `ply`; an empty one before the root.
    #[inline(always)]
    fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.data.frames[ply + FRAMES_BEFORE_ROOT - back]
    }

    /// The moves that led to the node at this ply, as the histories index them.
    #[inline(always)]
    fn before(&self, ply: usize) -> Before {
        [self.earlier(ply, 1).moved, self.earlier(ply, 2).moved, self.earlier(ply, 4).moved]
    }

    #[inline(always)]
    fn features(&self, position: &Position, ply: usize) -> Features {
        Features::of(position, self.earlier(ply, 1).moved, self.earlier(ply, 2).moved)
    }

    /// Counts a node and looks, from time to time, whether the search has to end.
    #[inline(always)]
    fn enter_node(&mut self, ply: usize) {
        if S::counts_node(ply) {
            self.nodes += 1;
        }
        self.selective_depth = self.selective_depth.max(ply);
        let full = self.shared.limits.nodes.is_some_and(|limit| self.nodes >= limit);
        // With many threads a thousand nodes can take long; a stop must not wait for them.
        if full || self.nodes & (self.nodes_per_look - 1) == 0 || self.shared.is_stopped() {
            self.look_at_limits();
        }
    }

    /// Ends the search where a limit is reached. Whichever thread looks first ends it for all: where there are more
    /// threads than processors, one of them may wait long for its turn.
    #[cold]
    #[inline(never)]
    fn look_at_limits(&mut self) {
        self.shared.nodes[self.id].0.store(self.nodes, Relaxed);
        // The first iteration of the first thread is always finished, so that there is an answer. The others begin after it.
        let has_answer = self.completed_depth > 0 || self.id > 0;
        let interrupted = self.interrupt.is_some_and(|flag| flag.load(Relaxed));
        let over = S::obeys_node_limit() && self.shared.is_over_nodes() || self.shared.is_over_time();
        if has_answer && (interrupted || over) {
            self.shared.stop();
        }
        self.stopped = has_answer && self.shared.is_stopped();
    }

    /// What the table knows of a position.
    #[inline(always)]
    fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.shared.table.probe(key, S::table_ply(ply))
    }

    /// Stores an entry in the table.
    #[inline(always)]
    fn store(&self, key: u64, ply: usize, entry: Entry) {
        self.shared.table.store(key, S::table_ply(ply), entry);
    }

    /// Plays a move: what it leads to, with the line's records brought up to date.
    #[inline(always)]
    fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let moved = PieceTo::of(position, mv);
        let child = position.after(mv);
        self.shared.table.prefetch(table_key(&child));
        let frame = self.frame(ply);
        frame.moved = moved;
        frame.null = false;
        self.keys.push(child.key());
        self.data.assessor.push(position, mv);
        child
    }

    /// Goes back from the child of a move.
    #[inline(always)]
    fn unmake(&mut self) {
        self.keys.pop();
        self.data.assessor.pop();
    }

    /// How many plies back a repetition can lie.
    #[inline(always)]
    fn reach(&self, position: &Position) -> usize {
        (position.halfmove_clock() as usize).min(self.keys.len() - 1 - self.null_at)
    }

    /// The score of a draw by the rules, if there is one here. A position that occurred before inside
    /// the search counts as drawn at once: what was best the first time would be best again.
    #[inline]
    fn drawn(&self, position: &Position, ply: usize) -> Option<Score> {
        if S::is_fifty_move_draw(position.halfmove_clock()) {
            // Mate on the hundredth ply takes precedence.
            if !position.in_check() || position.has_legal_move() {
                return Some(self.draw_score());
            }
        }
        if position.is_insufficient_material() {
            return Some(Score::ZERO);
        }
        self.is_repetition(position, ply).then(|| self.draw_score())
    }

    #[inline]
    fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        if !S::sees_repetitions() {
            return false;
        }
        let (key, current) = (position.key(), self.keys.len() - 1);
        let mut before_root = 0;
        let mut back = 4;
        let reach = self.reach(position);
        while back <= reach {
            if self.keys[current - back] == key {
                if back < ply {
                    return true;
                }
                before_root += 1;
                if before_root == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// Whether the side to move can return to a position of this search's line behind the root, which would be a draw
    /// at once.
    #[inline]
    fn can_repeat(&self, position: &Position, ply: usize) -> bool {
        S::sees_repetitions()
            && has_upcoming_repetition(position, &self.keys, self.reach(position).min(ply.saturating_sub(1)))
    }

    /// Draws differ by a hair from node to node, so that the search does not go blind for lines in which
    /// every path is a draw.
    #[inline(always)]
    fn draw_score(&self) -> Score {
        Score((self.nodes & 2) as i32 - 1)
    }

    /// The static evaluation before correction.
    #[inline(always)]
    fn raw_evaluation(&mut self, position: &Position) -> Score {
        let value = self.data.assessor.evaluate(position);
        Score::evaluation(S::evaluation(value, position.turn()))
    }

    /// The static evaluation with the correction history. It fades as the fifty-move rule comes near.
    #[inline(always)]
    fn corrected(&self, raw: Score, position: &Position, features: &Features) -> Score {
        let faded = raw.0 * (200 - position.halfmove_clock().min(100) as i32) / 200;
        Score::evaluation(faded + self.data.corrections.get(self.params(), features))
    }

    /// Notes `mv` and what follows it as the best line from this ply on.
    #[inline]
    fn update_line(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.data.lines.split_at_mut(ply + 1);
        let (line, child) = (&mut above[ply], &below[0]);
        let len = child.len.min(MAX_PLY - 1);
        line.moves[0] = mv;
        line.moves[1..=len].copy_from_slice(&child.moves[..len]);
        line.len = len + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;

    #[test]
    fn every_thread_ends_a_search_that_is_over_its_limit_but_not_the_first_iteration() {
        let position = Position::startpos();
        let limits = Limits::nodes(1000);
        let (table, budget) = (Arc::new(Table::of_one_cluster()), Budget::new(&limits, Duration::ZERO));
        let shared = Shared::new(table, Evaluation::Classical, limits, budget, 1, 2, Params::default());
        let (mut own, mut other) = (ThreadData::new(), ThreadData::new());
        let root = || RootMove::all(&position, &[]);
        let mut first = Search::new(&shared, 0, &mut own, Silent, None, vec![position.key()], root());
        let mut helper = Search::new(&shared, 1, &mut other, Silent, None, vec![position.key()], root());

        (first.nodes, helper.nodes) = (999, 1);
        first.look_at_limits();
        assert!(!shared.is_stopped() && !first.stopped);
        helper.look_at_limits();
        assert!(shared.is_stopped() && helper.stopped);
        first.look_at_limits();
        assert!(!first.stopped, "there is no answer yet");
        first.completed_depth = 1;
        first.look_at_limits();
        assert!(first.stopped);
    }
}
