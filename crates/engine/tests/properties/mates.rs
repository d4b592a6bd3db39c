//! Mates are found, with the right distance and line.

use crate::common::{Check, ensure, position, searcher, think};
use chess::{Game, Position};
use engine::evaluation::Evaluator;
use engine::{Limits, Score, textbook};

properties! {
    mates_have_the_right_distance,
    mates_are_played_out,
    mate_is_distinguished_from_stalemate,
    evasions_are_searched_at_horizon,
    short_mates_match_textbook,
}

/// Positions with the plies to mate, for the side to move if odd, against it if even.
pub const MATES: [(&str, usize); 14] = [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1),
    ("6k1/R7/8/8/8/8/8/1R5K b - - 0 1", 2),
    ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 3),
    ("8/6k1/R7/8/8/8/8/1R5K b - - 0 1", 4),
    ("8/8/7k/8/R7/8/8/1R5K w - - 0 1", 5),
    ("1k6/8/8/2Q5/2K5/8/8/8 w - - 0 1", 7),
    ("3k4/8/8/8/2Q5/2K5/8/8 w - - 0 1", 9),
    // A longer mate is found first; it must not hide the shorter one.
    ("8/6k1/8/8/8/8/R7/1R5K w - - 0 1", 5),
    ("8/4R3/3k4/6K1/2R5/8/8/8 w - - 0 1", 5),
    ("8/8/8/4R3/6k1/8/7R/6K1 w - - 0 1", 5),
    ("8/8/5K2/2Q5/7k/8/8/8 w - - 0 1", 5),
    ("K7/8/4Q3/8/4R3/8/6k1/8 w - - 0 1", 5),
    ("2k5/3R4/K7/8/8/1N6/8/8 w - - 0 1", 5),
];

pub fn mates_have_the_right_distance() -> Check {
    for (fen, plies) in MATES {
        let expected = if plies % 2 == 1 { Score::mate_in(plies) } else { Score::mated_in(plies) };
        let found = think(fen, Limits::depth(plies as u32 + 24));
        ensure(found.score == expected, || format!("{:?} instead of {plies} plies in {fen}", found.score))?;
        ensure(found.pv.len() == plies, || format!("a line of {} plies in {fen}", found.pv.len()))?;
        let end = found.pv.iter().fold(position(fen), |position, &mv| position.after(mv));
        ensure(end.in_check() && !end.has_legal_move(), || format!("the line does not mate in {fen}"))?;
    }
    Ok(())
}

pub fn mates_are_played_out() -> Check {
    for fen in ["1k6/8/8/2Q5/2K5/8/8/8 w - - 0 1", "3k4/8/8/8/2Q5/2K5/8/8 w - - 0 1"] {
        let mut searcher = searcher();
        let mut game = Game::new(position(fen));
        let mut left: Option<usize> = None;
        while game.outcome().is_none() {
            // The first search fills the table; the later ones use it.
            let depth = if left.is_none() { 24 } else { 10 };
            let found = searcher.search_silent(&game, Limits::depth(depth));
            let Some(distance) = found.score.mate_distance() else {
                return Err(format!("mate lost in {:?}", game.position()));
            };
            if let Some(left) = left {
                ensure(distance < left, || format!("{distance} after {left} in {:?}", game.position()))?;
            }
            left = Some(distance);
            game.play(found.best.expect("a legal move"));
        }
        ensure(game.outcome().is_some_and(|end| end.winner().is_some()), || format!("{:?}", game.outcome()))?;
    }
    Ok(())
}

pub fn mate_is_distinguished_from_stalemate() -> Check {
    // The queen can mate or stalemate; and a side that is lost can be stalemated.
    for depth in 1..=4 {
        let found = think("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", Limits::depth(depth));
        ensure(found.score == Score::mate_in(1), || format!("{:?} at depth {depth}", found.score))?;
    }
    let found = think("6k1/R7/8/8/8/8/8/1R5K b - - 0 1", Limits::depth(4));
    ensure(found.score == Score::mated_in(2), || format!("{:?} when being mated", found.score))?;
    // Any move but one stalemates: that one must be found.
    let found = think("7k/5K2/8/6P1/8/8/8/8 w - - 0 1", Limits::depth(8));
    ensure(found.score.0 > 100, || format!("{:?} in a won pawn ending", found.score))?;
    // King in the corner against the wrong bishop: only stalemate saves it.
    let found = think("7k/8/6KP/8/8/8/8/5B2 w - - 0 1", Limits::depth(4));
    ensure(!found.score.is_mate(), || format!("{:?} against the wrong corner", found.score))?;
    // Stalemate at the horizon: capturing the last pawn does not win.
    let found = think("8/8/8/8/8/1k6/p7/K7 b - - 0 1", Limits::depth(3));
    ensure(found.score.0.abs() < 200, || format!("{:?} where the king is stalemated", found.score))
}

pub fn evasions_are_searched_at_horizon() -> Check {
    // A mating capture, found at depth 1: the mated side must not stand pat.
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1";
    let found = think(fen, Limits::depth(1));
    ensure(found.score == Score::mate_in(1), || format!("{:?} with mate on the board", found.score))
}

/// The textbook search, with the engine's evaluation at the leaves, sees the same mates.
pub fn short_mates_match_textbook() -> Check {
    let evaluate = |position: &Position| Evaluator::new().evaluate(position);
    for (fen, plies) in MATES.into_iter().filter(|&(_, plies)| plies <= 4) {
        let method = textbook::Method::PrincipalVariation;
        let expected = textbook::solve(&position(fen), plies as u32, method, evaluate).score;
        let found = think(fen, Limits::depth(plies as u32 + 8)).score;
        ensure(expected.is_mate() && found == expected, || format!("{found:?}, not {expected:?} in {fen}"))?;
    }
    Ok(())
}
