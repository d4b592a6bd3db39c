//! `info` and `bestmove`, read and printed.
//!
//! Moves are of type `M`: text as the engine wrote it when a line was parsed ([`Info`] is short for
//! `Info<String>`), [`Move`] where an engine of this program emits it. [`Info::uci`] turns moves into UCI
//! notation, and everything whose moves can be printed can be printed.

use std::collections::VecDeque;
use std::fmt::{self, Display};
use std::time::Duration;

use chess::{Move, UciMove};

use crate::engine_line::{clipped, looks_like_move};
use crate::{Bound, Score, Wdl};

/// Moves of a PV that are read: a longer one is cut.
pub const MAX_PV: usize = 256;

/// Characters that are kept of an invalid move.
const MAX_MOVE: usize = 32;

/// The fields of an `info` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info<M = String> {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Selective depth in plies.
    pub seldepth: Option<u32>,
    /// Rank of the line in multi-PV mode, from 1.
    pub multipv: Option<u32>,
    /// Score, from the side to move's view.
    pub score: Option<Score>,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Win, draw and loss probabilities.
    pub wdl: Option<Wdl>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Hash table use in permille.
    pub hashfull: Option<u32>,
    /// Tablebase hits.
    pub tbhits: Option<u64>,
    /// Time that the engine believes to have used.
    pub time: Option<Duration>,
    /// The root move being searched.
    pub current_move: Option<M>,
    /// Its number, from 1.
    pub current_move_number: Option<u32>,
    /// Principal variation.
    pub pv: Vec<M>,
    /// Free text, the rest of the line.
    pub text: Option<String>,
}

// Derived, it would ask for `M: Default`.
impl<M> Default for Info<M> {
    fn default() -> Info<M> {
        Info {
            depth: None,
            seldepth: None,
            multipv: None,
            score: None,
            bound: Bound::Exact,
            wdl: None,
            nodes: None,
            nps: None,
            hashfull: None,
            tbhits: None,
            time: None,
            current_move: None,
            current_move_number: None,
            pv: Vec::new(),
            text: None,
        }
    }
}

impl<M> Info<M> {
    /// The same line with moves of another type.
    pub fn map_moves<N>(self, mut map: impl FnMut(M) -> N) -> Info<N> {
        Info {
            depth: self.depth,
            seldepth: self.seldepth,
            multipv: self.multipv,
            score: self.score,
            bound: self.bound,
            wdl: self.wdl,
            nodes: self.nodes,
            nps: self.nps,
            hashfull: self.hashfull,
            tbhits: self.tbhits,
            time: self.time,
            current_move: self.current_move.map(&mut map),
            current_move_number: self.current_move_number,
            pv: self.pv.into_iter().map(map).collect(),
            text: self.text,
        }
    }

    /// Turns score and bound into the other side's view.
    pub fn negate_score(&mut self) {
        self.score = self.score.map(|score| -score);
        self.bound = -self.bound;
    }
}

impl Info<Move> {
    /// The line with moves in UCI notation; castling is king takes rook in Chess960.
    pub fn uci(self, chess960: bool) -> Info<UciMove> {
        self.map_moves(|mv| mv.uci(chess960))
    }
}

impl<M: Display> Display for Info<M> {
    /// The line as UCI writes it, without what is not set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn field(f: &mut fmt::Formatter<'_>, name: &str, value: Option<impl Display>) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
        }
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.seldepth)?;
        field(f, "multipv", self.multipv)?;
        match self.score {
            Some(Score::Centipawns(value)) => write!(f, " score cp {value}")?,
            Some(Score::Mate(moves)) => write!(f, " score mate {moves}")?,
            None => {}
        }
        match self.bound {
            Bound::Exact => {}
            Bound::Lower => f.write_str(" lowerbound")?,
            Bound::Upper => f.write_str(" upperbound")?,
        }
        if let Some(Wdl { win, draw, loss }) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nps)?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "tbhits", self.tbhits)?;
        field(f, "time", self.time.map(|time| time.as_millis()))?;
        field(f, "currmove", self.current_move.as_ref())?;
        field(f, "currmovenumber", self.current_move_number)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
            self.pv.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        field(f, "string", self.text.as_ref())
    }
}

