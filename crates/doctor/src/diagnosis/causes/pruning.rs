//! Causes in pruning, reductions and move ordering.

use super::{Cause, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};
use crate::catalogue::FindingId as F;
use crate::diagnosis::price::Price;

pub(super) const CAUSES: &[Cause] = &[
    Cause {
        id: "null-move",
        price: Price::measured(10, 90),
        cause: "null move pruning is used in zugzwang: in pawn endings, twice in a row, or without verification",
        advice: "No null move in check, after a null move, or without pieces; use a verification search at high depth.",
        predicts: &[
            (F::ZugzwangSolved, SURE),
            (F::MatesFound, 0.15),
            (F::TacticsDepth, HARDLY),
            (F::OddsView, NEVER),
            (F::OddsConstant, NEVER),
        ],
    },
    Cause {
        id: "over-reduction",
        price: Price::measured(50, 150),
        cause: "late moves are reduced or pruned too much",
        advice: "Halve the reductions and compare at fixed nodes, not at fixed depth.",
        predicts: &[
            (F::GrowthSmall, SURE),
            (F::ZugzwangSolved, MAYBE),
            (F::TacticsDepth, MAYBE),
            (F::GrowthFactor, 0.2),
            (F::TacticsNodes, MAYBE),
            (F::MatesFound, 0.2),
            (F::NodesCounted, HARDLY),
            (F::LeavesCaptures, HARDLY),
            (F::StatisticsPvCuts, HARDLY),
            (F::TableRootMoves, MAYBE),
            (F::TableCleared, HARDLY),
            (F::NodesPlausible, NEVER),
            (F::OddsView, NEVER),
            (F::OddsConstant, NEVER),
            (F::OddsReversed, NEVER),
        ],
    },
    Cause {
        id: "unsound-pruning",
        price: Price::measured(100, 200),
        cause: "unsound static pruning: in check, at PV nodes or near mate scores",
        advice: "No reverse futility pruning, razoring or futility pruning in check, at PV nodes, or if alpha or beta is a mate \
                 score; use a margin that grows with depth.",
        predicts: &[
            (F::StatisticsPvCuts, SURE),
            (F::GrowthSmall, LIKELY),
            (F::MatesFound, MAYBE),
            (F::TacticsNodes, MAYBE),
            (F::TacticsDepth, MAYBE),
            (F::MatesHorizon, MAYBE),
            (F::MatesDistance, MAYBE),
            (F::TableRootMoves, 0.2),
            (F::ZugzwangSolved, MAYBE),
            (F::DrawsRepetition, MAYBE),
            (F::DrawsValue, NEVER),
            (F::NodesCounted, HARDLY),
            (F::LeavesCaptures, HARDLY),
            (F::NodesPlausible, NEVER),
            (F::OddsView, NEVER),
            (F::OddsConstant, NEVER),
            (F::OddsReversed, NEVER),
        ],
    },
    Cause {
        id: "move-order",
        price: Price::estimated(50, 800),
        cause: "poor move ordering",
        advice: "Search the hash move first, then captures by MVV-LVA, killers and history. Count first-move cutoffs: 85 % is normal.",
        predicts: &[
            (F::GrowthSize, MAYBE),
            (F::StatisticsOrdering, SURE),
            (F::TacticsNodes, MAYBE),
            (F::GrowthFactor, MAYBE),
            // Good moves come late and are reduced.
            (F::TacticsDepth, MAYBE),
            (F::TableRootMoves, MAYBE),
            (F::TableDrift, SELDOM),
            (F::BalanceStability, SELDOM),
            (F::GrowthExplosions, MAYBE),
            (F::GrowthBestMove, LIKELY),
            (F::StatisticsPvReSearchRate, MAYBE),
            (F::NodesPlausible, NEVER),
            (F::OddsReversed, NEVER),
        ],
    },
    Cause {
        id: "quiescence-explosion",
        price: Price::estimated(50, 300),
        cause: "quiescence search explosion",
        advice: "Allow stand pat, skip captures with negative SEE, limit checks to the first ply, and limit the depth.",
        predicts: &[
            (F::GrowthExplosions, SURE),
            (F::GrowthSize, MAYBE),
            (F::StabilityDepth, MAYBE),
            (F::TacticsNodes, MAYBE),
            // If the first iteration does not finish in time.
            (F::InfoScore, SELDOM),
            (F::ComplianceLines, SELDOM),
            (F::NodesPlausible, NEVER),
        ],
    },
];
