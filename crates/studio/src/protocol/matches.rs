//! Engine matches.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use super::{Score, bounded};
use crate::store::Id;

/// Options of an engine that a page may set.
const MAX_OPTIONS: usize = 32;

#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct MatchStart {
    pub engines: [MatchEngine; 2],
    pub pairs: u64,
    /// Time control such as `10+0.1`.
    pub clock: Option<String>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    pub concurrency: usize,
    /// SPRT bounds in Elo; none for a fixed number of games.
    pub sprt: Option<[f64; 2]>,
    /// UCI options of each engine: numbers, and `true` or `false`.
    #[serde(default)]
    pub options: [EngineOptions; 2],
    /// Whether games are adjudicated as drawn or lost by the engines' scores.
    #[serde(default = "yes")]
    pub adjudicate: bool,
}

fn yes() -> bool {
    true
}

/// Names and values of UCI options.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
#[cfg_attr(test, derive(TS))]
pub struct EngineOptions(
    #[serde(deserialize_with = "bounded::<MAX_OPTIONS, _, _>")] pub Vec<(String, String)>,
);

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum MatchEngine {
    Vedette {
        /// None for full strength.
        elo: Option<u32>,
        /// Use the classical evaluation instead of the network.
        classical: bool,
    },
    /// An external engine, by its name.
    External(String),
}

/// A match as `matches/*.json` holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct MatchState {
    #[serde(flatten)]
    pub summary: MatchSummary,
    pub curve: Vec<CurvePoint>,
    /// The newest games; all of them are in the match's PGN.
    pub games: Vec<MatchGame>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct MatchSummary {
    pub id: Id,
    pub report: MatchReport,
    /// Why the match ended; none while it is running.
    pub over: Option<String>,
    /// Whether it has ended with games left to play.
    pub resumable: bool,
    /// The limits of both engines.
    pub clock: String,
    /// Whether the engines are still being started.
    #[serde(default)]
    pub preparing: bool,
    /// Seconds that the games so far took, in this run.
    #[serde(default)]
    pub elapsed: u64,
    /// Seconds that the planned games left may take; none before it can be estimated.
    #[serde(default)]
    pub left: Option<u64>,
}

/// Games, LLR, Elo and its error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct CurvePoint(pub f64, pub f64, pub Option<f64>, pub Option<f64>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct MatchGame {
    /// Its index in the order in which games ended.
    pub number: u64,
    pub white: String,
    pub black: String,
    pub result: String,
    pub reason: String,
    pub plies: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct MatchReport {
    pub games: u64,
    pub games_planned: u64,
    pub engines: [EngineName; 2],
    pub encounters: [Encounter; 1],
    pub sprt: Option<SprtState>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct EngineName {
    pub name: String,
}

/// The result from the first engine's point of view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Encounter {
    pub games: GameCounts,
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    #[serde(default)]
    pub pairs: [u64; 5],
    /// None before the first game.
    pub estimate: Option<Estimate>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameCounts {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Estimate {
    pub score: f64,
    /// None if it is infinite.
    pub elo: Option<f64>,
    pub elo_error: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SprtState {
    pub llr: f64,
    pub lower: f64,
    pub upper: f64,
    pub elo0: f64,
    pub elo1: f64,
}

/// A game that is being played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct LiveGame {
    /// Its index in the schedule.
    pub number: u64,
    pub white: String,
    pub black: String,
    pub fen: String,
    /// The last move in UCI notation.
    pub last: Option<String>,
    pub plies: usize,
    /// White and Black.
    pub sides: [LiveSide; 2],
}

/// What an engine reported with its last move.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct LiveSide {
    /// From White's point of view.
    pub score: Option<Score>,
    pub depth: Option<u32>,
    /// Time left, if there is a clock.
    pub left_ms: Option<u64>,
    /// Time for the move.
    pub used_ms: u64,
}
