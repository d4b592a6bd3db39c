//! One thread's search: its state, limits, draws and evaluation.
//!
//! [`deepen`] runs iterations with aspiration windows; [`node`] is the principal variation search with its
//! move loop; [`quiesce`] resolves captures at the leaves. [`prune`] decides what is skipped, [`reduce`] and
//! [`extend`] how deep a move is searched.

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
use crate::order::{Before, Corrections, Features, Histories, Killers, PieceTo, QuietPlace, ScoredMoves};
use crate::params::Params;
use crate::score::MAX_PLY;
use crate::signals::Signals;
use crate::table::{Entry, Table, table_key};
use crate::tablebase::TableAccess;
use crate::{Depth, Limits, Score};
use chess::{Color, Move, Position, Role, has_upcoming_repetition};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use uci::Info;

/// The kind of a node, known at compile time.
pub(crate) trait NodeType {
    /// The root.
    const ROOT: bool;
    /// Whether it is a PV node, searched with a full window.
    const PV: bool;
    /// The kind of a child that is searched with the full window.
    type Child: NodeType;
}

/// The root.
pub(crate) enum Root {}
/// A PV node, searched with a full window.
pub(crate) enum Pv {}
/// A non-PV node, searched with a zero window.
pub(crate) enum NonPv {}

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type Child = Pv;
}

impl NodeType for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
    type Child = Pv;
}

impl NodeType for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
    type Child = NonPv;
}

/// A counter on its own cache line, to avoid false sharing.
#[repr(align(128))]
#[derive(Default)]
struct PaddedCounter(AtomicU64);

/// State shared by the threads of one search.
pub(crate) struct Shared {
    pub table: Arc<Table>,
    pub evaluation: Evaluation,
    pub limits: Limits,
    pub budget: Budget,
    pub multi_pv: usize,
    pub params: Params,
    /// The tablebases, if any.
    pub tables: Option<TableAccess>,
    pub signals: Signals,
    nodes: Box<[PaddedCounter]>,
    /// Positions found in the tablebases.
    table_hits: AtomicU64,
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
        let signals = Signals::new(limits.infinite, limits.ponder);
        let nodes = (0..threads).map(|_| PaddedCounter::default()).collect();
        let table_hits = AtomicU64::new(0);
        Shared {
            table,
            evaluation,
            limits,
            budget,
            multi_pv,
            params,
            tables: None,
            signals,
            nodes,
            table_hits,
        }
    }

    /// The same search with tablebases.
    #[must_use]
    pub fn with_tables(mut self, tables: Option<TableAccess>) -> Shared {
        self.tables = tables;
        self
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.signals.stop();
    }

    pub fn is_stopped(&self) -> bool {
        self.signals.is_stopped()
    }

    /// `ponderhit`: time counts from now on.
    pub fn ponderhit(&self) {
        self.signals.ponderhit(self.time());
    }

    pub fn is_pondering(&self) -> bool {
        self.signals.is_pondering()
    }

    /// Time since `go` was received.
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
        self.time().saturating_sub(self.signals.clock_start())
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
    pub fn is_over_time(&self) -> bool {
        !self.is_pondering() && self.budget.hard().is_some_and(|hard| self.elapsed_on_clock() >= hard)
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.nodes.len()
    }

    /// Positions found in the tablebases, by all threads.
    pub fn table_hits(&self) -> u64 {
        self.table_hits.load(Relaxed)
    }

    pub fn add_table_hits(&self, hits: u64) {
        self.table_hits.fetch_add(hits, Relaxed);
    }

    /// Nodes of all threads.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}

/// The search stack entry of one ply.
#[derive(Clone, Copy)]
struct Frame {
    /// The current move, as index of continuation histories.
    moved: PieceTo,
    /// Its entries in the histories, if it is a quiet move of the main search.
    quiet: Option<QuietPlace>,
    /// Its number, from 1; 0 outside the move loop.
    number: usize,
    /// The corrected static evaluation, or `Score::NONE` in check.
    evaluation: Score,
    /// The excluded move of a singular search.
    excluded: Move,
    /// Killers of this ply.
    killers: Killers,
    /// Whether the current move is a null move.
    null: bool,
    /// Cutoffs at the nodes of this ply since their common parent was entered.
    cutoffs: u32,
    /// The reduction of the current move, until its child has read it.
    reduction: Depth,
    /// Double extensions on the line to this ply.
    double_extensions: u32,
    /// A PV node, or one that was a PV node before.
    table_pv: bool,
}

