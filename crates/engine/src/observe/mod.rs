//! What happens inside a search is reported to an observer, which is a compile-time parameter: the silent
//! one costs nothing, and no counter stands in the search itself.

mod recorder;
mod recorder_store;
mod statistics;

pub use recorder::{Recorder, Recording};
pub use recorder_store::{Fate, TreeNode};
pub use statistics::{Counters, Statistics};

use crate::{Bound, Depth, Score};
use chess::Move;

/// Why a node ended before any of its moves was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum NodeCut {
    Draw,
    MateDistance,
    Table,
    Razoring,
    ReverseFutility,
    NullMove,
    ProbCut,
    StandPat,
    MultiCut,
}

impl NodeCut {
    /// All reasons.
    pub const ALL: [NodeCut; 9] = [
        NodeCut::Draw,
        NodeCut::MateDistance,
        NodeCut::Table,
        NodeCut::Razoring,
        NodeCut::ReverseFutility,
        NodeCut::NullMove,
        NodeCut::ProbCut,
        NodeCut::StandPat,
        NodeCut::MultiCut,
    ];

    /// As people read it.
    pub const fn name(self) -> &'static str {
        match self {
            NodeCut::Draw => "draw",
            NodeCut::MateDistance => "mate distance",
            NodeCut::Table => "hash cutoff",
            NodeCut::Razoring => "razoring",
            NodeCut::ReverseFutility => "reverse futility",
            NodeCut::NullMove => "null move",
            NodeCut::ProbCut => "ProbCut",
            NodeCut::StandPat => "stand pat",
            NodeCut::MultiCut => "multi-cut",
        }
    }
}

/// Why a move was not searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum MoveCut {
    LateMove,
    Futility,
    History,
    Exchange,
}

impl MoveCut {
    /// All reasons.
    pub const ALL: [MoveCut; 4] = [MoveCut::LateMove, MoveCut::Futility, MoveCut::History, MoveCut::Exchange];

    /// As people read it.
    pub const fn name(self) -> &'static str {
        match self {
            MoveCut::LateMove => "late move",
            MoveCut::Futility => "futility",
            MoveCut::History => "history",
            MoveCut::Exchange => "exchange",
        }
    }
}

/// How a move was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    /// With a full window, as the first move of a principal variation node.
    First,
    /// With a zero window, as the first move of any other node. There is no move yet that it could be better than.
    FirstZeroWindow,
    /// With a zero window, as a later move: is it better than the best so far?
    ZeroWindow {
        /// At less than full depth.
        reduced: bool,
    },
    /// With a zero window at full depth, after a reduced search failed high.
    FullDepth,
    /// With a full window, after the zero-window search failed high.
    ReSearch,
}

/// What a node is searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// It is the root: an iteration, or another try of it with a wider window.
    Root,
    /// A move is searched.
    Move(Visit),
    /// The other side may move twice.
    NullMove,
    /// A null move's success is doubted: the same position again, without null moves.
    Verification,
    /// Far below alpha: the same position again, with captures only.
    Razoring,
    /// A capture that may come out well above beta.
    ProbCut,
    /// Is the table's move the only good one? The same position again, without that move.
    Singular,
    /// A move of the quiescence search.
    Capture,
}

/// Watches a search. Every function does nothing unless it is overridden.
pub trait Observer: Send {
    /// A new iteration begins.
    #[inline(always)]
    fn iteration(&mut self, _depth: u32) {}

    /// The node that is entered next is searched for this purpose, after this move. Where the position stays
    /// the same, the move is the one that is left out, or none.
    #[inline(always)]
    fn approach(&mut self, _purpose: Purpose, _mv: Move) {}

    /// A node is entered: not in quiescence when `quiescence` is false.
    #[inline(always)]
    fn enter(
        &mut self,
        _ply: usize,
        _depth: Depth,
        _alpha: Score,
        _beta: Score,
        _pv: bool,
        _quiescence: bool,
    ) {
    }

    /// The table was asked, and knew the position or not.
    #[inline(always)]
    fn probe(&mut self, _hit: bool) {}

    /// The static evaluation of the node, with the correction history; `Score::NONE` in check.
    #[inline(always)]
    fn evaluated(&mut self, _evaluation: Score) {}

    /// A node ended early.
    #[inline(always)]
    fn cut_node(&mut self, _reason: NodeCut, _depth: Depth) {}

    /// A move was not searched.
    #[inline(always)]
    fn cut_move(&mut self, _reason: MoveCut, _depth: Depth, _mv: Move) {}

    /// The table's move is searched deeper by this much, or less deep.
    #[inline(always)]
    fn extended(&mut self, _mv: Move, _by: Depth) {}

    /// A move that has just been searched is better than alpha.
    #[inline(always)]
    fn improved(&mut self, _mv: Move) {}

    /// A move has been searched in some way and had this score, at a node with this alpha.
    #[inline(always)]
    fn visited(&mut self, _visit: Visit, _pv: bool, _mv: Move, _score: Score, _alpha: Score) {}

    /// A null move or another verification search was tried, and the node was cut or not.
    #[inline(always)]
    fn tried(&mut self, _reason: NodeCut, _succeeded: bool) {}

    /// A node's moves have been searched. `number` is how many were, `best` the place of the best among
    /// them from 1.
    #[inline(always)]
    fn leave(
        &mut self,
        _ply: usize,
        _depth: Depth,
        _score: Score,
        _bound: Bound,
        _best: usize,
        _number: usize,
    ) {
    }

    /// A node is left, on whatever way. Its score means nothing if the search was stopped in it.
    #[inline(always)]
    fn exit(&mut self, _score: Score, _finished: bool) {}

    /// A node was cut off by an entry of the table. `decided`: its bound decides the comparison with beta.
    /// `deep_enough`: it was searched as deep as the node would be. `possible`: it is no mate nearer to the root than
    /// the node itself.
    #[inline(always)]
    fn believed(&mut self, _decided: bool, _deep_enough: bool, _possible: bool) {}

    /// A move of the table is going to be played; it is legal, or a bug plays it all the same.
    #[inline(always)]
    fn hash_move(&mut self, _legal: bool) {}

    /// The result of a node's moves went into the table as this kind of score.
    #[inline(always)]
    fn stored(&mut self, _bound: Bound) {}

    /// What was counted, if this observer counts.
    #[inline(always)]
    fn statistics(self) -> Option<Statistics>
    where
        Self: Sized,
    {
        None
    }
}

/// Sees nothing and costs nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Observer for Silent {}
