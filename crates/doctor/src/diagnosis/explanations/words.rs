//! Causes in what an engine says.

use super::{Explanation, HARDLY, LIKELY, MAYBE, SELDOM, SURE};

pub(super) const CAUSES: &[Explanation] = &[
    Explanation {
        id: "bound-words",
        cause: "lowerbound and upperbound are told the wrong way round",
        advice: "A score of at least beta is a lowerbound, one of at most alpha an upperbound, both from the mover's view. \
                 Look at the root's window as well: it must be widened on the side that failed.",
        predicts: &[("info.bounds", SURE), ("odds.view", HARDLY)],
    },
    Explanation {
        id: "protocol-words",
        cause: "what the engine says is not well-formed UCI",
        advice: "Match runners and GUIs skip or refuse such lines. The finding names the first of them.",
        predicts: &[("info.form", SURE), ("compliance.lines", MAYBE), ("info.score", SELDOM)],
    },
    Explanation {
        id: "answer-words",
        cause: "what follows 'bestmove' is no move",
        advice: "Write moves by their squares in lower case, and promotions with one letter more: e2e4, e1g1, e7e8q. No names of \
                 pieces, no dashes, no signs for captures and checks. The finding quotes the first answer.",
        predicts: &[
            ("info.bestmove", SURE),
            // Nobody can tell such answers from disobedience.
            ("limits.searchmoves", LIKELY),
            // Lines of play are often written by the same function.
            ("info.form", MAYBE),
        ],
    },
    Explanation {
        id: "no-score",
        cause: "searches end without having told a score",
        advice: "Print an info line with depth, score and line at least before every bestmove, also when time is short.",
        predicts: &[("info.score", LIKELY), ("compliance.lines", LIKELY), ("legality.answers", HARDLY)],
    },
    Explanation {
        id: "protocol-steps",
        cause: "searches that match runners ask for are not answered",
        advice: "The finding names the steps; its repro lines show the first of them. Read the words after 'go' in any order, and \
                 do not count on both clocks being told.",
        predicts: &[("compliance.answers", SURE)],
    },
    Explanation {
        id: "no-name",
        cause: "the engine does not say its name or its author's",
        advice: "Answer 'uci' with 'id name' and 'id author' before 'uciok': match runners refuse an engine without them.",
        predicts: &[("compliance.names", SURE)],
    },
];
