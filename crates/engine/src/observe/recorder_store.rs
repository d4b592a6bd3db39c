//! The nodes of a recorded search, bounded in number. When the store is full, the least interesting subtrees
//! are dropped.

use super::{MoveCut, NodeCut, Purpose, Visit};
use crate::{Bound, Depth, Score};
use chess::Move;

/// What became of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Its moves were searched.
    Searched,
    /// It ended before its moves were searched.
    Cut(NodeCut),
    /// The move was not searched.
    Pruned(MoveCut),
    /// The search was stopped in it.
    Unfinished,
}

/// A node of a recorded search. Window and score are from its side to move's point of view.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// Its parent; `None` for a root.
    pub parent: Option<u32>,
    /// Its purpose. A pruned move counts as a zero-window search.
    pub purpose: Purpose,
    /// The move that leads to it. If the position is the parent's: the excluded move, or none.
    pub mv: Move,
    /// The index of the move in the parent's order, from 1.
    pub number: u32,
    /// Plies from the root.
    pub ply: usize,
    /// The requested depth.
    pub depth: Depth,
    /// The singular extension; negative for a reduction.
    pub extension: Depth,
    /// Alpha.
    pub alpha: Score,
    /// Beta.
    pub beta: Score,
    /// Whether it is a PV node.
    pub pv: bool,
    /// Whether it is a quiescence node.
    pub quiescence: bool,
    /// Whether the table had the position.
    pub hash_hit: bool,
    /// The static evaluation; `Score::NONE` in check, or where it was not needed.
    pub evaluation: Score,
    /// The score that was returned.
    pub score: Score,
    /// What became of it.
    pub fate: Fate,
    /// The best move, if one raised alpha.
    pub best: Option<Move>,
    /// The line with the highest score, whether it raised alpha or not.
    pub line: Vec<Move>,
    /// Nodes of its subtree, this one included; 0 if the move was not searched.
    pub nodes: u64,
}

impl TreeNode {
    /// A node with an empty window that has not been searched.
    pub(super) fn new(purpose: Purpose, mv: Move, number: u32, ply: usize) -> TreeNode {
        TreeNode {
            parent: None,
            purpose,
            mv,
            number,
            ply,
            depth: Depth::ZERO,
            extension: Depth::ZERO,
            alpha: Score::NONE,
            beta: Score::NONE,
            pv: false,
            quiescence: false,
            hash_hit: false,
            evaluation: Score::NONE,
            score: Score::NONE,
            fate: Fate::Unfinished,
            best: None,
            line: Vec::new(),
            nodes: 0,
        }
    }

    /// The bound of the score.
    pub fn bound(&self) -> Bound {
        if self.score >= self.beta {
            Bound::Lower
        } else if self.score <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Whether it has the position of its parent.
    pub fn stays(&self) -> bool {
        matches!(self.purpose, Purpose::Root | Purpose::Verification | Purpose::Razoring | Purpose::Singular)
    }
}

/// The maximum rank.
const MAX_RANK: usize = 1023;

/// Nodes with their ranks: the lower, the more interesting. A child's rank is never below its parent's, so
/// dropping the highest ranks leaves a tree.
#[derive(Debug)]
pub(super) struct NodeStore {
    limit: usize,
    nodes: Vec<TreeNode>,
    ranks: Vec<u16>,
    /// Number of nodes of each rank.
    histogram: Vec<usize>,
    /// Nodes of a higher rank are not stored.
    highest: usize,
}

impl NodeStore {
    pub fn new(limit: usize) -> NodeStore {
        NodeStore {
            limit: limit.max(1),
            nodes: Vec::new(),
            ranks: Vec::new(),
            histogram: vec![0; MAX_RANK + 1],
            highest: MAX_RANK,
        }
    }

    pub fn take(&mut self) -> Vec<TreeNode> {
        let limit = self.limit;
        std::mem::replace(self, NodeStore::new(limit)).nodes
    }

    pub fn get(&mut self, index: u32) -> &mut TreeNode {
        &mut self.nodes[index as usize]
    }

    pub fn is_full(&self) -> bool {
        self.nodes.len() >= self.limit
    }

    /// Stores a node if its rank is low enough. There must be room.
    pub fn push(&mut self, node: TreeNode, rank: u32) -> Option<u32> {
        let rank = (rank as usize).min(MAX_RANK);
        if rank > self.highest || self.is_full() {
            return None;
        }
        self.histogram[rank] += 1;
        self.ranks.push(rank as u16);
        self.nodes.push(node);
        Some(self.nodes.len() as u32 - 1)
    }

    /// Makes room by dropping the highest ranks. Returns the new index of every node.
    pub fn thin_out(&mut self) -> Vec<Option<u32>> {
        let aim = self.limit - self.limit / 4;
        let mut kept = 0;
        let fitting = self.histogram.iter().position(|&count| {
            kept += count;
            kept > aim
        });
        self.highest = fitting.unwrap_or(MAX_RANK).saturating_sub(1);
        self.histogram[self.highest + 1..].fill(0);
        let mut places = Vec::with_capacity(self.nodes.len());
        let mut count = 0;
        for &rank in &self.ranks {
            let stays = usize::from(rank) <= self.highest;
            places.push(stays.then_some(count));
            count += u32::from(stays);
        }
        let mut index = 0;
        self.nodes.retain(|_| {
            index += 1;
            places[index - 1].is_some()
        });
        for node in &mut self.nodes {
            node.parent = node.parent.and_then(|parent| places[parent as usize]);
        }
        self.ranks.retain(|&rank| usize::from(rank) <= self.highest);
        places
    }
}

/// The rank of a node relative to its parent. PV nodes are the most interesting, then first moves; auxiliary
/// searches come last.
pub(super) fn rank_step(purpose: Purpose, number: u32, quiescence: bool) -> u32 {
    let kind = match purpose {
        Purpose::Root => return 0,
        Purpose::Move(Visit::First | Visit::ReSearch) => return 1,
        Purpose::Move(Visit::FullDepth) => 2,
        Purpose::Move(Visit::FirstZeroWindow | Visit::ZeroWindow { reduced: false }) => 3,
        Purpose::Move(Visit::ZeroWindow { reduced: true }) | Purpose::Capture => 4,
        Purpose::NullMove
        | Purpose::Verification
        | Purpose::Razoring
        | Purpose::ProbCut
        | Purpose::Singular => 6,
    };
    kind + number.max(1).ilog2() + 2 * u32::from(quiescence)
}
