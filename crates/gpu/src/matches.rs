//! Matches on a device: pairs of games from one opening with colours reversed, counted in the order in which they started, so
//! that short games do not count before long ones.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use datagen::selfplay::{OpeningPlan, SelfPlayPlan};
use record::packed::Filter;
use serde::{Deserialize, Serialize};
use stats::{Decision, Estimate, Pentanomial, Sprt, Trinomial};

use crate::abi::{Counters, NodeLimits};
use crate::context::DeviceContext;
use crate::error::GpuError;
use crate::games::{GameSettings, NO_RESULT, Outputs};
use crate::player::NetworkPlayer;

/// Between two polls.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// Nodes per move of either player.
    pub nodes: [u32; 2],
    /// The maximum.
    pub pairs: u64,
    pub seed: u64,
    /// Fraction of openings from DFRC positions.
    pub dfrc_share: f64,
    /// Ends the match once it is decided.
    pub sprt: Option<Sprt>,
}

/// The score of a match from the first player's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MatchScore {
    pub pairs: Pentanomial,
    pub games: Trinomial,
    pub nodes: u64,
    pub moves: u64,
    /// Sum of the depths of all moves' searches.
    pub depths: u64,
    pub seconds: f64,
}

impl MatchScore {
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

    fn update(&mut self, counters: &Counters, clock: &Instant) {
        self.nodes = counters.nodes;
        self.moves = counters.moves;
        self.depths = counters.depths;
        self.seconds = clock.elapsed().as_secs_f64();
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MatchEnd {
    pub score: MatchScore,
    /// Whether it was played to its end or decided.
    pub complete: bool,
}

impl Match {
    /// Random openings, verified so that neither side is lost.
    fn opening(&self) -> OpeningPlan {
        /// Enough to find hanging pieces.
        const NODES: u64 = 2000;
        OpeningPlan { random_plies: (8, 8), dfrc_share: self.dfrc_share, nodes: NODES, max_score: 300 }
    }

    fn settings(&self) -> GameSettings {
        GameSettings {
            seed: self.seed,
            first_game: 0,
            game_step: 1,
            games: 2 * self.pairs,
            is_match: true,
            limits: self.nodes.map(|nodes| NodeLimits { soft: nodes, hard: nodes }),
            opening: self.opening(),
            rules: SelfPlayPlan::RULES,
            filter: Filter::EVERYTHING,
            unrecorded: None,
            validation_every: 0,
        }
    }

    /// Plays the match, and reports the score now and then.
    ///
    /// # Errors
    /// If the device fails.
    pub fn play(
        &self,
        context: &mut DeviceContext,
        players: [&NetworkPlayer; 2],
        interrupt: &AtomicBool,
        mut report: impl FnMut(&MatchScore),
    ) -> Result<MatchEnd, GpuError> {
        let clock = Instant::now();
        let outputs = Outputs { results: true, ..Outputs::default() };
        let mut playing = context.start(players, &self.settings(), &outputs)?;
        let mut score = MatchScore::default();
        while !playing.is_over() {
            if interrupt.load(Relaxed) {
                return Ok(MatchEnd { score, complete: false });
            }
            playing.advance(POLL_INTERVAL)?;
            let results = playing.results()?;
            let (pairs, _) = results.as_chunks::<2>();
            for pair in pairs.iter().skip(score.pairs.pairs() as usize) {
                if pair.contains(&NO_RESULT) {
                    break;
                }
                score.count(*pair);
                if self.is_decided(&score) {
                    score.update(&playing.control().counters, &clock);
                    return Ok(MatchEnd { score, complete: true });
                }
            }
            score.update(&playing.control().counters, &clock);
            report(&score);
        }
        Ok(MatchEnd { score, complete: true })
    }

    fn is_decided(&self, score: &MatchScore) -> bool {
        self.sprt.is_some_and(|sprt| sprt.decide(sprt.llr_of_pairs(score.pairs)) != Decision::Continue)
    }
}
