//! Games against the engine.

use chess::Color;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::store::Id;

#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct NewGame {
    /// The human's side.
    pub side: Side,
    /// The engine's Elo; none for full strength.
    pub elo: Option<u32>,
    /// The name of an external engine; none for Vedette.
    #[serde(default)]
    pub opponent: Option<String>,
    pub clock: Option<ClockSetting>,
    /// Number of the Chess960 start position; none for standard chess.
    pub chess960: Option<u16>,
    pub fen: Option<String>,
    /// The date in the user's calendar, as PGN writes it.
    pub date: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(TS))]
pub enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct ClockSetting {
    /// Seconds for the whole game.
    pub seconds: u32,
    /// Seconds added after each move.
    pub increment: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameOver {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    pub reason: String,
}

/// A game as `game.json` holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SavedGame {
    pub id: Id,
    pub start: String,
    pub chess960: bool,
    pub moves: Vec<String>,
    pub side: Side,
    pub elo: Option<u32>,
    /// The name of an external engine; none for Vedette.
    #[serde(default)]
    pub opponent: Option<String>,
    pub clock: Option<ClockSetting>,
    /// Time left for White and Black, in milliseconds.
    pub left_ms: [u64; 2],
    /// What the clock showed after each move, in milliseconds; empty without a clock.
    #[serde(default)]
    pub clocks_ms: Vec<u64>,
    pub date: String,
    pub ending: Option<GameOver>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameState {
    #[serde(flatten)]
    pub game: SavedGame,
    /// Whether the clock of the side to move is running.
    pub runs: bool,
    pub thinking: bool,
    /// Of two states of a game the one with the greater version is the newer.
    pub version: u64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Hint {
    pub mv: String,
    pub san: String,
}
