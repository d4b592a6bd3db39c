//! The right move in positions where it is clear.

use crate::common::{Check, best_of, ensure, searcher, think};
use chess::Game;
use engine::Limits;

properties! {
    captures_are_resolved,
    tactics_are_found,
    one_iteration_is_enough,
    openings_are_sound,
    special_moves_are_searched,
}

pub fn captures_are_resolved() -> Check {
    // The pawn is protected; a search without quiescence would capture it.
    let fen = "4k3/2p1p3/3p4/8/8/8/8/3QK3 w - - 0 1";
    let found = think(fen, Limits::depth(1));
    ensure(best_of(&found) != "d1d6", || format!("{found:?} in {fen}"))?;
    // A hanging queen is found at depth 1.
    let found = think("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", Limits::depth(1));
    ensure(best_of(&found) == "e3d5", || format!("{found:?}"))
}

/// Positions whose best move is clear within a few plies.
const TACTICS: [(&str, &str); 8] = [
    ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "g3g6"),
    ("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", "e3g3"),
    ("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", "h6h7"),
    ("5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1", "c6c4"),
    ("7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1", "b6b7"),
    ("rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq - 0 1", "g4e3"),
    ("r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - - 0 1", "e7f7"),
    ("3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1", "d6h2"),
];

pub fn tactics_are_found() -> Check {
    let missed: Vec<&str> = TACTICS
        .into_iter()
        .filter(|(fen, best)| best_of(&think(fen, Limits::depth(12))) != *best)
        .map(|(fen, _)| fen)
        .collect();
    ensure(missed.len() <= 2, || format!("missed at depth 12: {missed:?}"))
}

pub fn one_iteration_is_enough() -> Check {
    for (fen, best) in [
        ("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"),
        ("4k3/8/8/8/8/8/1p6/4K3 b - - 0 1", "b2b1q"),
        ("rnb1kbnr/pppp1ppp/8/4p3/4q3/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 1", "d3e4"),
    ] {
        let found = think(fen, Limits::depth(1));
        ensure(best_of(&found) == best, || format!("{found:?} in {fen}"))?;
    }
    Ok(())
}

pub fn openings_are_sound() -> Check {
    let played = |moves: &str| -> Result<String, String> {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            game.play(game.position().parse_uci(text).map_err(|error| format!("{text}: {error}"))?);
        }
        let found = searcher().search_silent(&game, Limits::depth(11));
        Ok(best_of(&found))
    };
    for (moves, bad) in [
        ("b1c3 b8c6", ["c3a4", "c3b5", "a2a3", "h2h3"]),
        ("e2e4", ["a7a6", "h7h6", "g7g5", "f7f6"]),
        ("d2d4", ["a7a6", "h7h6", "g7g5", "f7f6"]),
    ] {
        let reply = played(moves)?;
        ensure(!bad.contains(&reply.as_str()), || format!("{reply} after {moves}"))?;
    }
    Ok(())
}

pub fn special_moves_are_searched() -> Check {
    for (fen, best) in [
        // Only the en passant capture saves the pawn ending.
        ("8/8/8/8/k1pP4/8/K7/8 b - d3 0 1", "c4d3"),
        // Only the knight gives check and fork at once.
        ("8/2P1k3/1q6/8/8/8/8/7K w - - 0 1", "c7c8n"),
    ] {
        let found = think(fen, Limits::depth(10));
        ensure(best_of(&found) == best, || format!("{found:?} in {fen}"))?;
    }
    Ok(())
}
