//! Varied openings: without them a deterministic engine would play one game again and again.

use chess::{Color, Game};
use engine::evaluation::Evaluation;
use engine::{Limits, Searcher};

/// Random plies at the start of a game. An even number, so that White is to move.
const RANDOM_PLIES: usize = 8;
/// Maximum difference to the score of the start position, in centipawns.
const TOLERANCE: i32 = 100;
/// Nodes to evaluate an opening with.
const SCORING_NODES: u64 = 2000;

/// A simple generator of random numbers, so that every run plays the same games.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// An engine for one side of a game, with the classical evaluation, so that the games do not depend on the
/// network.
pub fn player() -> Searcher {
    Searcher::with_evaluation(4, Evaluation::Classical).expect("there is memory")
}

/// Different openings, about as good for White as the start position.
pub fn openings(count: usize, seed: u64) -> Vec<Game> {
    let mut random = Random(seed);
    let mut searcher = player();
    let mut score_of = |game: &Game| {
        searcher.new_game();
        let found = searcher.search_silent(game, Limits::nodes(SCORING_NODES));
        found.best.map(|_| found.score)
    };
    let normal = score_of(&Game::default()).expect("the game has just begun");
    let mut openings: Vec<Game> = Vec::new();
    while openings.len() < count {
        let mut game = Game::default();
        for _ in 0..RANDOM_PLIES {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[random.below(moves.len())]);
        }
        let balanced = score_of(&game).is_some_and(|score| (score.0 - normal.0).abs() <= TOLERANCE);
        let new = openings.iter().all(|other| other.position().key() != game.position().key());
        if balanced && new && game.position().turn() == Color::White {
            openings.push(game);
        }
    }
    openings
}
