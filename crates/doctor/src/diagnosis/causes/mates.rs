//! Causes in mate scores and mate distances.

use super::{ALWAYS, Cause, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};
use crate::catalogue::FindingId as F;
use crate::diagnosis::price::Price;

pub(super) const CAUSES: &[Cause] = &[
    Cause {
        id: "mate-without-ply",
        price: Price::estimated(20, 150),
        cause: "mate scores do not include the distance from the root",
        advice: "Return -MATE + ply for checkmate, so that a shorter mate scores more, and print the distance from MATE.",
        predicts: &[
            (F::MatesPly, ALWAYS),
            (F::MatesDistance, SURE),
            (F::MatingLinesLength, LIKELY),
            (F::DistancesPossible, LIKELY),
            (F::MatesFound, MAYBE),
            (F::MatesTable, MAYBE),
            (F::MatesHorizon, MAYBE),
            (F::ZugzwangSolved, SELDOM),
            (F::OddsView, NEVER),
            (F::OddsReversed, NEVER),
            (F::MatingLinesMate, HARDLY),
        ],
    },
    Cause {
        id: "mate-off-by-one",
        price: Price::estimated(0, 0),
        cause: "mate distances are off by one",
        advice: "UCI counts moves: print (plies + 1) / 2 when mating and -plies / 2 when being mated. Compare with the length of the PV.",
        predicts: &[
            (F::MatingLinesLength, SURE),
            (F::MatesHorizon, SELDOM),
            (F::MatesDistance, SELDOM),
            (F::MatesFound, HARDLY),
            (F::DistancesPossible, SELDOM),
            (F::MatesStalemate, HARDLY),
            (F::OddsReversed, NEVER),
            (F::MatingLinesMate, HARDLY),
        ],
    },
    Cause {
        id: "false-mates",
        price: Price::estimated(20, 150),
        cause: "checks with legal evasions are scored as checkmate",
        advice: "Search all evasions when in check, in quiescence search too: with captures only, no move is not checkmate. The finding \
                 shows a PV whose last check has a legal evasion.",
        predicts: &[
            (F::MatingLinesMate, ALWAYS),
            (F::DistancesPossible, LIKELY),
            (F::MatesDistance, LIKELY),
            (F::MatesStalemate, MAYBE),
            (F::MatesTable, MAYBE),
            (F::ZugzwangSolved, MAYBE),
            (F::TacticsNodes, MAYBE),
            (F::TacticsDepth, MAYBE),
            (F::DrawsTooEarly, SELDOM),
            (F::BalanceStability, MAYBE),
            (F::TableRootMoves, MAYBE),
        ],
    },
    Cause {
        id: "mate-in-plies",
        price: Price::estimated(0, 0),
        cause: "mate distances are reported in plies instead of moves",
        advice: "UCI counts moves: print (plies + 1) / 2 when mating and -plies / 2 when being mated.",
        predicts: &[
            (F::MatingLinesUnit, ALWAYS),
            (F::MatesDistance, SELDOM),
            (F::MatesTable, SELDOM),
            (F::ZugzwangSolved, SELDOM),
            (F::MatesFound, HARDLY),
            (F::DistancesPossible, NEVER),
            (F::MatesStalemate, HARDLY),
            (F::OddsView, NEVER),
        ],
    },
    Cause {
        id: "mates-as-centipawns",
        price: Price::estimated(0, 0),
        cause: "mates are reported as score cp instead of score mate",
        advice: "Print score mate N if the score is within MAX_PLY of MATE.",
        predicts: &[(F::MatesNotation, SURE), (F::InfoForm, SELDOM)],
    },
];
