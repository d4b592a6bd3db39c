//! Finds where an engine lost its games, and why: a reference engine looks for the move that lost each game, and the
//! engine is asked again there, under other conditions. `vedette autopsy` uses it.
//!
//! [`lost_games`] picks the games; [`Plan::run`] examines them and returns [`Case`]s, each with its [`Cause`];
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
pub use cause::{Cause, ENDGAME_PIECES, Evidence, OPENING_MOVES, PRUNED_CENTIPAWNS, classify};
pub use deciding::{Decision, LEAST_LOSS, LOST_CHANCE, decide};
pub use limit::{Clock, GameLimits, Limit};
pub use page::page;
pub use plan::{Event, Plan, RunError, Saved, journal_header};
pub use probe::{Probe, ProbeError, Prober, Question};
pub use suite::suite;

/// Version of the JSON format of [`Autopsy`].
pub const SCHEMA: &str = "vedette-autopsy/1";
