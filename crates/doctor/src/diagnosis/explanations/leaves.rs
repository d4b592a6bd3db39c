//! Causes at the leaves: no move, check, captures.

use super::{Explanation, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};

pub(super) const CAUSES: &[Explanation] = &[
    Explanation {
        id: "depth-one",
        cause: "'go depth 1' answers without having searched all moves",
        advice: "The first iteration must try every root move. Look for an early return, and for a best move that is set \
                 before the loop and never replaced.",
        predicts: &[
            ("leaves.depth-one", SURE),
            ("mates.horizon", LIKELY),
            ("leaves.captures", HARDLY),
            ("tactics.nodes", HARDLY),
            ("odds.reversed", NEVER),
        ],
    },
    Explanation {
        id: "mate-stalemate",
        cause: "mate and stalemate are mixed up where there is no legal move",
        advice: "No move and in check is mate (minus infinity plus ply); no move and not in check is a draw.",
        predicts: &[
            ("mates.found", SURE),
            ("mates.horizon", SURE),
            ("mates.stalemate", LIKELY),
            ("distances.possible", MAYBE),
            ("leaves.depth-one", MAYBE),
            ("tactics.nodes", MAYBE),
            ("tactics.depth", MAYBE),
            ("draws.fifty", MAYBE),
            ("zugzwang.solved", MAYBE),
            ("mates.distance", MAYBE),
            // The lines end where there is no move, and that is no mate.
            ("mating-lines.length", MAYBE),
            ("odds.constant", NEVER),
            ("odds.view", NEVER),
            ("odds.reversed", NEVER),
        ],
    },
    Explanation {
        id: "stand-pat-in-check",
        cause: "the leaves do not look at checks: quiescence stands pat in check, or the leaf test comes before the mate test",
        advice: "In check there is no right to stand pat: search all evasions, and return mate if there is none.",
        predicts: &[
            ("mates.horizon", SURE),
            ("mates.found", HARDLY),
            ("leaves.depth-one", 0.2),
            ("leaves.captures", HARDLY),
            ("mates.stalemate", HARDLY),
            ("draws.horizon", HARDLY),
            // Races to promote with check are misjudged.
            ("zugzwang.solved", SELDOM),
            ("odds.reversed", NEVER),
        ],
    },
    Explanation {
        id: "no-quiescence",
        cause: "captures are not followed to their end at the leaves",
        advice: "At depth 0 search captures and promotions until the position is quiet, with stand pat as a lower bound.",
        predicts: &[
            ("leaves.captures", SURE),
            ("balance.steadiness", MAYBE),
            ("mirror.evaluation", HARDLY),
            ("tactics.nodes", MAYBE),
            ("tactics.depth", MAYBE),
            ("table.scouts", MAYBE),
        ],
    },
];
