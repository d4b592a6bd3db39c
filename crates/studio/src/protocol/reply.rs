//! What the studio answers, and what it reports on its own.

use std::collections::BTreeMap;

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use super::{
    CheckInfo, Comparison, DoctorProgress, DoctorReport, Explored, FoundNodes, GameReview, GameState, Hint,
    ImportedFile, LibraryPage, LiveGame, MatchState, MatchSummary, NodePage, PositionFacts, ReasonProgress,
    RecordingSummary, ReportSummary, ReviewDetails, ReviewProgress, ReviewSummary, ReviewTotals, Score,
    TraceNode, TraceOverview, WhyNot,
};
use crate::store::Id;

#[derive(Debug, Serialize)]
#[serde(tag = "kind", content = "value", rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum Reply {
    Done,
    Hello(Box<Hello>),
    Game(Option<Box<GameState>>),
    Hint(Hint),
    /// Whether the engine accepted.
    DrawOffer(bool),
    Library(LibraryPage),
    /// The number of games that were added.
    Imported(usize),
    Explored(Explored),
    Files(Vec<ImportedFile>),
    Facts(PositionFacts),
    Pgn(String),
    Explanation(Explanation),
    /// A job was started; its results are stored under this id.
    Started(Id),
    Reviews(Vec<ReviewSummary>),
    Review(ReviewDetails),
    Totals(ReviewTotals),
    ReviewedGame(Box<GameReview>),
    Recordings(Vec<RecordingSummary>),
    Nodes(NodePage),
    Found(FoundNodes),
    Path(Vec<TraceNode>),
    WhyNot(WhyNot),
    Matches(Vec<MatchSummary>),
    Match(Box<MatchState>),
    Reports(Vec<ReportSummary>),
    Report(Box<DoctorReport>),
    Comparison(Comparison),
    Command(String),
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", content = "content", rename_all = "kebab-case")]
#[cfg_attr(test, derive(TS))]
pub enum Event {
    Game(Box<GameState>),
    Analysis(Analysis),
    /// Another page uses the engine: the search with this number does not run, or not any more.
    AnalysisTaken(u64),
    /// The engine is idle again.
    AnalysisFree,
    /// Lines of another engine.
    EngineAnalysis(EngineAnalysis),
    /// Another engine could not be started, or has ended.
    EngineFailed {
        engine: String,
        error: String,
    },
    TraceFinished(Box<TraceOverview>),
    TraceFailed(String),
    Reason(ReasonProgress),
    Match(Box<MatchState>),
    /// The games that are being played.
    LiveGames(Vec<LiveGame>),
    Review(ReviewProgress),
    Doctor(DoctorProgress),
    Warning(String),
}

/// The studio and its current state.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Hello {
    pub version: String,
    /// The network's hash, or the classical evaluation.
    pub evaluation: String,
    /// The weakest and the strongest level.
    pub elo: [u32; 2],
    pub threads: usize,
    pub max_lines: usize,
    /// Largest hash size in MiB.
    pub max_hash: usize,
    /// Names of the external engines.
    pub engines: Vec<String>,
    pub checks: Vec<CheckInfo>,
    pub game: Option<Box<GameState>>,
    pub r#match: Option<Box<MatchState>>,
    pub review: Option<ReviewProgress>,
    pub doctor: Option<DoctorProgress>,
    pub trace: Option<Box<TraceOverview>>,
    /// Whether a search is being recorded.
    pub recording: bool,
}

/// The newest lines of a search, from White's point of view.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Analysis {
    pub run: u64,
    pub lines: Vec<PvLine>,
    pub nodes: u64,
    pub millis: u64,
    pub best: Option<String>,
    pub finished: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct EngineAnalysis {
    pub engine: String,
    pub analysis: Analysis,
}

/// Castling is written as king takes rook, which has one meaning in every variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct PvLine {
    pub depth: u32,
    pub selective_depth: u32,
    pub score: Score,
    /// White's wins, draws and losses, in thousandths.
    pub wdl: [u16; 3],
    pub pv: Vec<String>,
}

/// A static evaluation in centipawns, from White's point of view.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Explanation {
    pub value: i32,
    /// By how much each legal move changes the evaluation.
    pub moves: BTreeMap<String, i32>,
    /// The evaluation minus the evaluation without the piece, by square.
    pub pieces: BTreeMap<String, i32>,
    /// The terms of the classical evaluation.
    pub terms: Option<String>,
}
