//! Engine matches.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use super::{Score, bounded};
use crate::store::Id;

/// Options of an engine that a page may set.
const MAX_OPTIONS: usize = 32;
/// Engines of a match.
const MAX_ENTRANTS: usize = 8;

#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct MatchStart {
    /// At least two.
    #[serde(deserialize_with = "bounded::<MAX_ENTRANTS, _, _>")]
    pub engines: Vec<Entrant>,
    /// Whether the first engine plays all the others. Otherwise all play each other.
    pub gauntlet: bool,
    /// Of each two engines that meet.
    pub pairs: u64,
    /// Time control such as `10+0.1`.
    pub clock: Option<String>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    pub concurrency: usize,
    /// SPRT bounds in Elo; none for a fixed number of games.
    pub sprt: Option<[f64; 2]>,
    pub openings: MatchOpenings,
    pub draw: Option<DrawAdjudication>,
    pub resign: Option<ResignAdjudication>,
    /// Longer games are drawn.
    pub max_moves: Option<u32>,
}

#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Entrant {
    pub engine: MatchEngine,
    /// UCI options: numbers, and `true` or `false`.
    pub options: EngineOptions,
}

/// The positions that games start from, each once with either colour.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum MatchOpenings {
    /// The built-in book, shuffled.
    BuiltIn,
    /// The standard start position.
    Standard,
    /// The 960 start positions, shuffled.
    Chess960,
    /// The games of an imported file, shuffled, up to this ply.
    Imported { id: Id, plies: usize },
}

/// A game is drawn when both scores stay small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct DrawAdjudication {
    /// From this move on.
    pub from_move: u32,
    /// For this many moves.
    pub moves: u32,
    /// In centipawns.
    pub score: i32,
}

/// A game is lost when both scores say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct ResignAdjudication {
    /// For this many moves.
    pub moves: u32,
    /// In centipawns.
    pub score: i32,
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
    pub engines: Vec<Standing>,
    pub encounters: Vec<Encounter>,
    pub sprt: Option<SprtState>,
    /// Whether so many games were repeated that the result says little.
    #[serde(default)]
    pub repeats: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Standing {
    pub name: String,
    /// Against all others.
    #[serde(default)]
    pub games: GameCounts,
    /// Relative to the mean of all engines; only of more than two.
    #[serde(default)]
    pub elo: Option<f64>,
    #[serde(default)]
    pub elo_error: Option<f64>,
}

/// The result of two engines, from the first one's point of view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Encounter {
    /// Their indices.
    #[serde(default = "first_two")]
    pub players: [usize; 2],
    pub games: GameCounts,
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    #[serde(default)]
    pub pairs: [u64; 5],
    /// None before the first game.
    pub estimate: Option<Estimate>,
}

/// Those of files from before there were others.
fn first_two() -> [usize; 2] {
    [0, 1]
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
