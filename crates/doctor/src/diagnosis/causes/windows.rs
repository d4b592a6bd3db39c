//! Causes in the windows and cutoffs of PVS.

use super::{ALWAYS, Cause, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};
use crate::catalogue::FindingId as F;
use crate::diagnosis::price::Price;

pub(super) const CAUSES: &[Cause] = &[
    Cause {
        id: "root-full-window",
        price: Price::measured(50, 150),
        cause: "root moves are searched with a full window",
        advice: "Search every root move but the first with a zero window, and re-search only if it raises alpha.",
        predicts: &[
            (F::StatisticsFullWindows, SURE),
            (F::RootWindowShare, MAYBE),
            (F::GrowthSize, 0.15),
            (F::TacticsDepth, HARDLY),
            (F::NodesPlausible, NEVER),
        ],
    },
    Cause {
        id: "repeated-zero-windows",
        price: Price::measured(20, 110),
        cause: "zero-window searches are repeated at non-PV nodes",
        advice: "Re-search with a full window only at PV nodes, for the first move or if score > alpha.",
        predicts: &[(F::StatisticsReSearches, SURE), (F::GrowthSize, 0.1)],
    },
    Cause {
        id: "strict-cutoff",
        price: Price::measured(0, 60),
        cause: "no cutoff for score == beta",
        advice: "Cut off if score >= beta, not score > beta: in a zero window equality is the usual case.",
        predicts: &[
            (F::StatisticsCutoffs, SURE),
            (F::GrowthSize, 0.3),
            (F::GrowthFactor, 0.2),
            (F::TacticsDepth, HARDLY),
            (F::NodesPlausible, NEVER),
        ],
    },
    Cause {
        id: "no-re-search",
        price: Price::estimated(10, 100),
        cause: "moves that fail high in a zero-window search are not searched again with the full window",
        advice: "At PV nodes search again with the full window if alpha < score < beta: the zero-window search only shows that the \
                 move is better, not how much, and leaves no PV. The finding quotes such a PV.",
        predicts: &[
            (F::InfoNewLines, ALWAYS),
            (F::DistancesPossible, LIKELY),
            (F::StatisticsPvReSearchRate, LIKELY),
            (F::MatesDistance, SELDOM),
            (F::MatingLinesLength, SELDOM),
            (F::TableRootMoves, SELDOM),
            (F::TacticsDepth, SELDOM),
            (F::OddsReversed, NEVER),
        ],
    },
];
