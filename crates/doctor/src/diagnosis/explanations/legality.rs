//! Causes in the rules, and of engines that end, hang or do not begin.

use super::{ALWAYS, Explanation, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};

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
            ("special-moves.board", HARDLY),
            ("special-moves.lists", NEVER),
        ],
    },
    Explanation {
        id: "moves-not-played",
        cause: "the moves after 'position' are not played, or only those after 'startpos'",
        advice: "Read 'position fen F moves ...' as 'position startpos moves ...' is read: set the board up, look for the word \
                 'moves', wherever it stands, and play what follows.",
        predicts: &[
            ("special-moves.lists", ALWAYS),
            ("special-moves.followed", SURE),
            ("legality.answers", LIKELY),
            ("legality.lines", LIKELY),
            ("draws.game-history", LIKELY),
            ("draws.fifty", LIKELY),
            ("draws.horizon", LIKELY),
            ("draws.repetition", MAYBE),
            ("tiny-hash.moves", MAYBE),
            ("mates.table", MAYBE),
            ("mates.found", SELDOM),
            ("mates.distance", SELDOM),
            ("distances.possible", SELDOM),
            ("table.key", SELDOM),
            ("table.drift", SELDOM),
            ("stability.depth", SELDOM),
            ("clock.share", SELDOM),
            ("clock.first-moves", SELDOM),
            ("clock.flag", SELDOM),
            ("fast-games.flags", SELDOM),
            ("self-play.white-share", SELDOM),
            ("strength.rating", SELDOM),
        ],
    },
    Explanation {
        id: "board-update",
        cause: "the board is not updated rightly by castling, captures in passing or promotions",
        advice: "The finding names the move. After it compare the board, man by man, with one set up from the FEN: a capture in \
                 passing takes a pawn off that is not on the target square, castling moves the rook as well, a promotion takes the pawn \
                 off and puts the chosen man there.",
        predicts: &[
            ("special-moves.board", ALWAYS),
            ("legality.lines", LIKELY),
            ("legality.answers", MAYBE),
            ("special-moves.followed", MAYBE),
            ("tiny-hash.moves", MAYBE),
            ("special-moves.tempting", SELDOM),
            ("special-moves.known", HARDLY),
            ("special-moves.lists", NEVER),
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
            // The list of a game cannot be followed where one of its moves is not known.
            ("special-moves.board", MAYBE),
            ("legality.answers", SELDOM),
            ("special-moves.lists", NEVER),
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
