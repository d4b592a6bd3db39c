//! Search depth in positions of real games.

use crate::alone;
use crate::openings::{openings, player};
use chess::{Game, Position};
use engine::Limits;
use std::time::Duration;

/// Middlegames and the start position.
const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3PP3/2N2N2/PPP2PPP/R1BQKB1R w KQ - 0 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2r2rk1/1bqnbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/3R1RK1 w - - 4 14",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
];

/// Positions of self-play games, one every few plies.
fn game_positions(count: usize) -> Vec<Game> {
    let mut positions = Vec::new();
    for opening in openings(count.div_ceil(10), 9) {
        let mut game = opening;
        let mut player = player();
        while game.outcome().is_none() && positions.len() < count && game.moves().len() < 140 {
            if game.moves().len().is_multiple_of(6) {
                positions.push(game.clone());
            }
            let found = player.search_silent(&game, Limits::nodes(500));
            game.play(found.best.expect("a legal move"));
        }
    }
    positions
}

/// The minimum depth reached within the limits.
fn least_depth<'a>(games: impl IntoIterator<Item = &'a Game>, limits: impl Fn() -> Limits) -> u32 {
    let depths = games.into_iter().map(|game| {
        let found = player().search_silent(game, limits());
        // A forced move or a mate may end a search early.
        if found.score.is_mate() || game.position().legal_moves().len() == 1 { u32::MAX } else { found.depth }
    });
    depths.min().expect("there are positions")
}

fn well_known() -> Vec<Game> {
    POSITIONS.iter().map(|fen| Game::new(Position::from_fen(fen).expect("a sound FEN"))).collect()
}

#[test]
fn few_nodes_are_enough_for_some_depth() {
    let _alone = alone();
    let games = game_positions(200);
    assert_eq!(games.len(), 200);
    let depth = least_depth(&games, || Limits::nodes(6000));
    println!("at least depth {depth} with 6,000 nodes in {} positions of games", games.len());
    assert!(depth >= 5, "depth {depth}");
    let depth = least_depth(&well_known(), || Limits::nodes(100_000));
    println!("at least depth {depth} with 100,000 nodes in {} well-known positions", POSITIONS.len());
    assert!(depth >= 10, "depth {depth}");
}

#[test]
#[ignore = "make proof: needs an idle machine"]
fn little_time_is_enough_for_some_depth() {
    let _alone = alone();
    let depth = least_depth(&game_positions(200), || Limits::move_time(Duration::from_millis(300)));
    println!("at least depth {depth} in 300 ms in 200 positions of games");
    assert!(depth >= 5, "depth {depth}");
    let depth = least_depth(&well_known(), || Limits::move_time(Duration::from_secs(1)));
    println!("at least depth {depth} in 1 s in {} well-known positions", POSITIONS.len());
    assert!(depth >= 10, "depth {depth}");
}
