//! Causes in the distances of mates, and in how they are told.

use super::{ALWAYS, Explanation, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};

pub(super) const CAUSES: &[Explanation] = &[
    Explanation {
        id: "mate-without-ply",
        cause: "mates carry no distance: the mate score does not count the half moves from the root",
        advice: "Return minus mate plus the ply where a king is mated, so that a nearer mate is worth more, and tell the distance \
                 of the score from the mate value.",
        predicts: &[
            ("mates.ply", ALWAYS),
            ("mates.distance", SURE),
            ("mating-lines.length", LIKELY),
            ("distances.possible", LIKELY),
            ("mates.found", MAYBE),
            ("mates.table", MAYBE),
            ("mates.horizon", MAYBE),
            ("zugzwang.solved", SELDOM),
            ("odds.view", NEVER),
            ("odds.reversed", NEVER),
            ("mating-lines.mate", HARDLY),
        ],
    },
    Explanation {
        id: "mate-off-by-one",
        cause: "mates are told one move too near or too far: the lines shown are longer or shorter",
        advice: "UCI counts the moves of the side that mates: (plies + 1) / 2, and minus plies / 2 for the side that is mated, rounded \
                 down. Compare with the length of the line.",
        predicts: &[
            ("mating-lines.length", SURE),
            ("mates.horizon", SELDOM),
            ("mates.distance", SELDOM),
            ("mates.found", HARDLY),
            ("distances.possible", SELDOM),
            ("mates.stalemate", HARDLY),
            ("odds.reversed", NEVER),
            ("mating-lines.mate", HARDLY),
        ],
    },
    Explanation {
        id: "false-mates",
        cause: "checks are called mates though they can be answered: not all answers are searched",
        advice: "In check every evasion must be searched, at the leaves too: a quiescence that looks only at captures there knows no mate, \
                 and has to return the evaluation. The finding shows a line whose last check can be answered.",
        predicts: &[
            ("mating-lines.mate", ALWAYS),
            ("distances.possible", LIKELY),
            ("mates.distance", LIKELY),
            ("mates.stalemate", MAYBE),
            ("mates.table", MAYBE),
            ("zugzwang.solved", MAYBE),
            ("tactics.nodes", MAYBE),
            ("tactics.depth", MAYBE),
            ("draws.too-early", SELDOM),
            ("balance.steadiness", MAYBE),
            ("table.scouts", MAYBE),
        ],
    },
    Explanation {
        id: "mate-in-plies",
        cause: "mates are announced in half moves instead of moves",
        advice: "UCI counts moves: tell (plies + 1) / 2 for a mate and -plies / 2 for being mated.",
        predicts: &[
            ("mating-lines.unit", ALWAYS),
            ("mates.distance", SELDOM),
            ("mates.table", SELDOM),
            ("zugzwang.solved", SELDOM),
            ("mates.found", HARDLY),
            ("distances.possible", NEVER),
            ("mates.stalemate", HARDLY),
            ("odds.view", NEVER),
        ],
    },
    Explanation {
        id: "mate-words",
        cause: "mates are told as great numbers of centipawns instead of 'score mate'",
        advice: "Print 'score mate N' when the score is within the longest line of the mate value.",
        predicts: &[("mates.words", SURE), ("info.form", SELDOM)],
    },
];