/// The last `info` lines of a search, at most 2 MiB of them: a search has a few hundred lines, but a broken engine may
/// print without end.
#[derive(Clone, Debug, Default)]
pub struct InfoLog {
    lines: VecDeque<Info>,
    bytes: usize,
}

impl InfoLog {
    const MAX_BYTES: usize = 2 * 1024 * 1024;

    /// Adds a line; the oldest go where they take too much memory.
    pub fn push(&mut self, info: Info) {
        self.bytes += info.bytes();
        self.lines.push_back(info);
        while self.bytes > Self::MAX_BYTES
            && let Some(oldest) = self.lines.pop_front()
        {
            self.bytes -= oldest.bytes();
        }
    }

    /// The lines, oldest first.
    pub fn into_lines(self) -> Vec<Info> {
        self.lines.into()
    }
}

impl Info {
    /// The memory that it takes.
    fn bytes(&self) -> usize {
        /// What the allocator adds to a short text.
        const ALLOCATION: usize = 16;
        let moves = self.pv.iter().map(|mv| mv.len() + size_of::<String>() + ALLOCATION).sum::<usize>();
        size_of::<Self>() + moves + self.text.as_ref().map_or(0, String::len)
    }
}

/// The answer to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestMove<M = String> {
    /// The move; `None` if the engine has none to play.
    pub best: Option<M>,
    /// The expected reply.
    pub ponder: Option<M>,
}

impl<M> Default for BestMove<M> {
    fn default() -> BestMove<M> {
        BestMove { best: None, ponder: None }
    }
}

impl BestMove<Move> {
    /// The answer with moves in UCI notation; castling is king takes rook in Chess960.
    pub fn uci(self, chess960: bool) -> BestMove<UciMove> {
        let notation = |mv: Move| mv.uci(chess960);
        BestMove { best: self.best.map(notation), ponder: self.ponder.map(notation) }
    }
}

impl<M: Display> Display for BestMove<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.best {
            None => return f.write_str("bestmove (none)"),
            Some(best) => write!(f, "bestmove {best}")?,
        }
        self.ponder.as_ref().map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
    }
}

/// `text` as `info string`, one for each line of it.
pub fn info_string(text: impl Display) -> String {
    let text = text.to_string();
    text.lines().map(|line| format!("info string {line}")).collect::<Vec<_>>().join("\n")
}

/// Reads what follows `bestmove`.
pub(crate) fn parse_best_move(rest: &str) -> BestMove {
    let mut tokens = rest.split_whitespace();
    let is_move = |token: &&str| !matches!(*token, "(none)" | "none" | "0000" | "NULL" | "null");
    let text = |token: &str| clipped(token, MAX_MOVE);
    let best = tokens.next().filter(is_move).map(text);
    let ponder = match tokens.next() {
        Some("ponder") => tokens.next().filter(is_move).map(text),
        _ => None,
    };
    BestMove { best, ponder }
}

/// Reads what follows `info`. Tokens without a meaning are skipped.
pub(crate) fn parse_info(rest: &str) -> Info {
    let mut info = Info::default();
    let mut tokens = rest.split_whitespace().peekable();
    while let Some(token) = tokens.next() {
        match token {
            "depth" => info.depth = number(&mut tokens).or(info.depth),
            "seldepth" => info.seldepth = number(&mut tokens).or(info.seldepth),
            "time" => info.time = number(&mut tokens).map(Duration::from_millis).or(info.time),
            "nodes" => info.nodes = number(&mut tokens).or(info.nodes),
            "nps" => info.nps = number(&mut tokens).or(info.nps),
            "hashfull" => info.hashfull = number(&mut tokens).or(info.hashfull),
            "tbhits" => info.tbhits = number(&mut tokens).or(info.tbhits),
            "multipv" => info.multipv = number(&mut tokens).or(info.multipv),
            "currmove" => info.current_move = tokens.next().map(|token| clipped(token, MAX_MOVE)),
            "currmovenumber" => info.current_move_number = number(&mut tokens).or(info.current_move_number),
            "cp" => info.score = number(&mut tokens).map(Score::Centipawns).or(info.score),
            "mate" => info.score = number(&mut tokens).map(Score::Mate).or(info.score),
            "lowerbound" => info.bound = Bound::Lower,
            "upperbound" => info.bound = Bound::Upper,
            "wdl" => {
                if let (Some(win), Some(draw), Some(loss)) =
                    (number(&mut tokens), number(&mut tokens), number(&mut tokens))
                {
                    info.wdl = Some(Wdl { win, draw, loss });
                }
            }
            "pv" => {
                while let Some(token) = tokens.next_if(|token| looks_like_move(token)) {
                    if info.pv.len() < MAX_PV {
                        info.pv.push(token.to_owned());
                    }
                }
            }
            "string" => {
                info.text = Some(tokens.collect::<Vec<_>>().join(" "));
                return info;
            }
            _ => {}
        }
    }
    info
}

