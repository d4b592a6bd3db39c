//! Causes in windows and cutoffs of principal variation search.

use super::{Explanation, HARDLY, MAYBE, NEVER, SURE};

pub(super) const CAUSES: &[Explanation] = &[
    Explanation {
        id: "root-full-window",
        cause: "root moves are searched with an open window instead of being scouted",
        advice: "Scout every root move but the first with a zero window, and search again only if it is better.",
        predicts: &[
            ("statistics.open-windows", SURE),
            ("root-window.share", MAYBE),
            ("growth.size", 0.15),
            ("tactics.depth", HARDLY),
            ("nodes.plausible", NEVER),
        ],
    },
    Explanation {
        id: "repeated-scouts",
        cause: "zero-window searches that fail high are repeated at nodes where no re-search can tell anything new",
        advice: "The rule is: PV node and (first move or score > alpha). At all other nodes the scout's answer is the answer.",
        predicts: &[("statistics.re-searches", SURE), ("growth.size", 0.1)],
    },
    Explanation {
        id: "strict-cutoff",
        cause: "a move that equals beta does not cut off",
        advice: "Cut off when score >= beta, not when score > beta: in a zero window equality is the usual case.",
        predicts: &[
            ("statistics.cutoffs", SURE),
            ("growth.size", 0.3),
            ("growth.factor", 0.2),
            ("tactics.depth", HARDLY),
            ("nodes.plausible", NEVER),
        ],
    },
];
