//! Causes in node counts and search limits.

use super::{ALWAYS, Cause, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};
use crate::catalogue::FindingId as F;
use crate::diagnosis::price::Price;

pub(super) const CAUSES: &[Cause] = &[
    Cause {
        id: "node-counter",
        price: Price::measured(0, 20),
        cause: "nodes are not counted everywhere",
        advice: "Count in make_move, or in search and quiescence search. Until this is fixed, node counts say nothing about pruning.",
        predicts: &[
            (F::NodesCounted, SURE),
            (F::LimitsNodes, MAYBE),
            (F::GrowthSmall, LIKELY),
            (F::GrowthFactor, MAYBE),
            (F::MirrorNodes, MAYBE),
            (F::TableCleared, 0.1),
            // The clock is often checked every few thousand nodes.
            (F::ClockLastMoves, MAYBE),
            (F::FastGamesFlags, MAYBE),
            (F::NodesPlausible, NEVER),
        ],
    },
    Cause {
        id: "node-numbers",
        price: Price::estimated(0, 0),
        cause: "impossible node counts",
        advice: "Print the counter of this search, as an unsigned 64-bit number.",
        predicts: &[(F::NodesPlausible, SURE), (F::LimitsNodes, SELDOM)],
    },
    Cause {
        id: "nodes-kept",
        price: Price::estimated(0, 20),
        cause: "the node counter is not reset by go",
        advice: "Reset the counter of every thread on go. Otherwise a search with go nodes ends before it has begun.",
        predicts: &[
            (F::NodesReset, ALWAYS),
            // Node limits are reached at once.
            (F::LimitsNodes, MAYBE),
            (F::InfoScore, MAYBE),
            (F::ComplianceLines, MAYBE),
            (F::LegalityMissing, MAYBE),
            (F::TacticsNodes, MAYBE),
            (F::TableCleared, MAYBE),
            (F::GrowthSmall, SELDOM),
            (F::GrowthExplosions, SELDOM),
            (F::MirrorNodes, MAYBE),
            (F::RootWindowShare, SELDOM),
        ],
    },
    Cause {
        id: "node-limit",
        price: Price::measured(0, 0),
        cause: "go nodes is ignored",
        advice: "Check the node limit wherever the clock is checked.",
        predicts: &[(F::LimitsNodes, SURE), (F::NodesCounted, HARDLY)],
    },
    Cause {
        id: "search-moves",
        price: Price::measured(0, 0),
        cause: "go searchmoves is ignored",
        advice: "Filter the root moves before the first iteration.",
        predicts: &[(F::LimitsSearchmoves, SURE), (F::Chess960Moves, HARDLY)],
    },
    Cause {
        id: "depth-limit",
        price: Price::estimated(0, 0),
        cause: "go depth ends at another depth",
        advice: "Iterate from 1 to the limit inclusive, and print the depth of the finished iteration.",
        predicts: &[(F::LimitsDepth, SURE)],
    },
    Cause {
        id: "infinite",
        price: Price::estimated(0, 0),
        cause: "bestmove before stop in go infinite, or not exactly one after it",
        advice: "Send exactly one bestmove, after stop, even when a mate is found.",
        predicts: &[(F::LimitsInfinite, SURE)],
    },
    Cause {
        id: "aborted-move",
        price: Price::estimated(20, 150),
        cause: "bestmove is not the first PV move: it comes from an aborted iteration",
        advice: "When the search is aborted, discard the score of the current move, and play the first move of the last PV.",
        predicts: &[
            (F::LegalityAgreement, ALWAYS),
            (F::TacticsNodes, MAYBE),
            (F::LimitsStop, MAYBE),
            (F::TacticsDepth, SELDOM),
        ],
    },
    Cause {
        id: "aborted-iteration",
        price: Price::estimated(50, 300),
        cause: "the result of an unfinished iteration replaces that of the last finished one",
        advice: "When the search is aborted, its scores mean nothing: leave the move loop before the score is compared, and keep \
                 the move and the score of the last finished iteration, or of root moves that were searched to the end.",
        predicts: &[
            (F::LimitsAborted, ALWAYS),
            (F::TacticsNodes, MAYBE),
            (F::LimitsStop, MAYBE),
            (F::LegalityAgreement, SELDOM),
            (F::OddsReversed, NEVER),
        ],
    },
    Cause {
        id: "stop-answer",
        price: Price::estimated(0, 100),
        cause: "stop does not return the best move so far",
        advice: "Keep the best move of the last finished iteration, and of the current one after its first move; discard the score of \
                 an aborted move.",
        predicts: &[(F::LimitsStop, SURE), (F::LeavesDepthOne, HARDLY)],
    },
    Cause {
        id: "move-time",
        price: Price::estimated(0, 50),
        cause: "go movetime is exceeded",
        advice: "Check the clock every thousand nodes or so, in quiescence search too, and start it when go is received.",
        predicts: &[
            (F::LimitsMovetime, SURE),
            (F::ClockLowTime, MAYBE),
            (F::ClockLastMoves, MAYBE),
            (F::FastGamesFlags, MAYBE),
            (F::ClockFlag, 0.2),
        ],
    },
];