/// The next token as a number; one that is none stays, since it may be the next keyword.
fn number<'a, T: std::str::FromStr>(
    tokens: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
) -> Option<T> {
    let value = tokens.peek()?.parse().ok()?;
    tokens.next();
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_read_and_printed() {
        let line = "depth 20 seldepth 31 multipv 1 score cp -13 upperbound wdl 30 900 70 nodes 123456 nps 1000000 \
                    hashfull 7 tbhits 2 time 123 pv e2e4 e7e5 g1f3";
        let info = parse_info(line);
        assert_eq!((info.depth, info.seldepth, info.multipv), (Some(20), Some(31), Some(1)));
        assert_eq!((info.score, info.bound), (Some(Score::Centipawns(-13)), Bound::Upper));
        assert_eq!(info.wdl, Some(Wdl { win: 30, draw: 900, loss: 70 }));
        assert_eq!((info.nodes, info.nps), (Some(123456), Some(1000000)));
        assert_eq!(info.time, Some(Duration::from_millis(123)));
        assert_eq!(info.pv, ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(info.to_string(), format!("info {line}"));
        let current = "info depth 9 currmove e1h1 currmovenumber 2";
        assert_eq!(parse_info(current).to_string(), current);
    }

    #[test]
    fn broken_number_does_not_swallow_the_next_token() {
        let info = parse_info("depth nodes 12 score mate -3 nps 1e6 time -5 pv e1g1 hashfull 3");
        assert_eq!((info.depth, info.nodes, info.nps, info.time), (None, Some(12), None, None));
        assert_eq!((info.score, info.hashfull), (Some(Score::Mate(-3)), Some(3)));
        assert_eq!(info.pv, ["e1g1"]);
    }

    #[test]
    fn string_takes_the_rest_of_the_line() {
        assert_eq!(parse_info("string depth 5 pv e2e4").text.as_deref(), Some("depth 5 pv e2e4"));
        assert_eq!(info_string("a\nb\n"), "info string a\ninfo string b");
    }

    #[test]
    fn null_moves_are_no_best_move() {
        let best = |rest: &str| (parse_best_move(rest).best, parse_best_move(rest).ponder);
        assert_eq!(best("e2e4 ponder e7e5"), (Some("e2e4".into()), Some("e7e5".into())));
        assert_eq!(best("  e7e8q  "), (Some("e7e8q".into()), None));
        for rest in ["(none)", "0000", "", "NULL"] {
            assert_eq!(best(rest), (None, None), "{rest}");
        }
    }

    #[test]
    fn info_log_keeps_the_last_lines() {
        let mut log = InfoLog::default();
        let line =
            |depth: u32| Info { depth: Some(depth), ..parse_info(&format!("pv {}", "e2e4 ".repeat(200))) };
        (0..1000).for_each(|depth| log.push(line(depth)));
        assert!(log.bytes <= InfoLog::MAX_BYTES && log.bytes > InfoLog::MAX_BYTES - 2 * line(0).bytes());
        let lines = log.into_lines();
        assert_eq!((lines.last(), lines.len() < 1000), (Some(&line(999)), true));
        let mut log = InfoLog::default();
        log.push(Info { text: Some("x".repeat(2 * InfoLog::MAX_BYTES)), ..Info::default() });
        assert_eq!((log.bytes, log.into_lines().len()), (0, 0));
    }

    #[test]
    fn score_turns_with_its_bound() {
        let mut info: Info =
            Info { score: Some(Score::Centipawns(30)), bound: Bound::Lower, ..Info::default() };
        info.negate_score();
        assert_eq!((info.score, info.bound), (Some(Score::Centipawns(-30)), Bound::Upper));
    }
}
