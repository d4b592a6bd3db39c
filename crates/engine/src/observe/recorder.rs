//! Records the search tree for `vedette trace` and the studio's microscope.

use super::recorder_store::{Fate, NodeStore, TreeNode, rank_step};
use super::{MoveCut, NodeCut, Observer, Purpose, Statistics, StatisticsCounter, Visit};
use crate::{Bound, Depth, Score};
use chess::Move;
use std::collections::HashMap;

/// Depths counted separately; the last one includes all above.
const DEPTHS: usize = 32;

/// A recorded search.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The recorded iteration: the last complete one.
    pub iteration: u32,
    /// Its nodes in search order; a parent is before its children.
    pub nodes: Vec<TreeNode>,
    /// Statistics of each iteration.
    pub by_iteration: Vec<Statistics>,
    /// Statistics by remaining depth over all iterations: quiescence, depth 1, and so on.
    pub by_depth: Vec<Statistics>,
}

/// A node of the current line.
#[derive(Debug)]
struct Open {
    /// Its index in the store, if it is stored.
    place: Option<u32>,
    purpose: Purpose,
    mv: Move,
    rank: u32,
    ply: usize,
    depth: Depth,
    /// Nodes before it.
    before: u64,
    /// Moves so far.
    number: u32,
    alpha: Score,
    cut: Option<NodeCut>,
    extension: Depth,
    best: Option<Move>,
    /// The move searched last, its score for this node and its line; it may still be re-searched.
    latest: Option<(Move, Score, Vec<Move>)>,
    top: Score,
    line: Vec<Move>,
    /// Number of moves of the focus line that lead here; `None` if the node is not on it.
    on_focus: Option<usize>,
    /// A number for the path from the root; `None` if it has a null move or is too long.
    path: Option<u64>,
}

impl Open {
    /// The move searched last is not re-searched, so its score is final.
    fn settle(&mut self) {
        if let Some((mv, score, mut line)) = self.latest.take()
            && score > self.top
        {
            self.top = score;
            line.insert(0, mv);
            self.line = line;
        }
    }
}

/// An observer that stores the tree of the last iteration, bounded in size. When it is full, the subtrees
/// farthest from the PV are dropped, and only their nodes are counted.
#[derive(Debug)]
pub struct Recorder {
    store: NodeStore,
    open: Vec<Open>,
    /// The purpose of the next node.
    next: (Purpose, Move),
    entered: u64,
    iteration: u32,
    /// The nodes of the iteration before this one.
    finished: Option<(u32, Vec<TreeNode>)>,
    focus: Vec<Move>,
    /// Lines of earlier searches near the root, since a node with a hash cutoff has none.
    remembered: HashMap<u64, Vec<Move>>,
    by_iteration: Vec<StatisticsCounter>,
    by_depth: Vec<StatisticsCounter>,
}

/// Lines are stored up to this ply.
const MEMORY_PLIES: usize = 3;

/// Added to the rank of nodes that are not on the focus line.
const BESIDE_FOCUS: u32 = 40;

impl Recorder {
    /// A recorder that stores at most this many nodes.
    pub fn new(limit: usize) -> Recorder {
        Recorder {
            store: NodeStore::new(limit),
            open: Vec::new(),
            next: (Purpose::Root, Move::NONE),
            entered: 0,
            iteration: 0,
            finished: None,
            focus: Vec::new(),
            remembered: HashMap::new(),
            by_iteration: Vec::new(),
            by_depth: vec![StatisticsCounter::default(); DEPTHS],
        }
    }

    /// Prefers the nodes after these moves.
    #[must_use]
    pub fn with_focus(mut self, line: Vec<Move>) -> Recorder {
        self.focus = line;
        self
    }

    /// A recorded search.
    pub fn finish(mut self) -> Recording {
        let nodes = self.store.take();
        let complete = nodes.iter().any(|node| node.parent.is_none())
            && nodes.iter().all(|node| node.fate != Fate::Unfinished);
        let (iteration, nodes) = match self.finished {
            Some(finished) if !complete => finished,
            _ => (self.iteration, nodes),
        };
        let counted = |counters: Vec<StatisticsCounter>| {
            counters.into_iter().filter_map(Observer::statistics).collect::<Vec<_>>()
        };
        let mut by_depth = counted(self.by_depth);
        let used = by_depth.iter().rposition(|counts| *counts != Statistics::default());
        by_depth.truncate(used.map_or(0, |last| last + 1));
        Recording { iteration, nodes, by_iteration: counted(self.by_iteration), by_depth }
    }