impl Frame {
    const EMPTY: Frame = Frame {
        moved: PieceTo::NONE,
        quiet: None,
        number: 0,
        evaluation: Score::NONE,
        excluded: Move::NONE,
        killers: Killers::NONE,
        null: false,
        cutoffs: 0,
        reduction: Depth::ZERO,
        double_extensions: 0,
        table_pv: false,
    };
}

/// Entries before the root, so that looking back needs no bounds check.
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

/// What a thread keeps between searches: histories and stacks.
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

    /// Clears the histories for a new game.
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
    /// Receives PVs, if there is a listener.
    on_info: Option<&'a mut dyn FnMut(Info<Move>)>,
    /// Stops the search when it becomes true; checked with the limits.
    pub interrupt: Option<&'a AtomicBool>,
    /// The tablebases, if positions are looked up.
    pub tables: Option<&'a TableAccess>,
    /// Keys of the game and of the current line, the current position's last.
    keys: Vec<u64>,
    /// Index of the last null move in `keys`; repetitions across it do not count.
    null_at: usize,
    root: Vec<RootMove>,
    /// Index of the current MultiPV line, from 0.
    line: usize,
    root_depth: u32,
    completed_depth: u32,
    nodes: u64,
    selective_depth: usize,
    /// Centipawns by which evaluations shift in favour of the side to move at the root.
    optimism: i32,
    root_turn: Color,
    /// During verification no null move is made below this ply.
    null_move_floor: usize,
    stopped: bool,
    nodes_per_check: u64,
    soundness: PhantomData<S>,
}

/// Nodes between two checks of the limits; a power of two.
const NODES_PER_CHECK: u64 = 1024;
/// The same with little time, where a thousand nodes may take too long.
const NODES_PER_CHECK_SHORT_TIME: u64 = 64;
/// Less than this is little time.
const SHORT_TIME: Duration = Duration::from_millis(20);

impl<'a, O: Observer> Search<'a, O> {
    /// A search of thread `id` from the last position of the given keys.
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
        let short_time = shared.budget.hard().is_some_and(|hard| hard < SHORT_TIME);
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
            tables: None,
            keys,
            null_at: 0,
            root,
            line: 0,
            root_depth: 0,
            completed_depth: 0,
            nodes: 0,
            selective_depth: 0,
            optimism: 0,
            root_turn: Color::White,
            null_move_floor: 0,
            stopped: false,
            nodes_per_check: if short_time { NODES_PER_CHECK_SHORT_TIME } else { NODES_PER_CHECK },
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

