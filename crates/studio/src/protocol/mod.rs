//! The messages between the page and the studio: JSON over a WebSocket, one message per frame.
//!
//! The page sends a [`ClientMessage`] and gets a [`ServerMessage`] with the same number; events arrive at any time.
//! No request contains a path or a command: engines are selected by their name among those that the user has given.
//!
//! `web/src/protocol.ts` is generated from these types by a test (see `typescript.rs`).

mod doctor;
mod game;
mod library;
mod matches;
mod reply;
mod request;
mod review;
mod trace;
#[cfg(test)]
mod typescript;

use std::fmt;
use std::marker::PhantomData;

use axum::extract::ws::Utf8Bytes;
use chess::{Game, Position};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::error::RequestError;

pub use doctor::{
    Change, CheckInfo, CheckState, Comparison, DoctorProgress, DoctorReport, ReportCause, ReportFinding,
    Verdict,
};
pub use doctor::{DoctorStart, ReportSummary, Thoroughness};
pub use game::{ClockSetting, GameOver, GameState, Hint, NewGame, SavedGame, Side};
pub use library::{
    Explored, ExploredMove, GameRef, GameSource, ImportedFile, LibraryGame, LibraryPage, LibraryRequest,
    OpeningName, PositionFacts, TablebaseMove, TablebaseResult, TablebaseVerdict,
};
#[cfg(test)]
pub use matches::EngineOptions;
pub use matches::{
    CurvePoint, DrawAdjudication, Encounter, Entrant, Estimate, GameCounts, LiveGame, LiveSide, MatchEngine,
    MatchGame, MatchOpenings, MatchReport, MatchStart, MatchState, MatchSummary, ResignAdjudication,
    SprtState, Standing,
};
pub use reply::{Analysis, EngineAnalysis, Event, Explanation, Hello, PvLine, Reply};
pub use request::{
    AnalysisRequest, AnalysisStart, DoctorRequest, EnginesStart, GameRequest, MatchRequest, Request,
    ReviewRequest, SearchSetup, TraceRequest,
};
pub use review::{
    BothSides, Errors, GameReview, Pairing, PgnWarning, Quality, Retry, ReviewDetails, ReviewLimit,
    ReviewProgress, ReviewStart, ReviewSummary, ReviewedMove,
};
pub use review::{GamePhase, OpeningTotals, PhaseTotals, ReviewTotals};
pub use trace::{
    Bound, Fate, FoundNodes, MoveReason, NodeFilter, NodePage, Purpose, Rates, ReasonOutcome, ReasonProgress,
    RecordingSummary, TraceNode, TraceOverview, TraceStart, WhyNot,
};

/// The longest message that is accepted, in bytes: a file of several thousand games.
pub const MAX_MESSAGE: usize = 8 * 1024 * 1024;
/// The longest message with a position and its moves, in bytes.
const MAX_POSITION_MESSAGE: usize = 64 * 1024;
/// The longest message of any other kind, in bytes.
const MAX_SMALL_MESSAGE: usize = 16 * 1024;
/// The longest game that is accepted, in plies.
pub const MAX_PLIES: usize = 2000;

/// A request with the number that its reply carries.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct ClientMessage {
    pub number: u64,
    pub request: Request,
}

/// A message that is not a valid request.
#[derive(Debug, PartialEq, Eq)]
pub struct InvalidMessage {
    /// Its number, if it has one: the page waits for a reply to it.
    pub number: Option<u64>,
    pub error: String,
}

impl ClientMessage {
    /// Parses a message. What it costs is bounded: in bytes by the kind of request, in memory because lists are cut off
    /// while they are read, and what no request has is skipped.
    pub fn parse(text: &str) -> Result<ClientMessage, InvalidMessage> {
        let invalid = |error| InvalidMessage { number: number_of(text), error };
        let message: ClientMessage =
            serde_json::from_str(text).map_err(|error| invalid(format!("invalid request: {error}")))?;
        let (bytes, most) = (text.len(), message.request.max_bytes());
        if bytes > most {
            return Err(invalid(format!("request too large: {bytes} bytes, at most {most} are accepted")));
        }
        Ok(message)
    }
}

/// The number of a message that is not a valid request.
fn number_of(text: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct NumberOnly {
        number: u64,
    }
    serde_json::from_str(text).ok().map(|NumberOnly { number }| number)
}

/// Reads a list of at most `MAX` values; the first one too many ends it.
fn bounded<'de, const MAX: usize, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Bounded<T, const MAX: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for Bounded<T, MAX> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MAX}")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(value) = values.next_element()? {
                if list.len() == MAX {
                    return Err(A::Error::custom(format!(
                        "list too long: at most {MAX} entries are accepted"
                    )));
                }
                list.push(value);
            }
            Ok(list)
        }
    }

    deserializer.deserialize_seq(Bounded::<T, MAX>(PhantomData))
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(TS))]
pub enum ServerMessage {
    Ok { number: u64, ok: Reply },
    Error { number: u64, error: String },
    Event(Event),
}

impl ServerMessage {
    pub fn reply(number: u64, result: Result<Reply, RequestError>) -> ServerMessage {
        match result {
            Ok(ok) => ServerMessage::Ok { number, ok },
            Err(error) => ServerMessage::Error { number, error: error.to_string() },
        }
    }

    pub fn to_json(&self) -> Utf8Bytes {
        // Serialization into memory fails only for maps with keys that are not strings; there are none.
        serde_json::to_string(self).unwrap_or_default().into()
    }
}

/// A start position and the moves played from it, in UCI notation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct PositionSpec {
    pub start: String,
    #[serde(default, deserialize_with = "bounded::<MAX_PLIES, _, _>")]
    pub moves: Vec<String>,
}

