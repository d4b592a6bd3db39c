//! Shared by the properties: positions, searches, and failures.

use chess::{Game, Position};
use engine::evaluation::Evaluation;
use engine::{Engine, Limits, SearchEvent, SearchResult, Searcher, Statistics};
use std::sync::mpsc::channel;

pub type Check = Result<(), String>;
#[cfg(feature = "mutants")]
pub type Property = fn() -> Check;

pub const MIDDLEGAMES: [&str; 8] = [
    "r1bq1rk1/pp2ppbp/2np1np1/8/3PP3/2N2N2/PPP2PPP/R1BQKB1R w KQ - 0 8",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The classical evaluation, so that the properties do not depend on the network.
pub fn searcher() -> Searcher {
    Searcher::with_evaluation(16, Evaluation::Classical).expect("there is memory")
}

/// The result of a fresh engine. A search explosion, which some bugs cause, is cut short.
pub fn think(fen: &str, limits: Limits) -> SearchResult {
    let limits = Limits { nodes: Some(2_000_000), ..limits };
    searcher().search_silent(&Game::new(position(fen)), limits)
}

/// The best move in UCI notation.
pub fn best_of(found: &SearchResult) -> String {
    found.best.map_or_else(String::new, |mv| mv.uci(false).to_string())
}

pub fn ensure(condition: bool, complaint: impl FnOnce() -> String) -> Check {
    if condition { Ok(()) } else { Err(complaint()) }
}

/// A simple generator of random numbers, so that every run sees the same positions.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Positions of random games.
pub fn random_positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = Game::default();
        for _ in 0..random.below(120) {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[random.below(moves.len())]);
        }
        if game.position().has_legal_move() {
            positions.push(*game.position());
        }
    }
    positions
}

/// Counts of one search with a fresh engine, and the nodes it reported. A search explosion is cut short.
pub fn statistics(fen: &str, depth: u32) -> (Statistics, u64) {
    let mut engine = Engine::with_evaluation(Evaluation::Classical);
    engine.collect_statistics(true).expect("the engine is idle");
    let (send, receive) = channel();
    engine
        .go(
            &Game::new(position(fen)),
            Limits { depth: Some(depth), ..Limits::nodes(2_000_000) },
            move |event| {
                let _ = send.send(event.clone());
            },
        )
        .expect("the engine is idle");
    engine.wait();
    let (mut counts, mut nodes) = (Statistics::default(), 0);
    for event in receive.try_iter() {
        match event {
            SearchEvent::Info(info) => nodes = info.nodes.unwrap_or(nodes),
            SearchEvent::Statistics(statistics) => counts = *statistics,
            SearchEvent::BestMove(_) => {}
        }
    }
    (counts, nodes)
}