    /// Passes an event to the counters of this iteration and of the current node's depth.
    fn count(&mut self, event: impl Fn(&mut StatisticsCounter)) {
        if let Some(counters) = self.by_iteration.last_mut() {
            event(counters);
        }
        if let Some(node) = self.open.last() {
            event(&mut self.by_depth[(node.depth.whole().max(0) as usize).min(DEPTHS - 1)]);
        }
    }

    fn push(&mut self, node: TreeNode, rank: u32) -> Option<u32> {
        if self.store.is_full() {
            let places = self.store.thin_out();
            for open in &mut self.open {
                open.place = open.place.and_then(|place| places[place as usize]);
            }
        }
        // Nothing is stored below a node that is not stored, or was just dropped.
        let parent = self.open.last().map(|open| open.place);
        if parent == Some(None) {
            return None;
        }
        self.store.push(TreeNode { parent: parent.flatten(), ..node }, rank)
    }

    /// Number of moves of the focus line that lead to the node that is entered, if it is on the line.
    fn focus_after(&self, purpose: Purpose, mv: Move) -> Option<usize> {
        let Some(parent) = self.open.last() else { return Some(0) };
        let reached = parent.on_focus?;
        match self.focus.get(reached) {
            None => Some(reached),
            Some(&wanted) if wanted == mv && matches!(purpose, Purpose::Move(_) | Purpose::Capture) => {
                Some(reached + 1)
            }
            Some(_) => None,
        }
    }

    /// The number of the path to the node that is entered.
    fn path_after(&self, purpose: Purpose, mv: Move) -> Option<u64> {
        let Some(parent) = self.open.last() else { return Some(0) };
        let real = matches!(purpose, Purpose::Move(_) | Purpose::Capture);
        if !real || parent.ply >= MEMORY_PLIES {
            return None;
        }
        // Moves have 16 bits, and stored paths are short.
        Some(parent.path? << 16 | u64::from(mv.bits()))
    }

    fn rank_of(&self, purpose: Purpose, number: u32, quiescence: bool, on_focus: bool) -> u32 {
        let Some(parent) = self.open.last() else { return 0 };
        let leaves_focus = parent.on_focus.is_some() && !on_focus;
        let beside = if leaves_focus { BESIDE_FOCUS } else { 0 };
        parent.rank + rank_step(purpose, number, quiescence) + beside
    }
}

impl Observer for Recorder {
    fn iteration(&mut self, depth: u32) {
        self.open.clear();
        let nodes = self.store.take();
        if self.iteration > 0 {
            self.finished = Some((self.iteration, nodes));
        }
        self.iteration = depth;
        self.by_iteration.push(StatisticsCounter::default());
    }

    fn approach(&mut self, purpose: Purpose, mv: Move) {
        self.next = (purpose, mv);
        let Some(node) = self.open.last_mut() else { return };
        match purpose {
            // A re-search of the same move: the first result does not count.
            Purpose::Move(Visit::FullDepth | Visit::ReSearch) => node.latest = None,
            Purpose::Move(_) | Purpose::Capture => {
                node.settle();
                node.number += 1;
            }
            _ => {}
        }
    }

