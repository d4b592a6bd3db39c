//! Causes in what a search leaves out, and in its order of moves.

use super::{Explanation, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};

pub(super) const CAUSES: &[Explanation] = &[
    Explanation {
        id: "null-move",
        cause: "the null move is used where passing would be best: in pawn endings, twice in a row, without verification",
        advice: "No null move in check, after a null move, or without a piece; verify it at high depth.",
        predicts: &[
            ("zugzwang.solved", SURE),
            ("mates.found", 0.15),
            ("tactics.depth", HARDLY),
            ("odds.view", NEVER),
            ("odds.constant", NEVER),
        ],
    },
    Explanation {
        id: "over-reduction",
        cause: "late moves are reduced or pruned far too much: a ply is worth little",
        advice: "Halve the reductions and compare at equal nodes, never at equal depth: depth is cheap here because it is hollow.",
        predicts: &[
            ("growth.hollow", SURE),
            ("zugzwang.solved", MAYBE),
            ("tactics.depth", MAYBE),
            ("growth.factor", 0.2),
            ("tactics.nodes", MAYBE),
            ("mates.found", 0.2),
            ("nodes.counted", HARDLY),
            ("leaves.captures", HARDLY),
            ("statistics.pv-cuts", HARDLY),
            ("table.scouts", MAYBE),
            ("table.forgets", HARDLY),
            ("nodes.plausible", NEVER),
            ("odds.view", NEVER),
            ("odds.constant", NEVER),
            ("odds.reversed", NEVER),
        ],
    },
    Explanation {
        id: "unsound-pruning",
        cause: "nodes are pruned by their static evaluation where that is not sound: in check, at PV nodes, near mate",
        advice: "No reverse futility, razoring or futility in check, at PV nodes or when alpha or beta is a mate score; \
                 leave a margin that grows with depth.",
        predicts: &[
            ("statistics.pv-cuts", SURE),
            ("growth.hollow", LIKELY),
            ("mates.found", MAYBE),
            ("tactics.nodes", MAYBE),
            ("tactics.depth", MAYBE),
            ("mates.horizon", MAYBE),
            ("mates.distance", MAYBE),
            ("table.scouts", 0.2),
            ("zugzwang.solved", MAYBE),
            ("draws.repetition", MAYBE),
            ("draws.value", NEVER),
            ("nodes.counted", HARDLY),
            ("leaves.captures", HARDLY),
            ("nodes.plausible", NEVER),
            ("odds.view", NEVER),
            ("odds.constant", NEVER),
            ("odds.reversed", NEVER),
        ],
    },
    Explanation {
        id: "move-order",
        cause: "moves are searched in a bad order",
        advice: "Order: hash move, captures by victim, killers, history. Count first-move cutoffs: 85 % is normal.",
        predicts: &[
            ("growth.size", MAYBE),
            ("statistics.ordering", SURE),
            ("tactics.nodes", MAYBE),
            ("growth.factor", MAYBE),
            // Late moves are reduced, and here the good ones come late.
            ("tactics.depth", MAYBE),
            ("table.scouts", MAYBE),
            ("table.drift", SELDOM),
            ("balance.steadiness", SELDOM),
            ("growth.explosions", MAYBE),
            ("growth.best-move", LIKELY),
            ("statistics.rate-b", MAYBE),
            ("nodes.plausible", NEVER),
            ("odds.reversed", NEVER),
        ],
    },
    Explanation {
        id: "quiescence-explosion",
        cause: "quiescence explodes in some positions",
        advice: "Let the side to move stand pat, leave out captures that lose material (static exchange), limit checks to the first \
                 ply, and bound the depth.",
        predicts: &[
            ("growth.explosions", SURE),
            ("growth.size", MAYBE),
            ("stability.depth", MAYBE),
            ("tactics.nodes", MAYBE),
            // Where not even the first ply is finished in time.
            ("info.score", SELDOM),
            ("compliance.lines", SELDOM),
            ("nodes.plausible", NEVER),
        ],
    },
];
