//! The messages between the page and the studio: JSON over a WebSocket, one message per frame.
//!
//! The page sends a [`ClientMessage`] and gets a [`ServerMessage`] with the same number; events arrive at any time.
//! No request contains a path or a command: engines are selected by their index in the list given at the start.
//!
//! `web/src/protocol.ts` is generated from these types by a test (see `typescript.rs`).

mod doctor;
mod game;
mod matches;
mod reply;
mod request;
mod review;
mod trace;
#[cfg(test)]
mod typescript;

use axum::extract::ws::Utf8Bytes;
use chess::{Game, Position};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::error::RequestError;

pub use doctor::{CheckInfo, DoctorProgress, DoctorStart, ReportSummary, Thoroughness};
pub use game::{ClockSetting, GameOver, GameState, GameSummary, Hint, NewGame, SavedGame, Side};
pub use matches::{
    CurvePoint, Encounter, EngineName, Estimate, GameCounts, MatchEngine, MatchGame, MatchReport, MatchStart,
    MatchState, MatchSummary, SprtState,
};
pub use reply::{Analysis, Event, Explanation, Hello, PvLine, Reply};
pub use request::{
    AnalysisRequest, AnalysisStart, DoctorRequest, GameRequest, MatchRequest, Request, ReviewRequest,
    SavedGameRequest, TraceRequest,
};
pub use review::{
    BothSides, Errors, GameReview, Pairing, PgnWarning, Quality, Retry, ReviewDetails, ReviewLimit,
    ReviewProgress, ReviewStart, ReviewSummary, ReviewedMove,
};
pub use trace::{
    Bound, Fate, FoundNodes, NodeFilter, NodePage, Purpose, Rates, RecordingSummary, TraceNode,
    TraceOverview, TraceStart, WhyNot,
};

/// The longest message that is accepted, in bytes: a file of several thousand games.
pub const MAX_MESSAGE: usize = 8 * 1024 * 1024;
/// The longest game that is accepted, in plies.
pub const MAX_PLIES: usize = 2000;

/// A request with the number that its reply carries.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct ClientMessage {
    pub number: u64,
    pub request: Request,
}

/// The number of a message that is not a valid request, if it has one: the page waits for a reply to it.
pub fn number_of(text: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct NumberOnly {
        number: u64,
    }
    serde_json::from_str(text).ok().map(|NumberOnly { number }| number)
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
    #[serde(default)]
    pub moves: Vec<String>,
}

impl PositionSpec {
    pub fn game(&self) -> Result<Game, RequestError> {
        if self.moves.len() > MAX_PLIES {
            return Err(format!("game too long: at most {MAX_PLIES} plies are accepted").into());
        }
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

    fn parse(text: &str) -> Result<ClientMessage, serde_json::Error> {
        serde_json::from_str(text)
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
            r#"{"number": 1, "request": {"saved-game": {"pgn": {"id": "../../game"}}}}"#,
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

    #[test]
    fn moves_are_checked() {
        let spec = |moves: &[&str]| PositionSpec {
            start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
        };
        assert_eq!(spec(&["e2e4", "e7e5"]).game().expect("legal").moves().len(), 2);
        assert!(spec(&["e2e5"]).game().is_err());
        assert!(spec(&vec!["e2e4"; MAX_PLIES + 1]).game().is_err());
        assert!(PositionSpec { start: "8/8/8 w".to_owned(), moves: vec![] }.game().is_err());
    }
}
