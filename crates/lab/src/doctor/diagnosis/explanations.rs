//! The causes that the doctor knows, each with the alarms that it would raise.

use super::evidence::tells_hangs;
use crate::doctor::finding::Finding;

/// A cause.
pub struct Explanation {
    /// Its short name.
    pub id: &'static str,
    /// The cause in a sentence.
    pub cause: &'static str,
    /// What to look at and test next.
    pub advice: &'static str,
    /// Findings and the probability that each is an alarm when this is the cause.
    pub predicts: &'static [(&'static str, f64)],
}

impl Explanation {
    /// The probability that this finding is an alarm when this is the cause; `None` when the cause says nothing about it.
    pub(super) fn probability(&self, finding: &Finding) -> Option<f64> {
        let is_meant = |name: &str| match name.strip_suffix(HANGS) {
            Some(id) => finding.id == id && (!finding.is_alarm() || tells_hangs(finding)),
            None => finding.id == name,
        };
        self.predicts.iter().find(|(name, _)| is_meant(name)).map(|&(_, probability)| probability)
    }

    /// Whether every alarm is there without which the cause is out of the question.
    pub(super) fn is_possible(&self, findings: &[Finding]) -> bool {
        let is_alarm = |id: &str| findings.iter().any(|finding| finding.id == id && finding.is_alarm());
        self.predicts.iter().all(|&(id, probability)| probability < ALWAYS || is_alarm(id))
    }

    /// Whether the cause lies in the hash table.
    pub(super) fn is_about_the_table(&self) -> bool {
        ABOUT_THE_TABLE.contains(&self.id)
    }
}

/// At the end of a finding's name: only searches that do not end are predicted, not crashes.
pub(super) const HANGS: &str = "/hangs";

/// Causes that only an engine with a hash table can have.
const ABOUT_THE_TABLE: &[&str] = &[
    "key-parts",
    "stale-hash",
    "table-depth",
    "bounds-misused",
    "mate-not-shifted",
    "bounds-stored-wrong",
    "exact-not-stored",
    "hash-move",
];

/// Without it the cause is out of the question.
const ALWAYS: f64 = 0.9999;
/// Certain but for bad luck.
const SURE: f64 = 0.97;
/// More often than not.
pub(super) const LIKELY: f64 = 0.75;
/// Depends on the engine.
pub(super) const MAYBE: f64 = 0.35;
/// In some engines, where the play hides it.
const SELDOM: f64 = 0.15;
/// More seldom than by accident: such an alarm points to another cause.
const HARDLY: f64 = 0.004;
/// What the cause cannot bring about at all.
const NEVER: f64 = 0.0005;

