//! Finds where an engine lost its games, and why: a reference engine looks for the move that lost each game, and the
//! engine is asked again there, under other conditions. `vedette autopsy` uses it.
//!
//! [`lost_games`] picks the games; [`AutopsyPlan::run`] examines them and returns [`Case`]s, each with its [`LossCause`];
//! [`classify`] is the rule from answers to causes. An [`Autopsy`] is what JSON contains; [`page`] and [`suite`]
//! write it as HTML and EPD.

mod case;
mod cause;
mod deciding;
mod examine;
mod limit;
mod page;
mod plan;
mod probe;
mod suite;

pub use case::{Autopsy, Case, CauseCount, Moment, lost_games, lost_side};
pub use cause::{
    ENDGAME_PIECES, LossCause, LossEvidence, MISJUDGED_PERCENT, OPENING_MOVES, PRUNED_CENTIPAWNS, classify,
};
pub use deciding::{LEAST_LOSS, LOST_CHANCE, LossPattern, decide};
pub use limit::{GameLimits, Limit, ReplayClock};
pub use page::page;
pub use plan::{AutopsyError, AutopsyEvent, AutopsyPlan, Saved, journal_header};
pub use probe::{EngineProbeError, EngineProber, Probe, Question};
pub use suite::suite;

/// Version of the JSON format of [`Autopsy`].
pub const SCHEMA: &str = "vedette-autopsy/1";
