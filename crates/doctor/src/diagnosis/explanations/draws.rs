//! Causes in draws.

use super::{ALWAYS, Explanation, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};

pub(super) const CAUSES: &[Explanation] = &[
    Explanation {
        id: "repetition",
        cause: "repetitions are not seen in the search",
        advice: "Compare the key with those of the game and of the line, back to the last irreversible move.",
        predicts: &[
            ("draws.repetition", SURE),
            ("draws.game-history", SURE),
            ("draws.horizon", 0.2),
            ("draws.fifty", HARDLY),
            ("draws.value", NEVER),
            ("special-moves.lists", NEVER),
        ],
    },
    Explanation {
        id: "game-history",
        cause: "repetitions are seen in the search, and the positions of the game before it are not compared",
        advice: "Keep the keys of the moves of 'position ... moves', and look back into them from the search as far as the halfmove \
                 clock reaches.",
        predicts: &[
            ("draws.game-history", ALWAYS),
            ("draws.repetition", HARDLY),
            ("draws.fifty", HARDLY),
            ("draws.value", NEVER),
            ("special-moves.lists", NEVER),
        ],
    },
    Explanation {
        id: "draws-too-early",
        cause: "positions that can be won are called draws",
        advice: "Only bare kings, a single minor piece, or bishops of one colour are too little to win; the fifty-move rule counts a \
                 hundred half moves.",
        predicts: &[
            ("draws.too-early", SURE),
            ("odds.sign", HARDLY),
            ("draws.value", NEVER),
            ("odds.reversed", NEVER),
        ],
    },
    Explanation {
        id: "fifty-moves",
        cause: "the fifty-move rule is not seen in the search",
        advice: "Return a draw when the halfmove clock reaches 100, unless it is mate.",
        predicts: &[
            ("draws.fifty", SURE),
            ("draws.fen-clock", SURE),
            ("draws.horizon", LIKELY),
            ("draws.repetition", HARDLY),
            ("draws.game-history", HARDLY),
            ("draws.value", NEVER),
            ("special-moves.lists", NEVER),
        ],
    },
    Explanation {
        id: "fen-clock",
        cause: "the halfmove clock of a FEN is not read: games that begin with it are drawn too late",
        advice: "Read the fifth field of the FEN into the counter of the fifty-move rule.",
        predicts: &[
            ("draws.fen-clock", SURE),
            ("draws.fifty", HARDLY),
            ("draws.horizon", HARDLY),
            ("draws.value", NEVER),
        ],
    },
    Explanation {
        id: "draw-at-leaf",
        cause: "draws are looked for inside the tree and not at its leaves",
        advice: "Test for draws before the test for depth 0: the leaf test comes last.",
        predicts: &[
            ("draws.horizon", SURE),
            ("draws.fifty", HARDLY),
            ("draws.repetition", HARDLY),
            ("draws.game-history", HARDLY),
            ("draws.value", NEVER),
            ("special-moves.lists", NEVER),
        ],
    },
    Explanation {
        id: "drawn-material",
        cause: "endings that nobody can win are not scored as draws",
        advice: "Return a draw when neither side can mate, before the evaluation is asked.",
        predicts: &[("draws.material", SURE), ("draws.value", NEVER)],
    },
    Explanation {
        id: "draw-value",
        cause: "draws are seen, and scored with another number than 0",
        advice: "Return 0 for a draw, from whosever view. Contempt must change its sign with the side to move, and be smaller than \
                 half a pawn.",
        predicts: &[
            ("draws.value", ALWAYS),
            ("draws.repetition", MAYBE),
            ("draws.game-history", LIKELY),
            ("draws.fifty", LIKELY),
            ("draws.fen-clock", LIKELY),
            ("draws.horizon", LIKELY),
            ("draws.material", LIKELY),
            ("mates.stalemate", LIKELY),
            ("zugzwang.solved", MAYBE),
            ("balance.steadiness", SELDOM),
        ],
    },
];
