//! Causes at the leaves and in quiescence search.

use super::{ALWAYS, Cause, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};
use crate::catalogue::FindingId as F;
use crate::diagnosis::price::Price;

pub(super) const CAUSES: &[Cause] = &[
    Cause {
        id: "depth-one",
        price: Price::measured(0, 70),
        cause: "go depth 1 does not search all root moves",
        advice: "The first iteration must search every root move. Look for an early return, and for a best move that is set before \
                 the loop and never replaced.",
        predicts: &[
            (F::LeavesDepthOne, SURE),
            (F::MatesHorizon, LIKELY),
            (F::LeavesCaptures, HARDLY),
            (F::TacticsNodes, HARDLY),
            (F::OddsReversed, NEVER),
        ],
    },
    Cause {
        id: "mate-stalemate",
        price: Price::measured(20, 100),
        cause: "checkmate and stalemate are confused",
        advice: "Without a legal move, return -MATE + ply if in check and a draw score otherwise.",
        predicts: &[
            (F::MatesFound, SURE),
            (F::MatesHorizon, SURE),
            (F::MatesStalemate, LIKELY),
            (F::DistancesPossible, MAYBE),
            (F::LeavesDepthOne, MAYBE),
            (F::TacticsNodes, MAYBE),
            (F::TacticsDepth, MAYBE),
            (F::DrawsFifty, MAYBE),
            (F::ZugzwangSolved, MAYBE),
            (F::MatesDistance, MAYBE),
            // PVs end in stalemate.
            (F::MatingLinesLength, MAYBE),
            (F::OddsConstant, NEVER),
            (F::OddsView, NEVER),
            (F::OddsReversed, NEVER),
        ],
    },
    Cause {
        id: "stand-pat-in-check",
        price: Price::measured(0, 70),
        cause: "quiescence search stands pat in check, or depth 0 is tested before checkmate",
        advice: "Do not stand pat in check: search all evasions, and return a mate score if there are none.",
        predicts: &[
            (F::MatesHorizon, SURE),
            (F::MatesFound, HARDLY),
            (F::LeavesDepthOne, 0.2),
            (F::LeavesCaptures, HARDLY),
            (F::MatesStalemate, HARDLY),
            (F::DrawsHorizon, HARDLY),
            // Promotions with check.
            (F::ZugzwangSolved, SELDOM),
            (F::OddsReversed, NEVER),
        ],
    },
    Cause {
        id: "no-quiescence",
        price: Price::measured(150, 260),
        cause: "no quiescence search",
        advice: "At depth 0 search captures and promotions until the position is quiet, with stand pat as a lower bound.",
        predicts: &[
            (F::LeavesCaptures, SURE),
            (F::LeavesExchanges, LIKELY),
            (F::LeavesOrder, HARDLY),
            (F::OddsValues, HARDLY),
            (F::BalanceStability, MAYBE),
            (F::MirrorEvaluation, HARDLY),
            (F::TacticsNodes, MAYBE),
            (F::TacticsDepth, MAYBE),
            (F::TableRootMoves, MAYBE),
        ],
    },
    Cause {
        id: "short-quiescence",
        price: Price::estimated(50, 200),
        cause: "quiescence search ends before exchanges do",
        advice: "Follow captures until the side to move prefers to stand pat: a limit of a few plies scores positions in the middle \
                 of an exchange. To save nodes skip captures with negative SEE instead.",
        predicts: &[
            (F::LeavesExchanges, ALWAYS),
            (F::LeavesCaptures, HARDLY),
            (F::BalanceStability, MAYBE),
            (F::GrowthSize, SELDOM),
            (F::TacticsNodes, SELDOM),
            (F::TacticsDepth, SELDOM),
            (F::OddsConstant, NEVER),
            (F::OddsReversed, NEVER),
        ],
    },
];
