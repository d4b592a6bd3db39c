//! What pages are shown of a match besides its score: the curve, and the newest games.

use arena::MatchConfig;
use arena::results::{Tally, sprt_llr};
use record::pgn::PgnGame;
use serde_json::{Value, json};

/// Points of the curve that are kept; when there are more, every second one goes.
const MOST_POINTS: usize = 2000;
/// The newest games are listed; earlier ones are in the match's PGN.
const MOST_GAMES: usize = 500;

/// The story of a match, told game by game.
pub struct Chronicle {
    /// Games, LLR, Elo and its error after each of them.
    curve: Vec<[f64; 4]>,
    /// Games between two points of the curve.
    stride: u64,
    games: Vec<Value>,
}

impl Chronicle {
    /// Nothing has happened.
    pub fn new() -> Chronicle {
        Chronicle { curve: Vec::new(), stride: 1, games: Vec::new() }
    }

    /// A game is over; the score contains it already.
    pub fn add(&mut self, game: &PgnGame, config: &MatchConfig, tally: &Tally) {
        let tag = |name: &str| game.tag(name).unwrap_or("?");
        // The arena writes why a game ended behind its last move, after what the engine had to say.
        let last = game.moves.last().map_or(game.comment.as_str(), |mv| mv.comment.as_str());
        let reason = last.rsplit_once(", ").map_or(last, |(_, reason)| reason);
        self.games.push(json!({
            "number": tally.games() - 1, "white": tag("White"), "black": tag("Black"),
            "result": game.result.to_string(), "reason": reason, "plies": game.moves.len(),
        }));
        if self.games.len() > MOST_GAMES {
            self.games.remove(0);
        }
        if tally.games().is_multiple_of(self.stride) {
            let test = config.sprt.map_or(0.0, |test| sprt_llr(&test, tally, config.by_pairs));
            let encounter = tally.encounter(0, 1);
            let estimate = encounter.estimate(config.by_pairs).or_else(|| encounter.estimate(false));
            let (elo, error) = estimate.map_or((0.0, 0.0), |estimate| (estimate.elo, estimate.elo_error));
            self.curve.push([tally.games() as f64, test, elo, error]);
        }
        if self.curve.len() > MOST_POINTS {
            self.stride *= 2;
            let mut odd = false;
            self.curve.retain(|_| {
                odd = !odd;
                !odd
            });
        }
    }

    /// The curve, for the page.
    pub fn curve(&self) -> Value {
        json!(self.curve)
    }

    /// The newest games, for the page.
    pub fn games(&self) -> Value {
        json!(self.games)
    }
}
