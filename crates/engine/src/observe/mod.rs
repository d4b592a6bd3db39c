//! Events of a search are reported to an observer, a compile-time parameter. The silent one costs nothing,
//! and the search itself has no counters.

mod recorder;
mod recorder_store;
mod statistics;

pub use recorder::{Recorder, Recording};
pub use recorder_store::{Fate, TreeNode};
pub use statistics::{Statistics, StatisticsCounter};

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
    Tablebase,
}

impl NodeCut {
    /// All reasons.
    pub const ALL: [NodeCut; 10] = [
        NodeCut::Draw,
        NodeCut::MateDistance,
        NodeCut::Table,
        NodeCut::Razoring,
        NodeCut::ReverseFutility,
        NodeCut::NullMove,
        NodeCut::ProbCut,
        NodeCut::StandPat,
        NodeCut::MultiCut,
        NodeCut::Tablebase,
    ];

    /// As text.
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
            NodeCut::Tablebase => "tablebase",
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
    Exchange,
}

impl MoveCut {
    /// All reasons.
    pub const ALL: [MoveCut; 3] = [MoveCut::LateMove, MoveCut::Futility, MoveCut::Exchange];

    /// As text.
    pub const fn name(self) -> &'static str {
        match self {
            MoveCut::LateMove => "late move",
            MoveCut::Futility => "futility",
            MoveCut::Exchange => "exchange",
        }
    }
}

/// How a move was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    /// With a full window, as the first move of a PV node.
    First,
    /// With a zero window, as the first move of a non-PV node.
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

/// The purpose of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The root: an iteration, or its repetition with a wider window.
    Root,
    /// A move.
    Move(Visit),
    /// A null move.
    NullMove,
    /// Verification of a null-move cutoff: the same position without null moves.
    Verification,
    /// Razoring: the same position in quiescence search.
    Razoring,
    /// A ProbCut capture.
    ProbCut,
    /// Singular search: the same position without the hash move.
    Singular,
    /// A move of the quiescence search.
    Capture,
}

/// Receives the events of a search. By default every function does nothing.
pub trait Observer: Send {
    /// A new iteration starts.
    #[inline(always)]
    fn iteration(&mut self, _depth: u32) {}

    /// The purpose and the move of the node that is entered next. If the position stays the same, the move is
    /// the excluded one, or none.
    #[inline(always)]
    fn approach(&mut self, _purpose: Purpose, _mv: Move) {}

    /// A node is entered, in quiescence search or not.
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

    /// The table was probed, with a hit or not.
    #[inline(always)]
    fn probe(&mut self, _hit: bool) {}

    /// The corrected static evaluation of the node; `Score::NONE` in check.
    #[inline(always)]
    fn evaluated(&mut self, _evaluation: Score) {}

    /// A node ended before its moves were searched.
    #[inline(always)]
    fn cut_node(&mut self, _reason: NodeCut, _depth: Depth) {}

    /// A move was not searched.
    #[inline(always)]
    fn cut_move(&mut self, _reason: MoveCut, _depth: Depth, _mv: Move) {}

    /// The hash move is extended by this much, or reduced if negative.
    #[inline(always)]
    fn extended(&mut self, _mv: Move, _by: Depth) {}

    /// The move searched last raised alpha.
    #[inline(always)]
    fn improved(&mut self, _mv: Move) {}

    /// A move was searched with this score, at a node with this alpha.
    #[inline(always)]
    fn visited(&mut self, _visit: Visit, _pv: bool, _mv: Move, _score: Score, _alpha: Score) {}

    /// A null move or ProbCut was tried, with a cutoff or not.
    #[inline(always)]
    fn tried(&mut self, _reason: NodeCut, _succeeded: bool) {}

    /// A node's moves have been searched. `number` is their number, `best` the index of the best one from 1.
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

    /// A node is left. Its score is invalid if the search was stopped in it.
    #[inline(always)]
    fn exit(&mut self, _score: Score, _finished: bool) {}

    /// A hash cutoff. `decided`: the bound allows it. `deep_enough`: the depth allows it. `possible`: the
    /// score is not a mate closer to the root than the node.
    #[inline(always)]
    fn believed(&mut self, _decided: bool, _deep_enough: bool, _possible: bool) {}

    /// A hash move is played, legal or (by a bug) not.
    #[inline(always)]
    fn hash_move(&mut self, _legal: bool) {}

    /// The result of a node was stored with this bound.
    #[inline(always)]
    fn stored(&mut self, _bound: Bound) {}

    /// The counts, if this observer counts.
    #[inline(always)]
    fn statistics(self) -> Option<Statistics>
    where
        Self: Sized,
    {
        None
    }
}

/// Ignores all events, at no cost.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Observer for Silent {}
