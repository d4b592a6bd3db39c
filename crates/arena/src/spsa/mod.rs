//! Tuning by simultaneous perturbation (SPSA, Spall 1992): all parameters are perturbed at once, the two perturbed
//! engines play each other, and the result gives the direction of the step.

mod engine_games;
#[cfg(feature = "tune")]
mod games;
mod parameter;
mod tuner;

use record::adjudication::{AdjudicationRules, DrawRule, ResignRule};
use record::pgn::GameResult;

pub use engine_games::{EnginePair, check_option, spin_parameters};
#[cfg(feature = "tune")]
pub use games::{play_pair, tuned_params};
pub use parameter::{TunedParameter, read_parameters};
pub use tuner::{Gains, SpsaIteration, Tuner};

/// When games are adjudicated.
fn rules() -> AdjudicationRules {
    AdjudicationRules {
        draw: Some(DrawRule { move_number: 40, move_count: 6, score: 10 }),
        resign: Some(ResignRule { move_count: 3, score: 700, two_sided: true }),
        max_moves: Some(200),
    }
}

/// A result for White: 1, 0 or -1.
fn points(result: GameResult) -> i32 {
    match result {
        GameResult::WhiteWins => 1,
        GameResult::BlackWins => -1,
        GameResult::Draw | GameResult::Unknown => 0,
    }
}
