//! What the page and the studio say to each other over the WebSocket: JSON, one message a frame.
//!
//! The page asks `{"ask": 7, "do": "analyse", …}` and gets `{"reply": 7, "ok": …}` or
//! `{"reply": 7, "error": "words"}`; whatever else happens is told as `{"event": "…", …}`. No request holds a
//! path or a command: engines are chosen by their place in the list that the user gave when starting.

use axum::extract::ws::Utf8Bytes;
use chess::{Color, Game, Position};
use doctor::check::Thoroughness;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The longest message that is read, in bytes: a file of several thousand games.
pub const MAX_MESSAGE: usize = 8 * 1024 * 1024;
/// The longest game that is looked at, in half moves.
pub const MAX_PLIES: usize = 2000;

/// A request with the number that its answer bears.
#[derive(Debug, Deserialize)]
pub struct Numbered {
    /// The number.
    pub ask: u64,
    /// What is asked.
    #[serde(flatten)]
    pub request: Request,
}

/// The number of a request that is not understood, if it has one: whoever asked waits for an answer with it.
pub fn number_of(text: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct NumberAlone {
        ask: u64,
    }
    serde_json::from_str(text).ok().map(|NumberAlone { ask }| ask)
}

/// Everything the page can ask for.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Request {
    /// What the studio is and how things stand.
    Hello,
    /// Begin a game.
    GameNew(NewGame),
    /// Play a move. `ply` half moves were played before, so that a stale page cannot play a wrong one.
    GameMove {
        /// The move in UCI.
        mv: String,
        /// Half moves played before it.
        ply: usize,
    },
    /// Take the last move back, and the engine's answer to it.
    GameTakeback,
    /// Give the game up.
    GameResign,
    /// Ask what to play.
    GameHint,
    /// The games that were played.
    GameList,
    /// One of them.
    GameOpen {
        /// Which.
        id: String,
    },
    /// Forget one of them.
    GameRemove {
        /// Which.
        id: String,
    },
    /// Think about a position, and tell what is found.
    Analyse(Analyse),
    /// Stop thinking about it.
    AnalyseStop,
    /// What the evaluation says of a position.
    Explain {
        /// The position.
        fen: String,
    },
    /// Review the games of a PGN text.
    ReviewStart(ReviewStart),
    /// Go on with a review that was stopped or interrupted.
    ReviewResume {
        /// Which.
        id: String,
    },
    /// Stop reviewing.
    ReviewStop,
    /// The reviews that there are.
    ReviewList,
    /// One of them: its games, without their moves.
    ReviewOpen {
        /// Which.
        id: String,
    },
    /// One game of a review.
    ReviewGame {
        /// Which review.
        id: String,
        /// Its place in the review, from 0.
        number: usize,
    },
    /// The annotated games of a review.
    ReviewPgn {
        /// Which review.
        id: String,
    },
    /// Forget one of them.
    ReviewRemove {
        /// Which.
        id: String,
    },
    /// Record the search of a position.
    TraceStart(TraceStart),
    /// End the search that is being recorded.
    TraceStop,
    /// The recordings that there are.
    TraceList,
    /// Record one of them again.
    TraceOpen {
        /// Which.
        id: String,
    },
    /// Forget one of them.
    TraceRemove {
        /// Which.
        id: String,
    },
    /// What was searched for a node of the recorded tree.
    TraceChildren {
        /// The node; none for the roots.
        node: Option<u32>,
        /// How many of them to leave out.
        #[serde(default)]
        skip: usize,
    },
    /// Nodes of one purpose, or cut or pruned for one reason, in the order of the search.
    TraceFind {
        /// The purpose, or "ended by " and the reason.
        word: String,
    },
    /// The way from a root to this node.
    TracePath {
        /// The node.
        node: u32,
    },
    /// Why a line was not played.
    TraceWhy {
        /// The moves as people write them.
        line: String,
    },
    /// Begin a match.
    MatchStart(MatchStart),
    /// Go on with a match that was stopped or interrupted.
    MatchResume {
        /// Which.
        id: String,
    },
    /// Stop it.
    MatchStop,
    /// The matches that there are.
    MatchList,
    /// One of them.
    MatchOpen {
        /// Which.
        id: String,
    },
    /// A game of one of them.
    MatchGame {
        /// Which match.
        id: String,
        /// Which game, from 0, in the order in which they ended.
        number: usize,
    },
    /// Forget one of them.
    MatchRemove {
        /// Which.
        id: String,
    },
    /// Examine an engine.
    DoctorStart(DoctorStart),
    /// Stop examining.
    DoctorStop,
    /// The reports that there are.
    DoctorList,
    /// Forget one of them.
    DoctorRemove {
        /// Which.
        id: String,
    },
}

