//! The Elo or LLR curve of a match of two engines, and the newest games.

use arena::MatchConfig;
use arena::results::{Tally, sprt_llr};
use record::pgn::PgnGame;

use crate::protocol::{CurvePoint, MatchGame};

/// Points of the curve; when there are more, every second one is dropped.
const MAX_POINTS: usize = 2000;
/// The newest games are listed; all are in the match's PGN.
const MAX_GAMES: usize = 500;

pub struct MatchHistory {
    pub curve: Vec<CurvePoint>,
    pub games: Vec<MatchGame>,
    /// Games between two points of the curve.
    stride: u64,
}

impl MatchHistory {
    pub fn new() -> MatchHistory {
        MatchHistory { curve: Vec::new(), games: Vec::new(), stride: 1 }
    }

    /// Adds a finished game, which the tally contains already.
    pub fn add(&mut self, game: &PgnGame, config: &MatchConfig, tally: &Tally) {
        let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
        // The arena writes the reason into the comment of the last move, after score, depth and time.
        let last = game.moves.last().map_or(game.comment.as_str(), |mv| mv.comment.as_str());
        let reason = last.rsplit_once(", ").map_or(last, |(_, reason)| reason);
        self.games.push(MatchGame {
            number: tally.games() - 1,
            white: tag("White"),
            black: tag("Black"),
            result: game.result.to_string(),
            reason: reason.to_owned(),
            plies: game.moves.len(),
        });
        if self.games.len() > MAX_GAMES {
            self.games.remove(0);
        }
        if config.engines.len() == 2 && tally.games().is_multiple_of(self.stride) {
            self.curve.push(point(config, tally));
        }
        if self.curve.len() > MAX_POINTS {
            self.stride *= 2;
            let mut odd = false;
            self.curve.retain(|_| {
                odd = !odd;
                !odd
            });
        }
    }
}

fn point(config: &MatchConfig, tally: &Tally) -> CurvePoint {
    let llr = config.sprt.map_or(0.0, |test| sprt_llr(&test, tally, config.by_pairs));
    let encounter = tally.encounter(0, 1);
    let estimate = encounter.estimate(config.by_pairs).or_else(|| encounter.estimate(false));
    let (elo, error) = estimate.map_or((0.0, 0.0), |estimate| (estimate.elo, estimate.elo_error));
    CurvePoint(tally.games() as f64, llr, finite(elo), finite(error))
}

/// JSON has no infinity.
pub fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
