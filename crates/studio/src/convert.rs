//! The types of the search trace and the game review as the page gets them.

use review::trace;
use uci::Score as UciScore;

use crate::protocol::{
    BothSides, Bound, Errors, Fate, GameReview, PgnWarning, Purpose, Quality, Rates, Retry, ReviewedMove,
    Score, TraceNode,
};

impl From<UciScore> for Score {
    fn from(score: UciScore) -> Score {
        match score {
            UciScore::Centipawns(centipawns) => Score::Cp(centipawns),
            UciScore::Mate(moves) => Score::Mate(moves),
        }
    }
}

impl From<trace::Purpose> for Purpose {
    fn from(purpose: trace::Purpose) -> Purpose {
        match purpose {
            trace::Purpose::Root => Purpose::Root,
            trace::Purpose::First => Purpose::FirstMove,
            trace::Purpose::ZeroWindow => Purpose::ZeroWindow,
            trace::Purpose::ReducedZeroWindow => Purpose::ReducedZeroWindow,
            trace::Purpose::FullDepth => Purpose::FullDepth,
            trace::Purpose::ReSearch => Purpose::ReSearch,
            trace::Purpose::NullMove => Purpose::NullMove,
            trace::Purpose::Verification => Purpose::Verification,
            trace::Purpose::Razoring => Purpose::Razoring,
            trace::Purpose::Probcut => Purpose::Probcut,
            trace::Purpose::Singular => Purpose::Singular,
            trace::Purpose::Capture => Purpose::Quiescence,
        }
    }
}

impl From<&trace::Node> for TraceNode {
    fn from(node: &trace::Node) -> TraceNode {
        TraceNode {
            id: node.id,
            parent: node.parent,
            children: node.children.len(),
            ply: node.ply,
            number: node.number,
            mv: node.mv.clone(),
            san: node.san.clone(),
            excluded: node.excluded.clone(),
            purpose: node.purpose.into(),
            depth: node.depth,
            extension: node.extension,
            alpha: node.alpha.map(Score::from),
            beta: node.beta.map(Score::from),
            pv: node.pv,
            quiescence: node.quiescence,
            hash_hit: node.hash_hit,
            evaluation: node.evaluation.map(Score::from),
            score: node.score.map(Score::from),
            bound: match node.bound {
                uci::Bound::Exact => Bound::Exact,
                uci::Bound::Lower => Bound::Lower,
                uci::Bound::Upper => Bound::Upper,
            },
            fate: match node.fate {
                trace::Fate::Searched => Fate::Searched,
                trace::Fate::Cut => Fate::Cut,
                trace::Fate::Pruned => Fate::Pruned,
                trace::Fate::Unfinished => Fate::Unfinished,
            },
            verdict: node.verdict.clone(),
            best: node.best.clone(),
            line: node.line.clone(),
            nodes: node.nodes,
            hidden: node.hidden,
        }
    }
}

impl From<&trace::SearchRates> for Rates {
    fn from(rates: &trace::SearchRates) -> Rates {
        Rates {
            depth: rates.depth,
            nodes: rates.main_nodes + rates.quiescence_nodes,
            zero_window_searches: rates.zero_window_searches,
            re_searches: rates.re_searches,
            pv_re_search_rate: rates.pv_re_search_rate,
            fail_high_rate: rates.fail_high_rate,
            lmr_re_search_rate: rates.lmr_re_search_rate,
            first_move_cutoff_rate: rates.first_move_cutoffs,
        }
    }
}

impl From<review::Judgement> for Quality {
    fn from(judgement: review::Judgement) -> Quality {
        match judgement {
            review::Judgement::Forced => Quality::Forced,
            review::Judgement::Best => Quality::Best,
            review::Judgement::Good => Quality::Good,
            review::Judgement::Inaccuracy => Quality::Inaccuracy,
            review::Judgement::Mistake => Quality::Mistake,
            review::Judgement::Blunder => Quality::Blunder,
        }
    }
}

impl<T, U: Into<T>> From<review::Sides<U>> for BothSides<T> {
    fn from(sides: review::Sides<U>) -> BothSides<T> {
        BothSides { white: sides.white.into(), black: sides.black.into() }
    }
}

impl From<review::ErrorCounts> for Errors {
    fn from(tally: review::ErrorCounts) -> Errors {
        Errors { inaccuracies: tally.inaccuracies, mistakes: tally.mistakes, blunders: tally.blunders }
    }
}

impl From<review::Broken> for PgnWarning {
    fn from(broken: review::Broken) -> PgnWarning {
        PgnWarning { game: broken.game, line: broken.line, what: broken.what, skipped: broken.skipped }
    }
}

impl From<review::MoveReview> for ReviewedMove {
    fn from(mv: review::MoveReview) -> ReviewedMove {
        ReviewedMove {
            ply: mv.ply,
            number: mv.number,
            white: mv.white,
            san: mv.san,
            uci: mv.uci,
            fen: mv.fen,
            score: mv.score.map(Score::from),
            chance: mv.chance,
            loss: mv.loss,
            quality: mv.judgement.into(),
            best: mv.best,
            line: mv.line,
            explanation: mv.explanation.map(|explanation| explanation.comment()),
        }
    }
}

impl From<review::Retry> for Retry {
    fn from(retry: review::Retry) -> Retry {
        Retry {
            ply: retry.ply,
            white: retry.white,
            fen: retry.fen,
            played: retry.played,
            best_uci: retry.best_uci,
            line: retry.line,
            quality: retry.judgement.into(),
        }
    }
}

impl From<review::GameReview> for GameReview {
    fn from(game: review::GameReview) -> GameReview {
        GameReview {
            tags: game.tags,
            result: game.result,
            start: game.start,
            score: game.score.map(Score::from),
            chance: game.chance,
            moves: game.moves.into_iter().map(ReviewedMove::from).collect(),
            accuracy: game.accuracy.into(),
            errors: game.errors.into(),
            retry: game.retry.into_iter().map(Retry::from).collect(),
        }
    }
}