/// How a game is to be played.
#[derive(Clone, Debug, Deserialize)]
pub struct NewGame {
    /// The side of the person.
    pub side: Side,
    /// The engine's Elo; none for all it can do.
    pub elo: Option<u32>,
    /// The clock; none for no hurry.
    pub clock: Option<ClockSetting>,
    /// Number of the Chess960 start position; none for standard chess.
    pub chess960: Option<u16>,
    /// Where it begins, if not at the beginning.
    pub fen: Option<String>,
    /// The day, for the game's record; the page knows the user's calendar.
    #[serde(default)]
    pub date: String,
}

/// White or black, as the page says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The white men.
    White,
    /// The black men.
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

/// Time for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockSetting {
    /// Seconds for the whole game.
    pub seconds: u32,
    /// Seconds added after each move.
    pub increment: u32,
}

/// A position as the page knows it: where the game began, and what was played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Where it began.
    pub start: String,
    /// The moves in UCI.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Line {
    /// The game that has been played.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn game(&self) -> Result<Game, String> {
        if self.moves.len() > MAX_PLIES {
            return Err(format!("game too long: at most {MAX_PLIES} plies are accepted"));
        }
        let mut game = Game::new(position(&self.start)?);
        for text in &self.moves {
            let mv = game.position().parse_uci(text).map_err(|error| format!("{text}: {error}"))?;
            game.play(mv);
        }
        Ok(game)
    }
}

/// The position that a FEN is.
///
/// # Errors
/// What is wrong with it.
pub fn position(fen: &str) -> Result<Position, String> {
    Position::from_fen(fen).map_err(|error| format!("invalid FEN: {error}"))
}

/// What to think about.
#[derive(Clone, Debug, Deserialize)]
pub struct Analyse {
    /// The position.
    #[serde(flatten)]
    pub line: Line,
    /// Best lines wanted.
    pub lines: usize,
    /// Threads to think with.
    #[serde(default = "one")]
    pub threads: usize,
    /// Mebibytes to remember with.
    #[serde(default = "default_hash")]
    pub hash: usize,
    /// The page's number for this request: it is told with the results.
    pub run: u64,
    /// The depth at which to stop; none for going on.
    pub depth: Option<u32>,
}

const fn one() -> usize {
    1
}

const fn default_hash() -> usize {
    64
}

/// How games are to be reviewed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReviewStart {
    /// The games.
    pub pgn: String,
    /// How long to look at each position.
    #[serde(flatten)]
    pub effort: Effort,
}

/// How long to look at a position.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// To this depth.
    Depth(u32),
    /// For this many milliseconds.
    Millis(u64),
}

/// Which search is to be recorded.
#[derive(Clone, Debug, Deserialize)]
pub struct TraceStart {
    /// The position.
    #[serde(flatten)]
    pub line: Line,
    /// How deep.
    pub depth: u32,
}

/// One side of a match.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Contender {
    /// Vedette itself.
    Own {
        /// Its Elo; none for all it can do.
        elo: Option<u32>,
        /// Judge by rules even where there is a network.
        #[serde(default)]
        classical: bool,
    },
    /// An engine that the user named, by its place in the list.
    Named(usize),
}

