//! Draws by rule, perpetual check and zugzwang.

use crate::common::{Check, best_of, ensure, position, searcher, statistics, think};
use chess::Game;
use engine::evaluation::Evaluation;
use engine::{Limits, NodeCut, Score, Searcher};

properties! {
    perpetual_check_is_found,
    repetition_is_draw,
    fifty_moves_is_draw,
    draws_are_detected_at_leaves,
    zugzwang_is_found,
}

pub fn perpetual_check_is_found() -> Check {
    let fen = "5rk1/5p1p/5Q2/8/8/8/q4PPP/6K1 w - - 0 1";
    let found = think(fen, Limits::depth(10));
    ensure(found.score.0.abs() <= 30, || format!("{found:?}"))
}

pub fn repetition_is_draw() -> Check {
    // Black is lost but can repeat for the third time, which must score as a draw.
    let mut game = Game::new(position("7k/6pp/8/8/8/8/r5PP/Q6K b - - 0 1"));
    for text in ["a2b2", "a1d1", "b2a2", "d1a1"].repeat(2) {
        game.play(game.position().parse_uci(text).map_err(|error| format!("{text}: {error}"))?);
    }
    let repeating = game.position().parse_uci("a2b2").map_err(|error| error.to_string())?;
    let limits = Limits { search_moves: vec![repeating], ..Limits::depth(6) };
    let found = searcher().search_silent(&game, limits);
    ensure(found.score.0.abs() <= 5, || format!("{found:?} for the third repetition"))
}

pub fn fifty_moves_is_draw() -> Check {
    let found = think("8/8/8/8/8/4k3/8/KQ6 w - - 99 80", Limits::depth(6));
    ensure(found.score.0.abs() <= 5, || format!("{found:?} with one ply left"))?;
    // Mate on the hundredth ply is mate.
    let found = think("7k/8/5K2/8/8/8/8/6Q1 w - - 99 80", Limits::depth(4));
    ensure(found.score == Score::mate_in(1), || format!("{found:?} with mate on the board"))?;
    // Just enough moves to win.
    let found = think("7k/8/8/8/8/8/R7/1R5K w - - 90 80", Limits::depth(8));
    ensure(found.score == Score::mate_in(3), || format!("{found:?} with ten plies left"))
}

pub fn zugzwang_is_found() -> Check {
    // Pawn endings: zugzwang decides. A search with null moves finds neither these mates nor the lost
    // opposition.
    for (fen, plies) in [("k7/2P5/8/3K4/1p6/8/8/8 w - - 0 1", 5), ("8/8/1P6/8/p7/8/3K4/1k6 w - - 0 1", 7)] {
        let found = think(fen, Limits::depth(18));
        ensure(found.score == Score::mate_in(plies), || format!("{found:?} in {fen}"))?;
    }
    let found = think("8/8/8/3k4/3P4/3K4/8/8 b - - 0 1", Limits::depth(14));
    ensure(found.score.0 < 0, || format!("{found:?} with the opposition lost"))?;
    // No null moves without pieces.
    let (counts, _) = statistics("8/8/4k3/3p4/p2P1K2/P7/8/8 w - - 0 1", 7);
    let passed = counts.node_cuts(NodeCut::NullMove);
    ensure(passed == 0, || format!("{passed} null moves cut off among kings and pawns"))?;
    // A pinned piece does not help: after the quiet key move every move of Black loses. The network, which
    // evaluates White as lost, needs more depth than the classical evaluation.
    let game = Game::new(position("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1"));
    for (evaluation, nodes) in [(Evaluation::Classical, 400_000), (Evaluation::default(), 4_000_000)] {
        let mut searcher = Searcher::with_evaluation(16, evaluation).expect("there is memory");
        let found = searcher.search_silent(&game, Limits::nodes(nodes));
        ensure(best_of(&found) == "e1f1", || format!("{found:?}"))?;
    }
    Ok(())
}

pub fn draws_are_detected_at_leaves() -> Check {
    let found = think("8/8/8/8/8/4k3/8/KQ6 w - - 99 80", Limits::depth(1));
    ensure(found.score.0.abs() <= 5, || format!("{found:?} with one ply left"))
}
