//! Causes in draw detection.

use super::{ALWAYS, Cause, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};
use crate::catalogue::FindingId as F;
use crate::diagnosis::price::Price;

pub(super) const CAUSES: &[Cause] = &[
    Cause {
        id: "repetition",
        price: Price::measured(0, 70),
        cause: "repetitions are not detected",
        advice: "Compare the key with those of the game and of the current line, back to the last irreversible move.",
        predicts: &[
            (F::DrawsRepetition, SURE),
            (F::DrawsGameHistory, SURE),
            (F::DrawsHorizon, 0.2),
            (F::DrawsFifty, HARDLY),
            (F::DrawsValue, NEVER),
            (F::SpecialMovesLists, NEVER),
        ],
    },
    Cause {
        id: "game-history",
        price: Price::estimated(0, 70),
        cause: "repetitions of game positions are not detected",
        advice: "Keep the keys of the positions of 'position ... moves', and compare with them as far back as the halfmove clock \
                 reaches.",
        predicts: &[
            (F::DrawsGameHistory, ALWAYS),
            (F::DrawsRepetition, HARDLY),
            (F::DrawsFifty, HARDLY),
            (F::DrawsValue, NEVER),
            (F::SpecialMovesLists, NEVER),
        ],
    },
    Cause {
        id: "draws-too-early",
        price: Price::estimated(20, 150),
        cause: "won positions are scored as draws",
        advice: "Only KK, KNK, KBK and bishops of one colour are insufficient material; the fifty-move rule needs 100 plies.",
        predicts: &[
            (F::DrawsTooEarly, SURE),
            (F::OddsSign, HARDLY),
            (F::DrawsValue, NEVER),
            (F::OddsReversed, NEVER),
        ],
    },
    Cause {
        id: "fifty-moves",
        price: Price::measured(0, 0),
        cause: "the fifty-move rule is not detected",
        advice: "Return a draw if the halfmove clock is 100, unless it is checkmate.",
        predicts: &[
            (F::DrawsFifty, SURE),
            (F::DrawsFenClock, SURE),
            (F::DrawsHorizon, LIKELY),
            (F::DrawsRepetition, HARDLY),
            (F::DrawsGameHistory, HARDLY),
            (F::DrawsValue, NEVER),
            (F::SpecialMovesLists, NEVER),
        ],
    },
    Cause {
        id: "fen-clock",
        price: Price::estimated(0, 0),
        cause: "the halfmove clock of the FEN is ignored",
        advice: "Parse the fifth field of the FEN into the halfmove clock.",
        predicts: &[
            (F::DrawsFenClock, SURE),
            (F::DrawsFifty, HARDLY),
            (F::DrawsHorizon, HARDLY),
            (F::DrawsValue, NEVER),
        ],
    },
    Cause {
        id: "draw-at-leaf",
        price: Price::measured(0, 20),
        cause: "draws are not detected at depth 0",
        advice: "Test for draws before dropping into quiescence search.",
        predicts: &[
            (F::DrawsHorizon, SURE),
            (F::DrawsFifty, HARDLY),
            (F::DrawsRepetition, HARDLY),
            (F::DrawsGameHistory, HARDLY),
            (F::DrawsValue, NEVER),
            (F::SpecialMovesLists, NEVER),
        ],
    },
    Cause {
        id: "drawn-material",
        price: Price::estimated(0, 10),
        cause: "insufficient material is not detected",
        advice: "Return a draw if neither side can mate, before the evaluation.",
        predicts: &[(F::DrawsMaterial, SURE), (F::DrawsValue, NEVER)],
    },
    Cause {
        id: "draw-value",
        price: Price::estimated(0, 50),
        cause: "draws are not scored as 0",
        advice: "Return 0 for a draw. Contempt must change its sign with the side to move and be less than half a pawn.",
        predicts: &[
            (F::DrawsValue, ALWAYS),
            (F::DrawsRepetition, MAYBE),
            (F::DrawsGameHistory, LIKELY),
            (F::DrawsFifty, LIKELY),
            (F::DrawsFenClock, LIKELY),
            (F::DrawsHorizon, LIKELY),
            (F::DrawsMaterial, LIKELY),
            (F::MatesStalemate, LIKELY),
            (F::ZugzwangSolved, MAYBE),
            (F::BalanceStability, SELDOM),
        ],
    },
];