/// How a match is to be played.
#[derive(Clone, Debug, Deserialize)]
pub struct MatchStart {
    /// Both sides.
    pub engines: [Contender; 2],
    /// Pairs of games.
    pub pairs: u64,
    /// A clock such as `10+0.1`.
    pub clock: Option<String>,
    /// Nodes for a move.
    pub nodes: Option<u64>,
    /// Games at the same time.
    #[serde(default = "one")]
    pub concurrency: usize,
    /// The bounds of a test in Elo; none for a match of a fixed length.
    pub sprt: Option<[f64; 2]>,
}

/// What is to be examined.
#[derive(Clone, Debug, Deserialize)]
pub struct DoctorStart {
    /// An engine that the user named, by its place in the list; none for Vedette itself.
    pub engine: Option<usize>,
    /// How thorough.
    #[serde(default = "quick")]
    pub thoroughness: Thoroughness,
    /// Names of the only checks wanted; empty for all.
    #[serde(default)]
    pub only: Vec<String>,
}

const fn quick() -> Thoroughness {
    Thoroughness::Quick
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    name: &'static str,
    content: Value,
}

impl Event {
    /// An event with its content, which must be a JSON object.
    pub fn new(name: &'static str, content: Value) -> Event {
        Event { name, content }
    }

    /// As it is sent.
    pub fn text(&self) -> Utf8Bytes {
        let mut content = self.content.clone();
        content["event"] = self.name.into();
        content.to_string().into()
    }
}

/// An answer as it is sent.
pub fn reply(ask: u64, answer: Result<Value, String>) -> Utf8Bytes {
    match answer {
        Ok(value) => json!({"reply": ask, "ok": value}),
        Err(error) => json!({"reply": ask, "error": error}),
    }
    .to_string()
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Numbered, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn requests_are_read_as_the_page_writes_them() {
        let asked = read(r#"{"ask": 3, "do": "game-move", "mv": "e2e4", "ply": 0}"#).expect("a request");
        assert!(matches!(asked, Numbered { ask: 3, request: Request::GameMove { ply: 0, .. } }));
        let asked = read(
            r#"{"ask": 4, "do": "analyse", "start": "x", "moves": ["e2e4"], "lines": 2, "run": 1, "depth": null}"#,
        );
        assert!(matches!(asked.expect("a request").request, Request::Analyse(Analyse { lines: 2, .. })));
        let asked = read(r#"{"ask": 5, "do": "review-start", "pgn": "1. e4 *", "depth": 9}"#);
        let Request::ReviewStart(start) = asked.expect("a request").request else { panic!("a review") };
        assert!(matches!(start.effort, Effort::Depth(9)));
    }

    #[test]
    fn the_number_of_a_request_and_the_name_in_it_are_two_things() {
        let asked = read(r#"{"ask": 6, "do": "review-open", "id": "x"}"#).expect("a request");
        assert!(matches!(asked, Numbered { ask: 6, request: Request::ReviewOpen { id } } if id == "x"));
    }

    #[test]
    fn nonsense_is_no_request() {
        for text in
            ["", "{}", "[]", r#"{"ask": 1}"#, r#"{"ask": -1, "do": "hello"}"#, r#"{"ask": 1, "do": "shell"}"#]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_still_answered_by_its_number() {
        assert_eq!(number_of(r#"{"ask": 7, "do": "shell"}"#), Some(7));
        assert_eq!(number_of(r#"{"ask": 8, "do": "game-move", "mv": 3}"#), Some(8));
        for text in ["", "[]", r#"{"do": "hello"}"#, r#"{"ask": "7"}"#, r#"{"ask": -7}"#] {
            assert_eq!(number_of(text), None, "{text}");
        }
    }

    #[test]
    fn a_line_is_checked_move_by_move() {
        let line = |moves: &[&str]| Line {
            start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
        };
        assert_eq!(line(&["e2e4", "e7e5"]).game().expect("legal").moves().len(), 2);
        assert!(line(&["e2e5"]).game().is_err());
        assert!(line(&vec!["e2e4"; MAX_PLIES + 1]).game().is_err());
        assert!(Line { start: "8/8/8 w".to_owned(), moves: vec![] }.game().is_err());
    }
}
