//! Colour symmetry of evaluation and search, and the sign of material and squares.

use crate::common::{Check, MIDDLEGAMES, ensure, position, random_positions, think};
use chess::{Game, Move, Position};
use engine::evaluation::{Evaluation, Evaluator};
use engine::{Limits, Searcher};

properties! {
    evaluation_is_symmetric,
    search_is_symmetric,
    extra_knight_favours_its_side,
    tables_are_oriented,
}

pub fn evaluation_is_symmetric() -> Check {
    let mut evaluator = Evaluator::new();
    for position in random_positions(1500, 1) {
        let (value, mirrored) =
            (evaluator.evaluate(&position), evaluator.evaluate(&position.color_mirrored()));
        ensure(value == mirrored, || format!("{value} and {mirrored} in {position:?}"))?;
    }
    Ok(())
}

pub fn search_is_symmetric() -> Check {
    let random = random_positions(24, 2);
    let positions = || MIDDLEGAMES.iter().map(|fen| position(fen)).chain(random.iter().copied());
    let evaluations = [Evaluation::Classical, Evaluation::default()];
    for (evaluation, position) in
        evaluations.iter().flat_map(|evaluation| positions().map(move |position| (evaluation, position)))
    {
        let think = |position: Position| {
            // So small that entries replace each other.
            let mut searcher = Searcher::with_evaluation(1, evaluation.clone()).expect("there is memory");
            searcher.search_silent(&Game::new(position), Limits::depth(14))
        };
        let (found, mirrored) = (think(position), think(position.color_mirrored()));
        let flip = |mv: Move| Move::new(mv.from().flip_rank(), mv.to().flip_rank(), mv.kind());
        let flipped: Vec<Move> = mirrored.pv.iter().copied().map(flip).collect();
        ensure((found.score, found.nodes, &found.pv) == (mirrored.score, mirrored.nodes, &flipped), || {
            format!("{found:?} and {mirrored:?} in {position:?}")
        })?;
    }
    Ok(())
}

pub fn extra_knight_favours_its_side() -> Check {
    for (fen, white_is_up) in [
        ("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
        ("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", true),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1", false),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1", false),
    ] {
        let white_moves = position(fen).turn() == chess::Color::White;
        for score in [Evaluator::new().evaluate(&position(fen)), think(fen, Limits::depth(6)).score.0] {
            let good = if white_moves == white_is_up { score > 200 } else { score < -200 };
            ensure(good, || format!("{score} for the side to move in {fen}"))?;
        }
    }
    Ok(())
}

pub fn tables_are_oriented() -> Check {
    // Each pair: the first is better for White than the second.
    for (better, worse) in [
        ("7k/8/p7/P7/8/8/8/7K w - - 0 1", "7k/8/8/p7/P7/8/8/7K w - - 0 1"),
        ("k7/4P3/8/8/8/8/8/4K3 w - - 0 1", "k7/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        (
            "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/N7/8/PPPPPPPP/R1BQKBNR b KQkq - 0 1",
        ),
        (
            "rnbq1rk1/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 w - - 0 1",
            "rnbq1rk1/pppp1ppp/5n2/2b1p3/2B1P3/4KN2/PPPP1PPP/RNBQ1R2 w - - 0 1",
        ),
    ] {
        for mirrored in [false, true] {
            let value = |fen: &str| {
                let position = position(fen);
                let seen = if mirrored { position.color_mirrored() } else { position };
                let sign = if position.turn() == chess::Color::White { 1 } else { -1 };
                sign * Evaluator::new().evaluate(&seen)
            };
            ensure(value(better) > value(worse), || {
                format!("{} <= {}: {better}", value(better), value(worse))
            })?;
        }
    }
    Ok(())
}
