//! What a search reports to its listener.

use crate::Statistics;
use chess::Move;
use uci::{BestMove, Info};

/// Something that a search reports.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line of play with its score, or, in long searches, the root move that is being searched.
    Info(Info<Move>),
    /// What happened inside the search, if it was asked for. Comes right before the best move.
    Statistics(Box<Statistics>),
    /// The answer. Exactly one for every accepted search, and always the last event.
    BestMove(BestMove<Move>),
}
