//! Causes in the evaluation, and of differences between the colours.

use super::{ALWAYS, Explanation, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};

pub(super) const CAUSES: &[Explanation] = &[
    Explanation {
        id: "score-view",
        cause: "scores are printed from White's view instead of the side to move's",
        advice: "UCI wants the mover's view. Negate the score when Black is to move, at the place where it is printed and \
                 nowhere else.",
        predicts: &[
            ("odds.view", ALWAYS),
            ("distances.possible", LIKELY),
            ("odds.sign", HARDLY),
            ("mirror.evaluation", MAYBE),
            ("mirror.search", MAYBE),
            ("balance.removal", MAYBE),
            // Everything that reads the score of a search with Black to move is told the opposite.
            ("orientation.black", MAYBE),
            ("orientation.white", SELDOM),
            ("mates.found", MAYBE),
            ("mates.distance", MAYBE),
            ("mates.table", MAYBE),
            ("mates.stalemate", SELDOM),
            ("mating-lines.length", MAYBE),
            ("zugzwang.solved", MAYBE),
            ("table.scouts", MAYBE),
            ("table.drift", SELDOM),
            ("balance.steadiness", SELDOM),
            ("odds.constant", NEVER),
        ],
    },
    Explanation {
        id: "says-nothing",
        cause: "the score does not depend on the position: the engine does not evaluate, or does not search",
        advice: "Ask for 'go depth 4' in the start position and in one with a queen more: the scores must differ. Look for a \
                 score that is printed before it is known, and for a search that returns at once.",
        predicts: &[
            ("odds.constant", ALWAYS),
            ("balance.removal", SURE),
            ("tactics.depth", SURE),
            ("tactics.nodes", LIKELY),
            ("mates.found", LIKELY),
            ("leaves.depth-one", LIKELY),
            ("zugzwang.solved", LIKELY),
            ("mates.horizon", MAYBE),
            ("nodes.counted", MAYBE),
            ("limits.depth", MAYBE),
            ("limits.nodes", MAYBE),
            ("growth.hollow", MAYBE),
            ("orientation.rim", MAYBE),
            ("odds.sign", NEVER),
            ("odds.view", NEVER),
            ("mirror.evaluation", SELDOM),
            ("mirror.search", SELDOM),
        ],
    },
    Explanation {
        id: "one-colour-sign",
        cause: "the evaluation has the wrong sign for one colour",
        advice: "Evaluate a position and its colour mirror: the results must be equal for the side to move. Look for a \
                 missing or a doubled negation where the evaluation is turned to the mover's view.",
        predicts: &[
            ("odds.sign", SURE),
            ("mirror.evaluation", SURE),
            ("mirror.search", SURE),
            ("balance.removal", LIKELY),
            ("balance.steadiness", LIKELY),
            ("odds.view", NEVER),
            ("self-play.white-share", MAYBE),
            ("tactics.nodes", MAYBE),
            ("tactics.depth", LIKELY),
            ("balance.start", MAYBE),
            ("odds.order", MAYBE),
            // What is won for one side is lost for the other.
            ("zugzwang.solved", MAYBE),
            ("odds.constant", NEVER),
        ],
    },
    Explanation {
        id: "black-tables",
        cause: "one colour's piece-square tables are read the wrong way round",
        advice: "Compare the table value of each square for White with that of the mirrored square (square ^ 56) for Black. \
                 Mend the lookup of the colour whose orientation probes fail, not both.",
        predicts: &[
            ("mirror.evaluation", SURE),
            ("mirror.search", LIKELY),
            ("orientation.black", LIKELY),
            ("orientation.white", HARDLY),
            ("odds.sign", HARDLY),
            ("self-play.white-share", MAYBE),
            ("balance.start", MAYBE),
            ("odds.view", NEVER),
        ],
    },
    Explanation {
        id: "colour-terms",
        cause: "a term of the evaluation is given to one colour only",
        advice: "Print the evaluation term by term for a position and its mirror, and look for the first term that differs.",
        predicts: &[
            ("mirror.evaluation", SURE),
            ("mirror.search", LIKELY),
            ("orientation.black", HARDLY),
            ("orientation.white", HARDLY),
            ("odds.sign", HARDLY),
            ("self-play.white-share", MAYBE),
            ("odds.view", NEVER),
        ],
    },
    Explanation {
        id: "tables-upside-down",
        cause: "the piece-square tables are upside down for both colours",
        advice: "A pawn on the seventh rank must be worth more than at home, a castled king more than one in the centre. \
                 Tables written as a board (rank 8 first) need a flip for White, not for Black.",
        predicts: &[
            ("orientation.white", SURE),
            ("orientation.black", SURE),
            ("mirror.evaluation", HARDLY),
            ("odds.sign", HARDLY),
            ("odds.view", NEVER),
            ("orientation.king", MAYBE),
            ("odds.constant", NEVER),
        ],
    },
    Explanation {
        id: "rim",
        cause: "the evaluation likes knights on the rim",
        advice: "Look for bonuses (development, safety, attack) that do not ask where the knight stands.",
        predicts: &[
            ("orientation.rim", SURE),
            ("orientation.white", MAYBE),
            ("orientation.black", MAYBE),
            ("odds.constant", NEVER),
        ],
    },
    Explanation {
        id: "king-walk",
        cause: "the evaluation sends the king for a walk while the pieces are on the board",
        advice: "Use a table of the middlegame for the king while there are pieces, and count its shelter of pawns.",
        predicts: &[("orientation.king", SURE), ("odds.constant", NEVER)],
    },
    Explanation {
        id: "scale",
        cause: "evaluation terms are too large, or counted more than once",
        advice: "Print the evaluation term by term in the positions of the repro lines; a term beyond a pawn in a balanced \
                 position is the suspect.",
        predicts: &[
            ("balance.start", LIKELY),
            ("balance.steadiness", LIKELY),
            ("odds.order", MAYBE),
            ("balance.removal", MAYBE),
            ("leaves.captures", MAYBE),
        ],
    },
    Explanation {
        id: "search-colour",
        cause: "the search, not the evaluation, treats a colour or a square differently (such as hash moves from a1, move 0, \
                taken for no move)",
        advice: "The evaluation is symmetric and most trees are equal to the node. Look for a test that takes square 0 or move \
                 0 for nothing, and for move ordering that depends on colour.",
        predicts: &[
            ("mirror.nodes", SURE),
            ("mirror.evaluation", HARDLY),
            ("odds.sign", HARDLY),
            ("statistics.ordering", HARDLY),
        ],
    },
    Explanation {
        id: "self-play-bias",
        cause: "one colour scores far too much in self-play",
        advice: "Look at the mirror findings first. If they are sound, look at the clock and at the state kept from move to move.",
        predicts: &[("self-play.white-share", SURE)],
    },
];
