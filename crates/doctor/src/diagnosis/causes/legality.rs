//! Causes in the rules of chess, crashes and failed starts.

use super::{ALWAYS, Cause, HARDLY, LIKELY, MAYBE, NEVER, SELDOM, SURE};
use crate::catalogue::FindingId as F;
use crate::diagnosis::price::Price;

pub(super) const CAUSES: &[Cause] = &[
    Cause {
        id: "move-generator",
        price: Price::by_rate(F::LegalityAnswers, 20, 300),
        cause: "illegal moves are generated",
        advice: "Compare perft with known counts (vedette perft), starting with the position of the repro.",
        predicts: &[
            (F::LegalityAnswers, LIKELY),
            (F::LegalityLines, LIKELY),
            (F::SpecialMovesIllegal, LIKELY),
            (F::SpecialMovesAnswers, LIKELY),
            (F::SpecialMovesGenerated, SELDOM),
            (F::TinyHashMoves, MAYBE),
            (F::SpecialMovesBoard, HARDLY),
            (F::SpecialMovesLists, NEVER),
        ],
    },
    Cause {
        id: "moves-not-played",
        price: Price::estimated(600, 1000),
        cause: "the moves of 'position ... moves' are ignored, or applied only after startpos",
        advice: "Parse 'position fen FEN moves ...' like 'position startpos moves ...': set up the board, find 'moves', and make \
                 what follows.",
        predicts: &[
            (F::SpecialMovesLists, ALWAYS),
            (F::SpecialMovesAnswers, SURE),
            (F::LegalityAnswers, LIKELY),
            (F::LegalityLines, LIKELY),
            (F::DrawsGameHistory, LIKELY),
            (F::DrawsFifty, LIKELY),
            (F::DrawsHorizon, LIKELY),
            (F::DrawsRepetition, MAYBE),
            (F::TinyHashMoves, MAYBE),
            (F::MatesTable, MAYBE),
            (F::MatesFound, SELDOM),
            (F::MatesDistance, SELDOM),
            (F::DistancesPossible, SELDOM),
            (F::TableKey, SELDOM),
            (F::TableDrift, SELDOM),
            (F::StabilityDepth, SELDOM),
            (F::ClockShare, SELDOM),
            (F::ClockFirstMoves, SELDOM),
            (F::ClockFlag, SELDOM),
            (F::FastGamesFlags, SELDOM),
            (F::SelfPlayWhiteScore, SELDOM),
            (F::StrengthRating, SELDOM),
        ],
    },
    Cause {
        id: "board-update",
        price: Price::by_rate(F::LegalityAnswers, 20, 300),
        cause: "castling, en passant or promotion updates the board wrongly",
        advice: "The finding names the move. Compare the board after it with one set up from a FEN: en passant removes a pawn that is \
                 not on the target square, castling moves the rook, promotion replaces the pawn.",
        predicts: &[
            (F::SpecialMovesBoard, ALWAYS),
            (F::LegalityLines, LIKELY),
            (F::LegalityAnswers, MAYBE),
            (F::SpecialMovesAnswers, MAYBE),
            (F::TinyHashMoves, MAYBE),
            (F::SpecialMovesIllegal, SELDOM),
            (F::SpecialMovesGenerated, HARDLY),
            (F::SpecialMovesLists, NEVER),
        ],
    },
    Cause {
        id: "missing-moves",
        price: Price::estimated(5, 100),
        cause: "castling, en passant, promotion or underpromotion is not generated",
        advice: "The finding names the moves. Compare perft with known counts (vedette perft), starting with the position of the \
                 repro; check the parsing of such moves too.",
        predicts: &[
            (F::SpecialMovesGenerated, SURE),
            (F::SpecialMovesAnswers, SELDOM),
            // A move list with such a move cannot be followed.
            (F::SpecialMovesBoard, MAYBE),
            (F::LegalityAnswers, SELDOM),
            (F::SpecialMovesLists, NEVER),
        ],
    },
    Cause {
        id: "no-move",
        price: Price::by_rate(F::LegalityMissing, 20, 600),
        cause: "no best move when a search ends early",
        advice: "Have a legal move before the first iteration. Reset the counters that decide when limits are checked.",
        predicts: &[(F::LegalityMissing, SURE), (F::LegalityAnswers, HARDLY)],
    },
    Cause {
        id: "chess960",
        price: Price::estimated(0, 0),
        cause: "Chess960 castling does not work",
        advice: "Castling is king takes own rook; the squares between the origin and the target of both must be empty, and the king's \
                 path not attacked.",
        predicts: &[(F::Chess960Moves, SURE)],
    },
    Cause {
        id: "crash",
        price: Price::by_rate(F::LegalityStability, 20, 600),
        cause: "the engine crashes or hangs",
        advice: "Send the repro of the first incident to a debug build with sanitizers.",
        predicts: &[(F::LegalityStability, SURE), (F::ComplianceAnswers, 0.2)],
    },
    Cause {
        id: "does-not-start",
        price: Price::estimated(1000, 1000),
        cause: "the engine does not start, or sends no uciok",
        advice: "Start it in a terminal and type uci. Some programs need an argument for UCI.",
        predicts: &[(F::HandshakeStart, SURE)],
    },
    Cause {
        id: "never-ready",
        price: Price::estimated(1000, 1000),
        cause: "no readyok after uciok",
        advice: "Start it in a terminal and type uci and isready. Send readyok when options are set and networks, tablebases and books \
                 are loaded.",
        predicts: &[(F::HandshakeReady, SURE)],
    },
];
