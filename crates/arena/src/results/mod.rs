//! Results: a summary of each game, the running score, the SPRT decision.

mod summary;
mod tally;

use stats::{Decision, EloModel, Sprt};

use crate::config::MatchConfig;

pub(crate) use summary::PHASE_STARTS;
pub use summary::{GameSummary, TimeUse};
pub use tally::{DistinctGames, Encounter, OpeningPair, Tally};

/// The decision of the match's SPRT; `None` without one, or if more games are needed.
pub fn sprt_decision(config: &MatchConfig, tally: &Tally) -> Option<Decision> {
    let test = config.sprt?;
    let decision = test.decide(sprt_llr(&test, tally, config.by_pairs));
    (decision != Decision::Continue).then_some(decision)
}

/// The LLR of the first two engines' results. The Bayesian model uses single games.
pub fn sprt_llr(test: &Sprt, tally: &Tally, by_pairs: bool) -> f64 {
    let encounter = tally.encounter(0, 1);
    if by_pairs && test.model() != EloModel::Bayesian {
        test.llr_of_pairs(encounter.pairs)
    } else {
        test.llr_of_games(encounter.games())
    }
}
