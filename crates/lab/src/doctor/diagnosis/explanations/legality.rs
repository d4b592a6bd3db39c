//! Causes in the rules, and of engines that end, hang or do not begin.

use super::{Explanation, HARDLY, LIKELY, MAYBE, SELDOM, SURE};

pub(super) const CAUSES: &[Explanation] = &[
    Explanation {
        id: "move-generator",
        cause: "the rules are wrong somewhere: illegal moves are generated",
        advice: "Compare perft counts with known ones (vedette perft), starting with the position of the repro lines.",
        predicts: &[
            ("legality.answers", LIKELY),
            ("legality.lines", LIKELY),
            ("special-moves.tempting", LIKELY),
            ("special-moves.followed", LIKELY),
            ("special-moves.known", SELDOM),
            ("tiny-hash.moves", MAYBE),
        ],
    },
    Explanation {
        id: "missing-moves",
        cause: "the move generator lacks legal moves: castling, captures in passing, promotions or underpromotions",
        advice: "The finding names the moves. Compare perft counts with known ones (vedette perft), starting with the position of \
                 the repro lines; look at how such moves are read from the list of a game as well.",
        predicts: &[
            // A move that is never made is never an illegal one.
            ("special-moves.known", SURE),
            ("special-moves.followed", SELDOM),
            ("legality.answers", SELDOM),
        ],
    },
    Explanation {
        id: "no-move",
        cause: "a search that ends early answers without a move",
        advice: "Have a legal move before the first iteration begins, and let no limit take it away. Counters that decide when \
                 the limits are looked at must start anew with every search.",
        predicts: &[("legality.missing", SURE), ("legality.answers", HARDLY)],
    },
    Explanation {
        id: "chess960",
        cause: "Chess960 castling is offered and does not work",
        advice: "Castling is written as king takes own rook; the squares that must be free and unattacked are those between \
                 start and goal of both.",
        predicts: &[("chess960.moves", SURE)],
    },
    Explanation {
        id: "crash",
        cause: "the engine crashes or hangs",
        advice: "Send the repro lines of the first incident; run a debug build with sanitizers on them.",
        predicts: &[("legality.stability", SURE), ("compliance.answers", 0.2)],
    },
    Explanation {
        id: "does-not-start",
        cause: "the engine does not start or does not speak UCI",
        advice: "Start it by hand, type 'uci', and look for 'uciok'. Some programs need an argument for UCI.",
        predicts: &[("handshake.start", SURE)],
    },
    Explanation {
        id: "never-ready",
        cause: "the engine says 'uciok' and never 'readyok'",
        advice: "Start it by hand, type 'uci' and 'isready', and look for 'readyok'. What lies between is setting options and loading \
                 networks, tables and books; the answer comes when that is done, also while there is nothing to do.",
        predicts: &[("handshake.ready", SURE)],
    },
];