    /// The stack entry `back` plies before `ply`; empty before the root.
    #[inline(always)]
    fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.data.frames[ply + FRAMES_BEFORE_ROOT - back]
    }

    /// The moves that led to this ply, as indices of continuation histories.
    #[inline(always)]
    fn before(&self, ply: usize) -> Before {
        [self.earlier(ply, 1).moved, self.earlier(ply, 2).moved, self.earlier(ply, 4).moved]
    }

    #[inline(always)]
    fn features(&self, position: &Position, ply: usize) -> Features {
        Features::of(position, [1, 2, 4].map(|back| self.earlier(ply, back).moved))
    }

    /// Counts a node, empties its line, and checks the limits every [`NODES_PER_CHECK`] nodes.
    #[inline(always)]
    fn enter_node<N: NodeType>(&mut self, ply: usize) {
        if N::PV {
            self.data.lines[ply].len = 0;
        }
        if S::counts_node(ply) {
            self.nodes += 1;
        }
        self.selective_depth = self.selective_depth.max(ply);
        let full = self.shared.limits.nodes.is_some_and(|limit| self.nodes >= limit);
        // With many threads a thousand nodes may take long, so `stop` is checked at every node.
        if full || self.nodes & (self.nodes_per_check - 1) == 0 || self.shared.is_stopped() {
            self.look_at_limits();
        }
    }

    /// Ends the search if a limit is reached. Any thread ends it for all, since with more threads than cores
    /// a single one may wait long to be scheduled.
    #[cold]
    #[inline(never)]
    fn look_at_limits(&mut self) {
        self.shared.nodes[self.id].0.store(self.nodes, Relaxed);
        // The first thread always completes its first iteration, so that there is a best move. The others
        // start after it.
        let has_answer = self.completed_depth > 0 || self.id > 0;
        let interrupted = self.interrupt.is_some_and(|flag| flag.load(Relaxed));
        let over = S::obeys_node_limit() && self.shared.is_over_nodes() || self.shared.is_over_time();
        if has_answer && (interrupted || over) {
            self.shared.stop();
        }
        self.stopped = has_answer && self.shared.is_stopped();
    }

    /// Probes the transposition table.
    #[inline(always)]
    fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.shared.table.probe(key, S::table_ply(ply))
    }

    /// Stores an entry in the transposition table.
    #[inline(always)]
    fn store(&self, key: u64, ply: usize, entry: Entry) {
        self.shared.table.store(key, S::table_ply(ply), entry);
    }

    /// Makes a move into `child`, and updates keys, stack and evaluator.
    #[inline(always)]
    fn make(&mut self, position: &Position, mv: Move, ply: usize, child: &mut Position) {
        let moved = PieceTo::of(position, mv);
        position.play_into(mv, child);
        self.shared.table.prefetch(table_key(child));
        let frame = self.frame(ply);
        frame.moved = moved;
        frame.quiet = None;
        frame.number = 0;
        frame.null = false;
        self.keys.push(child.key());
        self.data.assessor.push(position, mv);
    }

    /// Unmakes a move.
    #[inline(always)]
    fn unmake(&mut self) {
        self.keys.pop();
        self.data.assessor.pop();
    }

    /// How many plies back a repetition is possible.
    #[inline(always)]
    fn reach(&self, position: &Position) -> usize {
        (position.halfmove_clock() as usize).min(self.keys.len() - 1 - self.null_at)
    }

    /// The score of a draw by the rules, if the node is one. A repetition inside the search counts as a draw
    /// at once, since the best moves would be the same again.
    #[inline]
    fn drawn(&self, position: &Position, ply: usize) -> Option<Score> {
        if S::is_fifty_move_draw(position.halfmove_clock()) {
            // Checkmate on the 100th ply takes precedence.
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

    /// Whether the side to move can repeat a position after the root, which would be a draw.
    #[inline]
    fn can_repeat(&self, position: &Position, ply: usize) -> bool {
        S::sees_repetitions()
            && has_upcoming_repetition(position, &self.keys, self.reach(position).min(ply.saturating_sub(1)))
    }

    /// Draw scores vary by a centipawn between nodes, so that the search does not get stuck where every line
    /// is a draw.
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

    /// The static evaluation that the search uses: scaled by material, since with more of it there is more to
    /// win; shifted by optimism; smaller as the fifty-move counter grows; and corrected.
    #[inline(always)]
    fn adjusted(&self, raw: Score, position: &Position, correction: i32) -> Score {
        let base = self.params().material_base();
        let (now, usual) = (i64::from(base + material(position)), i64::from(base + USUAL_MATERIAL));
        let scaled = (i64::from(raw.0) * now / usual) as i32;
        let optimism = if position.turn() == self.root_turn { self.optimism } else { -self.optimism };
        let faded = (scaled + optimism) * (200 - position.halfmove_clock().min(100) as i32) / 200;
        Score::evaluation(faded + correction)
    }

    /// The correction of the evaluation, in centipawns.
    #[inline(always)]
    fn correction(&self, features: &Features) -> i32 {
        self.data.corrections.get(self.params(), features)
    }

    /// The side that is better at the root, by the average of earlier scores, is a little more optimistic: it
    /// avoids draws and exchanges, the other side seeks them.
    fn be_optimistic(&mut self, turn: Color, average: Option<f64>) {
        let average = average.unwrap_or(0.0).clamp(-2000.0, 2000.0);
        let limit = f64::from(self.params().optimism());
        self.optimism = (limit * average / (average.abs() + 25.0)) as i32;
        self.root_turn = turn;
    }

    /// Updates the PV: `mv`, followed by the child's PV.
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

/// The material, in centipawns, at which the evaluation is not scaled.
const USUAL_MATERIAL: i32 = 5500;

/// The value of all pawns and pieces.
#[inline]
fn material(position: &Position) -> i32 {
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .iter()
        .map(|&role| position.role(role).count() as i32 * role.exchange_value())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;

    #[test]
    fn limit_ends_search_after_first_iteration() {
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
