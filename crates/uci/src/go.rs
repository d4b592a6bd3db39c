//! `go`: what the GUI asks a search to keep to, as text and as the engine's limits.

use std::fmt;
use std::time::{Duration, Instant};

use chess::{Color, Position};
use engine::{Clock, Limits, MAX_DEPTH};

use crate::Remark;
use crate::words::{Words, saturating_number};

/// The longest time taken at its word; anything above is cut to it, so that sums of times cannot overflow.
const LONGEST_TIME: Duration = Duration::from_hours(365 * 24);

/// One side's clock as `go` gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideClock {
    /// Time left for the whole game or up to the time control.
    pub remaining: Option<Duration>,
    /// What each move adds.
    pub increment: Option<Duration>,
}

/// The words after `go`, as written: values out of the engine's range are kept here and clamped in
/// [`Go::limits`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Plies to search.
    pub depth: Option<u32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Moves in which to find a mate.
    pub mate: Option<u32>,
    /// Exactly this long.
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
    /// Search only these.
    pub search_moves: Vec<String>,
}

/// Every keyword that `go` knows; `searchmoves` takes words up to the next of them.
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
    /// Reads the words after `go`. Unknown words are skipped, of a keyword given twice the last counts, and a
    /// limit without a readable number is taken as the smallest: a GUI waits for a move, and a move at once is
    /// better than none.
    pub(crate) fn parse(mut words: Words, remarks: &mut Vec<Remark>) -> Go {
        let mut go = Go::default();
        let mut ignored = Vec::new();
        while let Some(word) = words.next() {
            let mut number = |keyword| number_after(keyword, &mut words, remarks);
            match word {
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
                    while let Some(word) = words.peek().filter(|word| !KEYWORDS.contains(word)) {
                        go.search_moves.push(word.to_owned());
                        words.next();
                    }
                }
                _ => ignored.push(word),
            }
        }
        if !ignored.is_empty() {
            remarks.push(Remark::IgnoredWords { command: "go", words: ignored.join(" ").as_str().into() });
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

    /// The limits for a search of `position` that was asked for at `received`. Without any limit, or with only
    /// the other side's clock, the search is infinite.
    pub fn limits(&self, position: &Position, received: Instant, remarks: &mut Vec<Remark>) -> Limits {
        let turn = position.turn();
        let side = self.side(turn);
        let clock = side.remaining.map(|remaining| Clock {
            remaining: remaining.min(LONGEST_TIME),
            increment: side.increment.unwrap_or_default().min(LONGEST_TIME),
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0),
        });
        Limits {
            depth: self.depth.map(|depth| depth.clamp(1, MAX_DEPTH)),
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            soft_nodes: None,
            mate: self.mate.map(|moves| moves.max(1)),
            move_time: self.move_time.map(|time| time.min(LONGEST_TIME)),
            clock,
            infinite: self.infinite || !(self.ends_by_itself(turn) || self.ponder),
            ponder: self.ponder,
            search_moves: self.playable_search_moves(position, remarks),
            received,
        }
    }

    fn side(&self, color: Color) -> SideClock {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    fn playable_search_moves(&self, position: &Position, remarks: &mut Vec<Remark>) -> Vec<chess::Move> {
        let mut moves = Vec::new();
        for text in &self.search_moves {
            match position.parse_uci(text) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(error) => remarks.push(Remark::BadSearchMove { text: text.as_str().into(), error }),
            }
        }
        if moves.is_empty() && !self.search_moves.is_empty() {
            remarks.push(Remark::NoSearchMoves);
        }
        moves
    }
}

/// The number after `keyword`, 0 when there is none. A keyword in the number's place is left for its own turn.
fn number_after(keyword: &'static str, words: &mut Words, remarks: &mut Vec<Remark>) -> u64 {
    let Some(word) = words.peek().filter(|word| !KEYWORDS.contains(word)) else {
        remarks.push(Remark::MissingNumber(keyword));
        return 0;
    };
    words.next();
    saturating_number(word).unwrap_or_else(|| {
        remarks.push(Remark::NotANumber { keyword, word: word.into() });
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
