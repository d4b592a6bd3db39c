//! Causes in the hash table.

use super::{ALWAYS, Explanation, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};

pub(super) const CAUSES: &[Explanation] = &[
    Explanation {
        id: "key-parts",
        cause: "the hash key does not tell positions apart: the side to move, castling rights or the square of a capture in \
                passing is left out",
        advice: "Compute the key of every position of a long game anew and compare it with the one that was updated move by \
                 move; the finding says which part is missing. Null moves change the side to move and the square of a capture \
                 in passing too.",
        predicts: &[
            ("table.key", ALWAYS),
            ("zugzwang.solved", MAYBE),
            ("table.drift", MAYBE),
            ("table.scouts", MAYBE),
            ("tactics.depth", MAYBE),
            ("tactics.nodes", MAYBE),
            ("mates.found", MAYBE),
            ("mates.distance", MAYBE),
            ("distances.possible", MAYBE),
            ("draws.repetition", MAYBE),
            ("growth.hollow", SELDOM),
            ("mirror.nodes", SELDOM),
            ("odds.view", NEVER),
            ("odds.constant", NEVER),
        ],
    },
    Explanation {
        id: "stale-hash",
        cause: "the hash table is kept from game to game, or believed beyond its depth",
        advice: "Clear the table at ucinewgame, and cut off only when the stored depth is at least the depth that is asked for.",
        predicts: &[
            ("table.forgets", SURE),
            ("statistics.hash-depths", LIKELY),
            ("growth.factor", MAYBE),
            ("growth.hollow", MAYBE),
            ("tactics.depth", MAYBE),
            ("tactics.nodes", MAYBE),
            ("mates.found", 0.2),
            ("mates.distance", MAYBE),
            ("table.scouts", MAYBE),
            ("zugzwang.solved", MAYBE),
            ("nodes.plausible", NEVER),
        ],
    },
    Explanation {
        id: "table-depth",
        cause: "hash entries are believed whatever their depth: the tree does not grow",
        advice: "Cut off only when the stored depth is at least the depth that is asked for.",
        predicts: &[
            ("statistics.hash-depths", SURE),
            ("growth.hollow", LIKELY),
            ("growth.factor", MAYBE),
            ("tactics.depth", MAYBE),
            ("tactics.nodes", MAYBE),
            ("table.scouts", MAYBE),
            ("nodes.counted", HARDLY),
            ("nodes.plausible", NEVER),
            ("odds.reversed", NEVER),
        ],
    },
    Explanation {
        id: "bounds-misused",
        cause: "the bounds of hash entries are misused: the type is not looked at on a probe, or a bound is stored as the wrong kind",
        advice: "Cut off with a lower bound only when it is at least beta, with an upper bound only when it is at most alpha. \
                 Store exact only when alpha was raised at a PV node. Switch off hash cutoffs: if the symptoms go, it was this.",
        predicts: &[
            ("table.scouts", SELDOM),
            ("table.drift", SELDOM),
            ("tactics.nodes", SELDOM),
            ("tactics.depth", SELDOM),
            ("statistics.hash-bounds", SURE),
            ("distances.possible", LIKELY),
            ("table.key", SELDOM),
            // The windows of the root never agree with the table, and the search does not come to an end.
            ("legality.stability/hangs", SELDOM),
            ("statistics.stored-bounds", SELDOM),
            ("mates.found", SELDOM),
            ("mates.distance", SELDOM),
            ("balance.steadiness", SELDOM),
            ("zugzwang.solved", SELDOM),
            ("statistics.rate-b", SELDOM),
            ("statistics.ordering", SELDOM),
            ("leaves.captures", HARDLY),
            ("leaves.depth-one", HARDLY),
            ("mates.ply", NEVER),
            ("odds.view", NEVER),
            ("odds.reversed", NEVER),
        ],
    },
    Explanation {
        id: "mate-not-shifted",
        cause: "mate scores go into the hash table without being shifted by the ply",
        advice: "Store mates as distances from the stored position: add the ply when storing, subtract it when reading.",
        predicts: &[
            ("statistics.hash-mates", SURE),
            ("distances.possible", SURE),
            ("mates.table", MAYBE),
            ("mating-lines.length", SELDOM),
            // Each of those mates is searched with a fresh table.
            ("mates.distance", SELDOM),
            ("mates.found", HARDLY),
            ("mates.stalemate", HARDLY),
            ("mates.ply", NEVER),
            ("odds.view", NEVER),
            ("odds.reversed", NEVER),
        ],
    },
    Explanation {
        id: "bounds-stored-wrong",
        cause: "upper bounds are stored as lower bounds, or the other way round",
        advice: "A score that failed low (at most alpha) is an upper bound. Look at the comparison with the alpha of the start \
                 of the node, not with the alpha that was raised.",
        predicts: &[
            ("statistics.stored-bounds", SURE),
            ("distances.possible", LIKELY),
            ("statistics.hash-bounds", HARDLY),
            ("table.key", SELDOM),
            ("table.scouts", SELDOM),
            ("tactics.nodes", SELDOM),
            ("tactics.depth", SELDOM),
            ("mates.found", SELDOM),
            ("mates.ply", NEVER),
            ("odds.view", NEVER),
            ("odds.reversed", NEVER),
        ],
    },
    Explanation {
        id: "exact-not-stored",
        cause: "exact scores are stored as bounds",
        advice: "At a PV node whose score lies inside the window store an exact score. An exact score stored as an upper bound \
                 is not wrong, only wasted: it shows in the counts and not in the play.",
        predicts: &[("statistics.stored-exact", SURE), ("table.scouts", HARDLY)],
    },
    Explanation {
        id: "hash-move",
        cause: "moves from the hash table are played without being checked",
        advice: "Test every hash move for (pseudo-)legality before it is played: entries of other positions are found by chance.",
        predicts: &[
            ("tiny-hash.moves", SURE),
            // Most crashes have other causes; those of a tiny table are among the alarms above.
            ("legality.stability", SELDOM),
            ("legality.lines", LIKELY),
            ("legality.answers", MAYBE),
            ("special-moves.followed", HARDLY),
            ("special-moves.board", HARDLY),
            ("special-moves.lists", NEVER),
        ],
    },
];
