//! Causes in the counting of nodes, and in the limits of a search.

use super::{ALWAYS, Explanation, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};

pub(super) const CAUSES: &[Explanation] = &[
    Explanation {
        id: "node-counter",
        cause: "nodes are not counted everywhere (for instance at the root only)",
        advice: "Count in the function that makes a move, and in quiescence. Until that is mended no statement about pruning \
                 can be made from node counts.",
        predicts: &[
            ("nodes.counted", SURE),
            ("limits.nodes", MAYBE),
            ("growth.hollow", LIKELY),
            ("growth.factor", MAYBE),
            ("mirror.nodes", MAYBE),
            ("table.forgets", 0.1),
            // Most engines look at the clock after so many nodes.
            ("clock.last-moves", MAYBE),
            ("fast-games.flags", MAYBE),
            ("nodes.plausible", NEVER),
        ],
    },
    Explanation {
        id: "node-numbers",
        cause: "the node counts that are told cannot be true: too great for any processor, or the same in every search",
        advice: "Print the counter of the search itself, as an unsigned number of 64 bits, set to zero at every 'go'.",
        predicts: &[("nodes.plausible", SURE), ("limits.nodes", SELDOM)],
    },
    Explanation {
        id: "nodes-kept",
        cause: "the node counter is not set back for a new search",
        advice: "Set the counter of every thread to zero at each 'go'. A search that compares it with 'go nodes' otherwise ends before \
                 it has begun.",
        predicts: &[
            ("nodes.begins", ALWAYS),
            // Limits in nodes are reached at once.
            ("limits.nodes", MAYBE),
            ("info.score", MAYBE),
            ("compliance.lines", MAYBE),
            ("legality.missing", MAYBE),
            ("tactics.nodes", MAYBE),
            ("table.forgets", MAYBE),
            ("growth.hollow", SELDOM),
            ("growth.explosions", SELDOM),
            ("mirror.nodes", MAYBE),
            ("root-window.share", SELDOM),
        ],
    },
    Explanation {
        id: "node-limit",
        cause: "'go nodes' is not obeyed",
        advice: "Compare the node counter with the limit wherever the clock is looked at.",
        predicts: &[("limits.nodes", SURE), ("nodes.counted", HARDLY)],
    },
    Explanation {
        id: "search-moves",
        cause: "'go searchmoves' is not obeyed",
        advice: "Filter the root moves by the list before the first iteration, in every place that makes root moves.",
        predicts: &[("limits.searchmoves", SURE), ("root-window.share", MAYBE), ("chess960.moves", HARDLY)],
    },
    Explanation {
        id: "depth-limit",
        cause: "'go depth' ends at another depth",
        advice: "Iterate from 1 to the limit, both included, and tell the depth of the iteration that was finished.",
        predicts: &[("limits.depth", SURE)],
    },
    Explanation {
        id: "infinite",
        cause: "'go infinite' and 'stop' are not kept to",
        advice: "After 'go infinite' no bestmove may come before 'stop', and exactly one after it, also when a mate is found.",
        predicts: &[("limits.infinite", SURE)],
    },
    Explanation {
        id: "aborted-move",
        cause: "a search that is ended by a limit answers with another move than its line: with what an unfinished iteration returned",
        advice: "When the search is told to end, throw the score of the move in progress away, and answer with the best move of the last \
                 line that was told.",
        predicts: &[
            ("legality.agreement", ALWAYS),
            ("tactics.nodes", MAYBE),
            ("limits.stop", MAYBE),
            ("tactics.depth", SELDOM),
        ],
    },
    Explanation {
        id: "stop-answer",
        cause: "'stop' is not answered with the best move that is known",
        advice: "Keep the best move of the last finished iteration, and of the present one once its first move is searched; answer with \
                 that, and not with what an unfinished move returned.",
        predicts: &[("limits.stop", SURE), ("leaves.depth-one", HARDLY)],
    },
    Explanation {
        id: "move-time",
        cause: "'go movetime' is overrun",
        advice: "Look at the clock often enough (every thousand nodes), also in quiescence, and start it when 'go' is read.",
        predicts: &[
            ("limits.movetime", SURE),
            ("clock.low-time", MAYBE),
            ("clock.last-moves", MAYBE),
            ("fast-games.flags", MAYBE),
            ("clock.flag", 0.2),
        ],
    },
];