    fn enter(&mut self, ply: usize, depth: Depth, alpha: Score, beta: Score, pv: bool, quiescence: bool) {
        let (purpose, mv) = self.next;
        let number = self.open.last().map_or(0, |node| node.number);
        let extension = self.open.last_mut().map_or(Depth::ZERO, |node| std::mem::take(&mut node.extension));
        let on_focus = self.focus_after(purpose, mv);
        let rank = self.rank_of(purpose, number, quiescence, on_focus.is_some());
        let node = TreeNode {
            depth,
            extension,
            alpha,
            beta,
            pv,
            quiescence,
            score: Score::ZERO,
            ..TreeNode::new(purpose, mv, number, ply)
        };
        let place = self.push(node, rank);
        let path = self.path_after(purpose, mv);
        self.open.push(Open {
            place,
            purpose,
            mv,
            rank,
            ply,
            depth,
            before: self.entered,
            number: 0,
            alpha,
            cut: None,
            extension: Depth::ZERO,
            best: None,
            latest: None,
            top: Score::NONE,
            line: Vec::new(),
            on_focus,
            path,
        });
        self.entered += 1;
        self.count(|counters| counters.enter(ply, depth, alpha, beta, pv, quiescence));
    }

    fn probe(&mut self, hit: bool) {
        self.count(|counters| counters.probe(hit));
        if let Some(place) = self.open.last().and_then(|node| node.place) {
            self.store.get(place).hash_hit = hit;
        }
    }

    fn evaluated(&mut self, evaluation: Score) {
        if let Some(place) = self.open.last().and_then(|node| node.place) {
            self.store.get(place).evaluation = evaluation;
        }
    }

    fn cut_node(&mut self, reason: NodeCut, depth: Depth) {
        self.count(|counters| counters.cut_node(reason, depth));
        if let Some(node) = self.open.last_mut() {
            node.cut = Some(reason);
        }
    }

    fn cut_move(&mut self, reason: MoveCut, depth: Depth, mv: Move) {
        self.count(|counters| counters.cut_move(reason, depth, mv));
        let Some(parent) = self.open.last_mut() else { return };
        parent.settle();
        parent.number += 1;
        let (number, alpha, ply) = (parent.number, parent.alpha, parent.ply + 1);
        let purpose = Purpose::Move(Visit::ZeroWindow { reduced: false });
        let on_focus = self.focus_after(purpose, mv);
        let rank = self.rank_of(purpose, number, depth < Depth::ONE, on_focus.is_some());
        let node = TreeNode {
            alpha: -alpha - 1,
            beta: -alpha,
            fate: Fate::Pruned(reason),
            ..TreeNode::new(purpose, mv, number, ply)
        };
        self.push(node, rank);
    }

    fn extended(&mut self, _mv: Move, by: Depth) {
        if let Some(node) = self.open.last_mut() {
            node.extension = by;
        }
    }

    fn improved(&mut self, mv: Move) {
        if let Some(node) = self.open.last_mut() {
            node.best = Some(mv);
            node.settle();
            node.alpha = node.alpha.max(node.top);
        }
    }

    fn visited(&mut self, visit: Visit, pv: bool, mv: Move, score: Score, alpha: Score) {
        self.count(|counters| counters.visited(visit, pv, mv, score, alpha));
    }

    fn tried(&mut self, reason: NodeCut, succeeded: bool) {
        self.count(|counters| counters.tried(reason, succeeded));
    }

    fn leave(&mut self, ply: usize, depth: Depth, score: Score, bound: Bound, best: usize, number: usize) {
        self.count(|counters| counters.leave(ply, depth, score, bound, best, number));
    }

    fn exit(&mut self, score: Score, finished: bool) {
        let Some(mut left) = self.open.pop() else { return };
        left.settle();
        if let Some(path) = left.path.filter(|_| finished) {
            if left.cut.is_none() && !left.line.is_empty() {
                self.remembered.insert(path, left.line.clone());
            } else if let Some(line) = self.remembered.get(&path) {
                left.line.clone_from(line);
            }
        }
        let nodes = self.entered - left.before;
        if let Some(place) = left.place {
            let node = self.store.get(place);
            node.score = score;
            node.nodes = nodes;
            node.best = left.best;
            node.line.clone_from(&left.line);
            node.fate = match left.cut {
                _ if !finished => Fate::Unfinished,
                Some(reason) => Fate::Cut(reason),
                None => Fate::Searched,
            };
        }
        let (purpose, mv) = (left.purpose, left.mv);
        if let Some(parent) = self.open.last_mut()
            && matches!(purpose, Purpose::Move(_) | Purpose::Capture)
        {
            parent.latest = Some((mv, -score, left.line));
        }
    }
}
