//! What the page can ask for.

use serde::Deserialize;
#[cfg(test)]
use ts_rs::TS;

use super::{
    DoctorStart, MAX_MESSAGE, MAX_POSITION_MESSAGE, MAX_SMALL_MESSAGE, MatchStart, NewGame, NodeFilter,
    PositionSpec, ReviewStart, TraceStart,
};
use crate::store::Id;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum Request {
    Hello,
    Game(GameRequest),
    SavedGame(SavedGameRequest),
    Analysis(AnalysisRequest),
    /// The static evaluation of a position, piece by piece and move by move.
    Explain {
        fen: String,
    },
    Review(ReviewRequest),
    Trace(TraceRequest),
    Match(MatchRequest),
    Doctor(DoctorRequest),
}

impl Request {
    /// The longest message with such a request, in bytes.
    pub(super) fn max_bytes(&self) -> usize {
        match self {
            Request::Review(ReviewRequest::Start(_)) => MAX_MESSAGE,
            Request::Analysis(AnalysisRequest::Start(_)) | Request::Trace(TraceRequest::Start(_)) => {
                MAX_POSITION_MESSAGE
            }
            _ => MAX_SMALL_MESSAGE,
        }
    }
}

/// The game in progress.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum GameRequest {
    New(NewGame),
    /// `ply` is the number of moves played before, so that a stale page cannot play a wrong move.
    Move {
        mv: String,
        ply: usize,
    },
    TakeBack,
    Resign,
    Hint,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum SavedGameRequest {
    List,
    Pgn { id: Id },
    Remove { id: Id },
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum AnalysisRequest {
    Start(AnalysisStart),
    Stop,
}

#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct AnalysisStart {
    pub position: PositionSpec,
    /// Number of lines (`MultiPV`).
    pub lines: usize,
    pub threads: usize,
    /// Hash size in MiB.
    pub hash: usize,
    /// The page's number for this search: results carry it.
    pub run: u64,
    /// Depth limit; none for an infinite search.
    pub depth: Option<u32>,
    /// Whether to take the engine from another page that uses it.
    pub take: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum ReviewRequest {
    Start(ReviewStart),
    Resume {
        id: Id,
    },
    Stop,
    List,
    /// The games of a review, without their moves.
    Open {
        id: Id,
    },
    /// One game of a review, by its index.
    Game {
        id: Id,
        index: usize,
    },
    Pgn {
        id: Id,
    },
    Remove {
        id: Id,
    },
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum TraceRequest {
    Start(TraceStart),
    Stop,
    List,
    /// Searches the position of an earlier recording again.
    Open {
        id: Id,
    },
    Remove {
        id: Id,
    },
    /// The children of a node, or the roots; `skip` leaves out the first ones.
    Children {
        node: Option<u32>,
        skip: usize,
    },
    Find(NodeFilter),
    /// The nodes from the root to this one.
    Path {
        node: u32,
    },
    /// Why a line, in SAN, was not played.
    WhyNot {
        line: String,
    },
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum MatchRequest {
    Start(MatchStart),
    Resume {
        id: Id,
    },
    Stop,
    List,
    Open {
        id: Id,
    },
    /// The PGN of one game, by its index in the order in which games ended.
    Game {
        id: Id,
        index: usize,
    },
    Remove {
        id: Id,
    },
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum DoctorRequest {
    Start(DoctorStart),
    Stop,
    List,
    Remove { id: Id },
}
