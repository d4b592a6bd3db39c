//! `go`: the limits of a search.

use std::fmt;
use std::time::Duration;

use chess::{Color, Move, Position};

use crate::Warning;
use crate::tokens::{Tokens, saturating_number};

/// One side's clock as `go` gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideClock {
    /// Time left for the whole game or up to the time control.
    pub remaining: Option<Duration>,
    /// Increment per move.
    pub increment: Option<Duration>,
}

/// The arguments of `go`, as written: an engine clamps them to what it supports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Plies to search.
    pub depth: Option<u32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Search for a mate in this many moves.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// White's clock.
    pub white: SideClock,
    /// Black's clock.
    pub black: SideClock,
    /// Moves up to the next time control.
    pub moves_to_go: Option<u32>,
    /// Until `stop`.
    pub infinite: bool,
    /// On the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Only these root moves are searched; all if empty.
    pub search_moves: Vec<String>,
}

/// Every keyword that `go` knows; `searchmoves` takes tokens up to the next of them.
const KEYWORDS: [&str; 13] = [
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

impl Go {
    /// Parses what follows `go`. Unknown tokens are skipped, of a keyword given twice the last counts, and a
    /// limit without a valid number is set to its minimum: a GUI waits for a move, and a move at once is better
    /// than none.
    pub(crate) fn parse(mut tokens: Tokens, warnings: &mut Vec<Warning>) -> Go {
        let mut go = Go::default();
        let mut ignored = Vec::new();
        while let Some(token) = tokens.next() {
            let mut number = |keyword| number_after(keyword, &mut tokens, warnings);
            match token {
                "depth" => go.depth = Some(clamp_u32(number("depth"))),
                "nodes" => go.nodes = Some(number("nodes")),
                "mate" => go.mate = Some(clamp_u32(number("mate"))),
                "movetime" => go.move_time = Some(Duration::from_millis(number("movetime"))),
                "wtime" => go.white.remaining = Some(Duration::from_millis(number("wtime"))),
                "btime" => go.black.remaining = Some(Duration::from_millis(number("btime"))),
                "winc" => go.white.increment = Some(Duration::from_millis(number("winc"))),
                "binc" => go.black.increment = Some(Duration::from_millis(number("binc"))),
                "movestogo" => go.moves_to_go = Some(clamp_u32(number("movestogo"))),
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    go.search_moves.clear();
                    while let Some(token) = tokens.peek().filter(|token| !KEYWORDS.contains(token)) {
                        go.search_moves.push(token.to_owned());
                        tokens.next();
                    }
                }
                _ => ignored.push(token),
            }
        }
        if !ignored.is_empty() {
            warnings
                .push(Warning::IgnoredTokens { command: "go", tokens: ignored.join(" ").as_str().into() });
        }
        go
    }

    /// Whether the search ends without `stop` or `ponderhit` when `turn` is to move.
    pub fn ends_by_itself(&self, turn: Color) -> bool {
        let limited = self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || self.side(turn).remaining.is_some();
        limited && !self.infinite && !self.ponder
    }

    /// The clock of this side.
    pub fn side(&self, color: Color) -> SideClock {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// The legal ones of `searchmoves` in `position`, without duplicates.
    pub fn legal_search_moves(&self, position: &Position, warnings: &mut Vec<Warning>) -> Vec<Move> {
        let mut moves = Vec::new();
        for text in &self.search_moves {
            match position.parse_uci(text) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(error) => warnings.push(Warning::BadSearchMove { text: text.as_str().into(), error }),
            }
        }
        if moves.is_empty() && !self.search_moves.is_empty() {
            warnings.push(Warning::NoSearchMoves);
        }
        moves
    }
}

/// The number after `keyword`, 0 when there is none. A keyword in the number's place is left for its own turn.
fn number_after(keyword: &'static str, tokens: &mut Tokens, warnings: &mut Vec<Warning>) -> u64 {
    let Some(token) = tokens.peek().filter(|token| !KEYWORDS.contains(token)) else {
        warnings.push(Warning::MissingNumber(keyword));
        return 0;
    };
    tokens.next();
    saturating_number(token).unwrap_or_else(|| {
        warnings.push(Warning::NotANumber { keyword, token: token.into() });
        0
    })
}

fn clamp_u32(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        let times = [
            ("wtime", self.white.remaining),
            ("btime", self.black.remaining),
            ("winc", self.white.increment),
            ("binc", self.black.increment),
            ("movetime", self.move_time),
        ];
        for (keyword, time) in times {
            if let Some(time) = time {
                write!(f, " {keyword} {}", time.as_millis())?;
            }
        }
        let numbers = [
            ("movestogo", self.moves_to_go.map(u64::from)),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("mate", self.mate.map(u64::from)),
        ];
        for (keyword, number) in numbers {
            if let Some(number) = number {
                write!(f, " {keyword} {number}")?;
            }
        }
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves.join(" "))?;
        }
        Ok(())
    }
}