impl PositionSpec {
    pub fn game(&self) -> Result<Game, RequestError> {
        let mut game = Game::new(parse_fen(&self.start)?);
        for text in &self.moves {
            let mv = game.position().parse_uci(text).map_err(|error| format!("{text}: {error}"))?;
            game.play(mv);
        }
        Ok(game)
    }
}

pub fn parse_fen(fen: &str) -> Result<Position, RequestError> {
    Position::from_fen(fen).map_err(|error| format!("invalid FEN: {error}").into())
}

/// A score in centipawns or moves to mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(TS))]
pub enum Score {
    Cp(i32),
    Mate(i32),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<ClientMessage, InvalidMessage> {
        ClientMessage::parse(text)
    }

    #[test]
    fn requests_are_nested_by_topic() {
        let hello = parse(r#"{"number": 1, "request": "hello"}"#).expect("a request");
        assert!(matches!(hello, ClientMessage { number: 1, request: Request::Hello }));
        let mv = parse(r#"{"number": 3, "request": {"game": {"move": {"mv": "e2e4", "ply": 0}}}}"#);
        assert!(matches!(mv.expect("a request").request, Request::Game(GameRequest::Move { ply: 0, .. })));
        let start = r#"{"number": 5, "request": {"review": {"start": {"pgn": "1. e4 *", "depth": 9}}}}"#;
        let Request::Review(ReviewRequest::Start(start)) = parse(start).expect("a request").request else {
            panic!("a review")
        };
        assert!(matches!(start.limit, ReviewLimit::Depth(9)));
    }

    #[test]
    fn invalid_messages_are_refused() {
        for text in [
            "",
            "{}",
            "[]",
            r#"{"number": 1}"#,
            r#"{"number": -1, "request": "hello"}"#,
            r#"{"number": 1, "request": "shell"}"#,
            r#"{"number": 1, "request": {"library": {"pgn": {"source": "played", "id": "../../game", "index": 0}}}}"#,
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn invalid_requests_keep_their_number() {
        assert_eq!(number_of(r#"{"number": 7, "request": "shell"}"#), Some(7));
        assert_eq!(number_of(r#"{"number": 8, "request": {"game": {"move": 3}}}"#), Some(8));
        for text in ["", "[]", r#"{"request": "hello"}"#, r#"{"number": "7"}"#, r#"{"number": -7}"#] {
            assert_eq!(number_of(text), None, "{text}");
        }
    }

    /// An analysis of the start position with these moves, as the page would ask for it.
    fn analysis(moves: &str) -> String {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        format!(
            r#"{{"number": 1, "request": {{"analysis": {{"start": {{"setup": {{"position": {{"start": "{start}", "moves": [{moves}]}},
            "lines": 1, "threads": 1, "hash": 16, "run": 1, "depth": null}}, "take": false}}}}}}}}"#
        )
    }

    /// The byte of the first line at which a message was given up.
    fn given_up_at(text: &str) -> usize {
        let error = serde_json::from_str::<ClientMessage>(text).expect_err("too much");
        assert_eq!(error.line(), 1, "{error}");
        error.column()
    }

    #[test]
    fn long_lists_are_not_read_to_their_end() {
        let moves = |count: usize| vec!["\"e2e4\""; count].join(",");
        assert!(parse(&analysis(&moves(MAX_PLIES))).is_ok());
        assert!(given_up_at(&analysis(&moves(MAX_PLIES + 1))) < 16_500);
        let million = "\"\",".repeat(1_000_000);
        assert!(given_up_at(&analysis(&million)) < 7_000, "most of it is not even looked at");
        let checks = format!(
            r#"{{"number": 1, "request": {{"doctor": {{"start": {{"engine": null, "thoroughness": "quick", "only": [{million}]}}}}}}}}"#
        );
        assert!(given_up_at(&checks) < 1_000);
        // What a request does not have is skipped, not kept: a list there costs nothing.
        let review = format!(
            r#"{{"number": 1, "request": {{"review": {{"start": {{"pgn": "", "depth": 9, "more": [{million}""]}}}}}}}}"#
        );
        let Request::Review(ReviewRequest::Start(_)) = parse(&review).expect("a request").request else {
            panic!("a review")
        };
    }

    #[test]
    fn every_kind_of_message_has_its_size() {
        let padded = |request: &str, bytes: usize| {
            let text = format!(r#"{{"number": 7, "request": {request}}}"#);
            format!("{}{text}", " ".repeat(bytes - text.len()))
        };
        let review = r#"{"review": {"start": {"pgn": "1. e4 *", "depth": 9}}}"#;
        let trace = r#"{"trace": {"start": {"position": {"start": ""}, "depth": 9}}}"#;
        for (request, most) in [
            (r#""hello""#, MAX_SMALL_MESSAGE),
            (r#"{"game": "hint"}"#, MAX_SMALL_MESSAGE),
            (trace, MAX_POSITION_MESSAGE),
            (review, MAX_MESSAGE),
        ] {
            assert!(parse(&padded(request, most)).is_ok(), "{request}");
            let error = parse(&padded(request, most + 1)).expect_err("too large");
            assert_eq!(error.number, Some(7), "{request}");
        }
    }

    #[test]
    fn moves_are_checked() {
        let spec = |moves: &[&str]| PositionSpec {
            start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
        };
        assert_eq!(spec(&["e2e4", "e7e5"]).game().expect("legal").moves().len(), 2);
        assert!(spec(&["e2e5"]).game().is_err());
        assert!(PositionSpec { start: "8/8/8 w".to_owned(), moves: vec![] }.game().is_err());
    }
}
