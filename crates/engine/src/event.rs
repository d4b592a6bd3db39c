//! What a search reports to its listener.

use crate::Statistics;
use chess::Move;
use uci::{BestMove, Info};

/// An event of a search.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    /// A PV with its score, or, in long searches, the current root move.
    Info(Info<Move>),
    /// Search statistics, if requested; right before the best move.
    Statistics(Box<Statistics>),
    /// The best move: exactly one for every accepted search, always the last event.
    BestMove(BestMove<Move>),
}
