//! All games of the data folder, and what is known about a position.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use super::PositionSpec;
use crate::store::Id;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum LibraryRequest {
    /// The games that have every word in players, event, date, result or opening, the newest first.
    Search {
        text: String,
        /// Games of one source only.
        source: Option<GameSource>,
        /// Leaves out the first ones.
        skip: usize,
    },
    Pgn(GameRef),
    /// Adds the games of a PGN file.
    Import {
        pgn: String,
    },
    /// Removes a played game, or all games of an imported file.
    Remove {
        source: GameSource,
        id: Id,
    },
    /// The imported files.
    Files,
    /// The moves that were played in a position.
    Explore {
        position: PositionSpec,
    },
}

/// Where a game comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(TS))]
pub enum GameSource {
    Played,
    Reviewed,
    Match,
    Imported,
}

/// A game of the library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameRef {
    pub source: GameSource,
    /// The review, match or file that it belongs to.
    pub id: Id,
    /// Its index there.
    pub index: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct LibraryGame {
    #[serde(flatten)]
    pub game: GameRef,
    pub white: String,
    pub black: String,
    pub result: String,
    pub date: String,
    pub event: String,
    /// ECO code and name, if known.
    pub opening: String,
    /// Full moves.
    pub moves: usize,
    /// Whether it is a game against Vedette that can be continued.
    pub unfinished: bool,
}

/// A PGN file that was imported.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ImportedFile {
    pub id: Id,
    pub games: usize,
    /// The players of its first game.
    pub white: String,
    pub black: String,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct LibraryPage {
    pub games: Vec<LibraryGame>,
    /// All games that were found.
    pub count: usize,
    /// Whether there are more games than the library reads.
    pub truncated: bool,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Explored {
    /// Games that reached the position.
    pub games: u64,
    /// The most frequent first.
    pub moves: Vec<ExploredMove>,
    /// The newest of the games.
    pub newest: Vec<LibraryGame>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ExploredMove {
    pub mv: String,
    pub san: String,
    pub games: u64,
    /// Games that White won, drew and lost; the others have no result.
    pub white: u64,
    pub draws: u64,
    pub black: u64,
}

/// What books and tablebases know about a position.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct PositionFacts {
    /// The opening of the moves that led here.
    pub opening: Option<OpeningName>,
    pub tablebase: Option<TablebaseVerdict>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct OpeningName {
    pub eco: String,
    pub name: String,
}

/// For the side to move.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct TablebaseVerdict {
    pub result: TablebaseResult,
    /// The best first.
    pub moves: Vec<TablebaseMove>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct TablebaseMove {
    pub mv: String,
    pub san: String,
    pub result: TablebaseResult,
    /// Plies to the next capture or pawn move, or to mate.
    pub dtz: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum TablebaseResult {
    Loss,
    /// Drawn by the fifty-move rule.
    BlessedLoss,
    Draw,
    /// Drawn by the fifty-move rule.
    CursedWin,
    Win,
}
