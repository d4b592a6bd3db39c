//! Matches on a machine: pairs of games from one opening with colours swapped, counted in the order in which they were
//! begun, so that short games do not count before long ones.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use datagen::selfplay::{OpeningPlan, Plan};
use record::packed::Filter;
use serde::{Deserialize, Serialize};
use stats::{Decision, Estimate, Pentanomial, Sprt, Trinomial};

use crate::abi::{Counters, Limits};
use crate::error::GpuError;
use crate::games::{NO_RESULT, Outputs, Terms};
use crate::player::Player;
use crate::venue::Venue;

/// How long the device plays between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// A match.
#[derive(Clone, PartialEq, Debug)]
pub struct Duel {
    /// Nodes for each move of either player.
    pub nodes: [u32; 2],
    /// Pairs of games at most.
    pub pairs: u64,
    /// Seed of the openings.
    pub seed: u64,
    /// Share of games that begin with a position of double Chess960.
    pub dfrc_share: f64,
    /// Ends the match once it is decided.
    pub sprt: Option<Sprt>,
}

/// What came of a match, seen from the first player.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Score {
    /// Pairs.
    pub pairs: Pentanomial,
    /// Single games.
    pub games: Trinomial,
    /// Nodes that were searched.
    pub nodes: u64,
    /// Moves that were played.
    pub moves: u64,
    /// Sum of the depths of their searches.
    pub depths: u64,
    /// How long it took.
    pub seconds: f64,
}

impl Score {
    /// Elo with its error; `None` before the first pair.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::from_distribution(&self.pairs.distribution())
    }

    /// Mean depth of the searches.
    pub fn depth(&self) -> f64 {
        self.depths as f64 / self.moves.max(1) as f64
    }

    fn count(&mut self, pair: [u8; 2]) {
        self.pairs.add(pair[0] + pair[1]);
        for half_points in pair {
            self.games.add(half_points);
        }
    }

    fn look_at(&mut self, counters: &Counters, clock: &Instant) {
        self.nodes = counters.nodes;
        self.moves = counters.moves;
        self.depths = counters.depths;
        self.seconds = clock.elapsed().as_secs_f64();
    }
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ended {
    /// What came of it.
    pub score: Score,
    /// Whether it was played to its end or decided.
    pub complete: bool,
}

impl Duel {
    /// Openings of a match: random, and judged so that neither side is lost.
    fn opening(&self) -> OpeningPlan {
        /// Enough to see what hangs.
        const JUDGED_WITH: u64 = 2000;
        OpeningPlan { random_plies: (8, 8), dfrc_share: self.dfrc_share, nodes: JUDGED_WITH, max_score: 300 }
    }

    fn terms(&self) -> Terms {
        Terms {
            seed: self.seed,
            first_game: 0,
            game_step: 1,
            games: 2 * self.pairs,
            is_match: true,
            limits: self.nodes.map(|nodes| Limits { soft: nodes, hard: nodes }),
            opening: self.opening(),
            rules: Plan::RULES,
            filter: Filter::EVERYTHING,
            validation_every: 0,
        }
    }

    /// Plays it. `look` is told the score now and then.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn play(
        &self,
        venue: &mut Venue,
        players: [&Player; 2],
        interrupt: &AtomicBool,
        mut look: impl FnMut(&Score),
    ) -> Result<Ended, GpuError> {
        let clock = Instant::now();
        let outputs = Outputs { results: true, ..Outputs::default() };
        let mut playing = venue.begin(players, &self.terms(), &outputs)?;
        let mut score = Score::default();
        while !playing.is_over() {
            if interrupt.load(Relaxed) {
                return Ok(Ended { score, complete: false });
            }
            playing.advance(LOOK_EVERY)?;
            let results = playing.results()?;
            let (pairs, _) = results.as_chunks::<2>();
            for pair in pairs.iter().skip(score.pairs.pairs() as usize) {
                if pair.contains(&NO_RESULT) {
                    break;
                }
                score.count(*pair);
                if self.is_decided(&score) {
                    score.look_at(&playing.control().counters, &clock);
                    return Ok(Ended { score, complete: true });
                }
            }
            score.look_at(&playing.control().counters, &clock);
            look(&score);
        }
        Ok(Ended { score, complete: true })
    }

    fn is_decided(&self, score: &Score) -> bool {
        self.sprt.is_some_and(|sprt| sprt.decide(sprt.llr_of_pairs(score.pairs)) != Decision::Continue)
    }
}
