//! The plan: everything that determines the games.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use record::adjudication::{AdjudicationRules, DrawRule, ResignRule};
use support::random::Random;

/// How games are played. Equal plans give equal games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfPlayPlan {
    /// Program and evaluation. Games of different players are not mixed in one file.
    pub player: String,
    /// Seed of all random choices.
    pub seed: u64,
    /// The shard to play.
    pub shard: Shard,
    /// Soft node limit: no new iteration after this many.
    pub soft_nodes: u64,
    pub hard_nodes: u64,
    /// Size of the hash table in mebibytes.
    pub hash_mb: usize,
    pub opening: OpeningPlan,
    pub rules: AdjudicationRules,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OpeningPlan {
    /// Minimum and maximum number of random plies.
    pub random_plies: (u32, u32),
    /// Fraction of games that start from a double Chess960 position.
    pub dfrc_share: f64,
    /// Nodes of the search that scores an opening.
    pub nodes: u64,
    /// Openings with a larger score for either side are rejected, in centipawns.
    pub max_score: i32,
}

impl SelfPlayPlan {
    /// Default adjudication: a win if both sides score it 15 pawns for two moves each, a draw if both score
    /// it within 8 centipawns for six moves each after move 40.
    pub const RULES: AdjudicationRules = AdjudicationRules {
        draw: Some(DrawRule { move_number: 40, move_count: 6, score: 8 }),
        resign: Some(ResignRule { move_count: 2, score: 1500, two_sided: true }),
        max_moves: Some(250),
    };

    /// The stream of random numbers of a game.
    pub fn random(&self, number: u64) -> Random {
        // Hashed twice, so that the streams of consecutive games are independent.
        let seed = Random::new(self.seed).bits();
        Random::new(Random::new(seed ^ number).bits())
    }
}

/// One of several equal parts of a run: `2/5` is the second of five.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u64,
    /// The number of shards.
    pub of: u64,
}

impl Shard {
    /// The whole run.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// The number, in the whole run, of this shard's `index`-th game.
    pub fn game_number(self, index: u64) -> u64 {
        index * self.of + (self.number - 1)
    }

    /// This shard's part of a goal.
    #[must_use]
    pub fn share(self, goal: Goal) -> Goal {
        match goal {
            Goal::Games(games) => Goal::Games((games + self.of - self.number) / self.of),
            Goal::Positions(positions) => Goal::Positions(positions.div_ceil(self.of)),
        }
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if 1 <= number && number <= of => Ok(Shard { number, of }),
            _ => Err(format!("invalid shard '{text}': expected K/N with 1 <= K <= N, such as 2/5")),
        }
    }
}

/// When to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// This many games.
    Games(u64),
    /// At least this many positions.
    Positions(u64),
}

impl Goal {
    /// Whether the goal is reached.
    pub fn is_reached(self, games: u64, positions: u64) -> bool {
        match self {
            Goal::Games(wanted) => games >= wanted,
            Goal::Positions(wanted) => positions >= wanted,
        }
    }

    /// Progress from 0 to 1.
    pub fn done(self, games: u64, positions: u64) -> f64 {
        let (have, wanted) = match self {
            Goal::Games(wanted) => (games, wanted),
            Goal::Positions(wanted) => (positions, wanted),
        };
        if wanted == 0 { 1.0 } else { (have as f64 / wanted as f64).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn shards_share_out_every_game_once() {
        for (games, of) in [(10, 3), (9, 3), (2, 5), (0, 2), (7, 1)] {
            let mut numbers = BTreeSet::new();
            for number in 1..=of {
                let shard = Shard { number, of };
                let Goal::Games(share) = shard.share(Goal::Games(games)) else { unreachable!() };
                for index in 0..share {
                    assert!(numbers.insert(shard.game_number(index)));
                }
            }
            assert_eq!(numbers, (0..games).collect(), "{games} games over {of} shards");
        }
    }

    #[test]
    fn shards_are_written_as_fractions() {
        assert_eq!("2/5".parse(), Ok(Shard { number: 2, of: 5 }));
        for wrong in ["", "3", "0/4", "5/4", "1/0", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