/// All of them.
pub const EXPLANATIONS: &[Explanation] = &[
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
        id: "root-full-window",
        cause: "root moves are searched with an open window instead of being scouted",
        advice: "Scout every root move but the first with a zero window, and search again only if it is better.",
        predicts: &[
            ("statistics.open-windows", SURE),
            ("root-window.share", MAYBE),
            ("growth.size", 0.15),
            ("tactics.depth", HARDLY),
            ("nodes.plausible", NEVER),
        ],
    },
    Explanation {
        id: "repeated-scouts",
        cause: "zero-window searches that fail high are repeated at nodes where no re-search can tell anything new",
        advice: "The rule is: PV node and (first move or score > alpha). At all other nodes the scout's answer is the answer.",
        predicts: &[("statistics.re-searches", SURE), ("growth.size", 0.1)],
    },
    Explanation {
        id: "strict-cutoff",
        cause: "a move that equals beta does not cut off",
        advice: "Cut off when score >= beta, not when score > beta: in a zero window equality is the usual case.",
        predicts: &[
            ("statistics.cutoffs", SURE),
            ("growth.size", 0.3),
            ("growth.factor", 0.2),
            ("tactics.depth", HARDLY),
            ("nodes.plausible", NEVER),
        ],
    },
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
    Explanation {
        id: "clock-unused",
        cause: "far too little of the clock is used",
        advice: "Print the budget for the first move at 10+0.1: 200 to 800 ms are sensible. Look for a division or a \
                 subtraction too many, and for an iteration that is not begun because half of the budget is gone.",
        predicts: &[
            ("clock.share", SURE),
            ("clock.first-moves", MAYBE),
            ("clock.flag", HARDLY),
            ("clock.low-time", HARDLY),
            ("clock.last-moves", HARDLY),
            ("fast-games.flags", HARDLY),
        ],
    },
    Explanation {
        id: "clock-overrun",
        cause: "the engine thinks until its flag has fallen",
        advice: "The hard limit must be well below what is left, and be looked at inside the search, not between iterations.",
        predicts: &[
            ("clock.flag", LIKELY),
            ("clock.low-time", LIKELY),
            ("clock.early-increment", LIKELY),
            ("clock.last-moves", LIKELY),
            ("clock.own-clock", SELDOM),
            ("fast-games.flags", LIKELY),
            ("compliance.answers", 0.2),
            ("clock.first-moves", LIKELY),
            ("limits.movetime", 0.1),
            ("clock.increment", MAYBE),
        ],
    },
    Explanation {
        id: "increment-early",
        cause: "the increment is spent before it has been added",
        advice: "wtime and btime are all there is for this move; winc and binc come after it. Bound the budget by what is left, \
                 less a reserve, after the increment has been counted in.",
        predicts: &[
            ("clock.early-increment", SURE),
            ("clock.low-time", HARDLY),
            ("clock.flag", SELDOM),
            ("fast-games.flags", SELDOM),
        ],
    },
    Explanation {
        id: "control-overrun",
        cause: "the last moves before a time control plan with all that is left, or more",
        advice: "With 'movestogo 1' what is left, less a reserve, is for this move; with 'movestogo 2' about half of it is. Bound \
                 the budget last, after all that multiplies it.",
        predicts: &[
            ("clock.last-moves", SURE),
            ("clock.low-time", HARDLY),
            ("clock.early-increment", HARDLY),
            ("clock.flag", HARDLY),
            ("fast-games.flags", HARDLY),
        ],
    },
    Explanation {
        id: "other-clock",
        cause: "the other side's clock is read",
        advice: "White goes by wtime and winc, Black by btime and binc. Look at which colour the finding names, and at whether \
                 the side to move is known when 'go' is read.",
        predicts: &[
            ("clock.own-clock", ALWAYS),
            // All other clocks are equal for both sides.
            ("clock.low-time", HARDLY),
            ("clock.early-increment", HARDLY),
            ("clock.last-moves", HARDLY),
            ("clock.flag", SELDOM),
            ("fast-games.flags", SELDOM),
        ],
    },
    Explanation {
        id: "increment",
        cause: "the increment is not used",
        advice: "Read winc and binc of the side to move, and add most of the increment to the budget of the move.",
        predicts: &[("clock.increment", SURE), ("clock.flag", HARDLY), ("clock.share", HARDLY)],
    },
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
        ],
    },
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
        ],
    },
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
        id: "repetition",
        cause: "repetitions are not seen in the search",
        advice: "Compare the key with those of the game and of the line, back to the last irreversible move.",
        predicts: &[
            ("draws.repetition", SURE),
            ("draws.game-history", SURE),
            ("draws.horizon", 0.2),
            ("draws.fifty", HARDLY),
            ("draws.value", NEVER),
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
        ],
    },
    Explanation {
        id: "draws-too-early",
        cause: "positions that can be won are called draws",
        advice: "Only bare kings, a single minor piece, or bishops of one colour are too little to win; the fifty-move rule counts a \
                 hundred half moves.",
        predicts: &[("draws.too-early", SURE), ("odds.sign", HARDLY), ("draws.value", NEVER)],
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
            ("info.score", MAYBE),
            ("compliance.lines", SELDOM),
            ("nodes.plausible", NEVER),
        ],
    },
    Explanation {
        id: "self-play-bias",
        cause: "one colour scores far too much in self-play",
        advice: "Look at the mirror findings first. If they are sound, look at the clock and at the state kept from move to move.",
        predicts: &[("self-play.white-share", SURE)],
    },
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
