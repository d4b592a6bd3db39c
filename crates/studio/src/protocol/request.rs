//! What the page can ask for.

use serde::Deserialize;
#[cfg(test)]
use ts_rs::TS;

use super::{
    DoctorStart, LibraryRequest, MAX_MESSAGE, MAX_POSITION_MESSAGE, MAX_SMALL_MESSAGE, MatchStart, NewGame,
    NodeFilter, PositionSpec, ReviewStart, TraceStart, bounded,
};
use crate::store::Id;

/// More than a page may use.
const MAX_ENGINES: usize = 16;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum Request {
    Hello,
    Game(GameRequest),
    Library(LibraryRequest),
    /// What opening names and tablebases know about a position.
    Facts {
        position: PositionSpec,
    },
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
            Request::Review(ReviewRequest::Start(_)) | Request::Library(LibraryRequest::Import { .. }) => {
                MAX_MESSAGE
            }
            Request::Analysis(AnalysisRequest::Start(_) | AnalysisRequest::Engines(_))
            | Request::Trace(TraceRequest::Start(_))
            | Request::Facts { .. }
            | Request::Library(LibraryRequest::Explore { .. }) => MAX_POSITION_MESSAGE,
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
    /// The engine accepts or declines.
    OfferDraw,
    /// Goes on with an unfinished game of the library.
    Continue {
        id: Id,
    },
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum AnalysisRequest {
    Start(AnalysisStart),
    Stop,
    /// Lets other engines search too.
    Engines(EnginesStart),
}

/// What to search, and how.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SearchSetup {
    pub position: PositionSpec,
    /// Number of lines (`MultiPV`).
    pub lines: usize,
    pub threads: usize,
    /// Hash size in MiB.
    pub hash: usize,
    /// The page's number for this search: results carry it.
    pub run: u64,
    /// Depth limit.
    pub depth: Option<u32>,
}

/// Without a limit the engines search until they get another position.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct EnginesStart {
    /// Those that search; the page's others end.
    #[serde(deserialize_with = "bounded::<MAX_ENGINES, _, _>")]
    pub names: Vec<String>,
    pub setup: SearchSetup,
    pub millis: Option<u64>,
}

/// Without a limit the search is infinite.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct AnalysisStart {
    pub setup: SearchSetup,
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
    /// All its games together.
    Totals {
        id: Id,
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
    /// Why a move of the recorded position is good or bad, by searches of its own: the answer is an event.
    Reason {
        /// In SAN.
        mv: String,
    },
    StopReason,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum MatchRequest {
    Start(MatchStart),
    /// The same match as a command line.
    Command(MatchStart),
    /// All games.
    Pgn {
        id: Id,
    },
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
    Open {
        id: Id,
    },
    /// What changed from one report to another.
    Compare {
        before: Id,
        after: Id,
    },
    Remove {
        id: Id,
    },
}
