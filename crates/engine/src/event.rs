//! What a search tells its listener.

use crate::{Bound, Score, Statistics};
use chess::Move;
use std::time::Duration;

/// Something that a search has to tell.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line of play with its score.
    Iteration(Iteration),
    /// The root move that is being searched; told only in long searches.
    CurrentMove {
        /// The iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number in the order of search, from 1.
        number: u32,
    },
    /// What happened inside the search, if it was asked for. Comes right before the best move.
    Statistics(Box<Statistics>),
    /// The answer. Exactly one for every accepted search, and always the last event.
    BestMove {
        /// The move to play; `None` if there is no legal move.
        best: Option<Move>,
        /// The reply that is expected.
        ponder: Option<Move>,
    },
}

/// One line of play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// The iteration that found it.
    pub depth: u32,
    /// The deepest ply that was looked at.
    pub selective_depth: u32,
    /// Its place among the best lines, from 1.
    pub multi_pv: usize,
    /// Its score from the side to move's view.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Chances in thousandths to win, draw and lose.
    pub wdl: [u16; 3],
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// Tablebase positions looked up.
    pub tb_hits: u64,
    /// The moves; legal to the end.
    pub pv: Vec<Move>,
}
