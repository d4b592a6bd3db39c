//! Causes in the UCI output.

use super::{ALWAYS, Cause, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};
use crate::catalogue::FindingId as F;
use crate::diagnosis::price::Price;

pub(super) const CAUSES: &[Cause] = &[
    Cause {
        id: "swapped-bounds",
        price: Price::estimated(0, 20),
        cause: "lowerbound and upperbound are swapped",
        advice: "A fail-high score is a lowerbound, a fail-low score an upperbound, from the side to move's point of view. Check that \
                 the aspiration window is widened on the side that failed.",
        predicts: &[(F::InfoBounds, SURE), (F::OddsView, HARDLY)],
    },
    Cause {
        id: "malformed-output",
        price: Price::estimated(0, 20),
        cause: "malformed UCI output",
        advice: "GUIs and match runners skip such lines. The finding shows the first one.",
        predicts: &[(F::InfoForm, SURE), (F::ComplianceLines, MAYBE), (F::InfoScore, SELDOM)],
    },
    Cause {
        id: "bestmove-notation",
        price: Price::estimated(600, 1000),
        cause: "bestmove is not in UCI notation",
        advice: "Use long algebraic notation in lower case: e2e4, e1g1, e7e8q. No piece letters, dashes, capture or check signs. The \
                 finding shows the first one.",
        predicts: &[
            // Its own check: an engine that ignores searchmoves writes its moves as it should.
            (F::InfoBestmove, ALWAYS),
            (F::LimitsSearchmoves, LIKELY),
            // PVs are often printed by the same function.
            (F::InfoForm, MAYBE),
        ],
    },
    Cause {
        id: "no-score",
        price: Price::estimated(0, 20),
        cause: "searches end without a score",
        advice: "Print an info line with depth, score and PV before every bestmove, even with little time.",
        predicts: &[(F::InfoScore, LIKELY), (F::ComplianceLines, LIKELY), (F::LegalityAnswers, HARDLY)],
    },
    Cause {
        id: "score-before-search",
        price: Price::estimated(0, 20),
        cause: "the first iterations print a score that was not searched",
        advice: "Print an iteration after it has ended, with the score that its search returned; the initial value of alpha or \
                 of the best score is none.",
        predicts: &[
            (F::OddsFirstDepth, ALWAYS),
            (F::BalanceStart, SELDOM),
            (F::MatesHorizon, SELDOM),
            (F::InfoBounds, SELDOM),
            (F::OddsConstant, NEVER),
        ],
    },
    Cause {
        id: "protocol-steps",
        price: Price::estimated(20, 300),
        cause: "no bestmove in searches of match runners",
        advice: "The finding names the steps; the repro shows the first. Parse the arguments of go in any order, and do not require \
                 both clocks.",
        predicts: &[(F::ComplianceAnswers, SURE)],
    },
    Cause {
        id: "no-name",
        price: Price::estimated(0, 0),
        cause: "id name or id author is missing",
        advice: "Send id name and id author before uciok.",
        predicts: &[(F::ComplianceNames, SURE)],
    },
];
