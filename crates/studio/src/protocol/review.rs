//! Game reviews.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use super::Score;
use crate::store::Id;

/// Also the content of `reviews/*.order`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "ReviewFields")]
#[cfg_attr(test, derive(TS))]
pub struct ReviewStart {
    pub pgn: String,
    /// Name of an external engine; none for Vedette.
    #[serde(default)]
    pub engine: Option<String>,
    #[serde(flatten)]
    pub limit: ReviewLimit,
}

/// How a [`ReviewStart`] is read: a flattened field would keep everything else that a message has.
#[derive(Deserialize)]
struct ReviewFields {
    pgn: String,
    #[serde(default)]
    engine: Option<String>,
    depth: Option<u32>,
    millis: Option<u64>,
}

impl TryFrom<ReviewFields> for ReviewStart {
    type Error = &'static str;

    fn try_from(fields: ReviewFields) -> Result<ReviewStart, Self::Error> {
        let limit = match (fields.depth, fields.millis) {
            (Some(depth), None) => ReviewLimit::Depth(depth),
            (None, Some(millis)) => ReviewLimit::Millis(millis),
            _ => return Err("expected either depth or millis"),
        };
        Ok(ReviewStart { pgn: fields.pgn, engine: fields.engine, limit })
    }
}

/// The limit of the search of each position.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(TS))]
pub enum ReviewLimit {
    Depth(u32),
    Millis(u64),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReviewProgress {
    pub id: Id,
    /// The game in progress, from 1.
    pub game: usize,
    pub games: usize,
    /// Positions.
    pub done: usize,
    pub total: usize,
    pub finished: bool,
    pub error: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReviewSummary {
    pub id: Id,
    /// Finished games.
    pub games: usize,
    /// The first game.
    pub white: String,
    pub black: String,
    pub result: String,
    pub accuracy: BothSides<Option<f64>>,
    pub limits: String,
    /// Whether it was stopped before its end.
    pub resumable: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReviewDetails {
    pub id: Id,
    pub engine: String,
    pub limits: String,
    pub games: Vec<Pairing>,
    pub broken: Vec<PgnWarning>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Pairing {
    pub white: String,
    pub black: String,
    pub result: String,
}

/// Something in a PGN that could not be read.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct PgnWarning {
    /// Game and line, from 1.
    pub game: usize,
    pub line: usize,
    pub what: String,
    /// Whether the game was left out.
    pub skipped: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct BothSides<T> {
    pub white: T,
    pub black: T,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameReview {
    pub tags: Vec<(String, String)>,
    pub result: String,
    pub start: String,
    /// White's score and winning chances, in percent, before the first move.
    pub score: Option<Score>,
    pub chance: f64,
    pub moves: Vec<ReviewedMove>,
    /// From 0 to 100.
    pub accuracy: BothSides<Option<f64>>,
    pub errors: BothSides<Errors>,
    /// The mistakes and blunders to learn from.
    pub retry: Vec<Retry>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReviewedMove {
    /// From 1.
    pub ply: usize,
    /// Full move number.
    pub number: u32,
    pub white: bool,
    pub san: String,
    pub uci: String,
    /// The position before the move.
    pub fen: String,
    /// White's score after the move; none if it ended the game.
    pub score: Option<Score>,
    /// White's winning chances after the move, in percent.
    pub chance: f64,
    /// Loss of winning chances for the side that moved, in percent.
    pub loss: f64,
    pub quality: Quality,
    /// The best move and its line, in SAN.
    pub best: Option<String>,
    pub line: Vec<String>,
    /// Why it was a mistake, in sentences.
    pub explanation: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(TS))]
pub enum Quality {
    Forced,
    Best,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Errors {
    pub inaccuracies: u32,
    pub mistakes: u32,
    pub blunders: u32,
}

/// A mistake to be tried again.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Retry {
    pub ply: usize,
    pub white: bool,
    pub fen: String,
    pub played: String,
    pub best_uci: String,
    pub line: Vec<String>,
    pub quality: Quality,
}

/// Several games together.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReviewTotals {
    /// Whose games they are; none: both sides are counted.
    pub player: Option<String>,
    /// The most frequent first.
    pub openings: Vec<OpeningTotals>,
    pub phases: Vec<PhaseTotals>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct OpeningTotals {
    pub name: String,
    pub games: u32,
    pub points: f64,
    /// Games with a result.
    pub finished: u32,
    /// From 0 to 100.
    pub accuracy: Option<f64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct PhaseTotals {
    pub phase: GamePhase,
    pub moves: u32,
    /// From 0 to 100.
    pub accuracy: Option<f64>,
    pub mistakes: u32,
    pub blunders: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(TS))]
pub enum GamePhase {
    Opening,
    Middlegame,
    Endgame,
}
