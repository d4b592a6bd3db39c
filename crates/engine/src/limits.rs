//! When a search ends.

use chess::{Move, Position};
use std::time::{Duration, Instant};
use uci::{Go, Warning};

/// The maximum depth.
pub const MAX_DEPTH: u32 = 120;

/// Times are capped at this, so that sums cannot overflow.
const LONGEST_TIME: Duration = Duration::from_hours(365 * 24);

/// When a search ends. The first limit reached ends it; without any it runs until `stop`.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Iterations.
    pub depth: Option<u32>,
    /// Nodes of all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// No new iteration starts after this many nodes.
    pub soft_nodes: Option<u64>,
    /// A mate in this many moves, for either side, ends the search.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Nodes (of all threads) per millisecond where clock and move time count nodes; zero for real time.
    pub nodes_per_ms: u32,
    /// `bestmove` is held back until `stop`.
    pub infinite: bool,
    /// `bestmove` is held back until `stop` or `ponderhit`; time counts from `ponderhit`.
    pub ponder: bool,
    /// Only these moves are considered; all if empty.
    pub search_moves: Vec<Move>,
    /// When `go` was received. Time counts from here.
    pub received: Instant,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            move_time: None,
            clock: None,
            nodes_per_ms: 0,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
            received: Instant::now(),
        }
    }
}

impl Limits {
    /// A search to this depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A search of this many nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A search of this much time.
    pub fn move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }

    /// The limits of a `go` received at `received`, in `position`, clamped to what the engine supports.
    /// Without any limit, or with only the other side's clock, the search is infinite.
    pub fn from_go(go: &Go, position: &Position, received: Instant, warnings: &mut Vec<Warning>) -> Limits {
        let turn = position.turn();
        let side = go.side(turn);
        let clock = side.remaining.map(|remaining| Clock {
            remaining: remaining.min(LONGEST_TIME),
            increment: side.increment.unwrap_or_default().min(LONGEST_TIME),
            moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
        });
        Limits {
            depth: go.depth.map(|depth| depth.clamp(1, MAX_DEPTH)),
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            soft_nodes: None,
            mate: go.mate.map(|moves| moves.max(1)),
            move_time: go.move_time.map(|time| time.min(LONGEST_TIME)),
            clock,
            nodes_per_ms: 0,
            infinite: go.infinite || !(go.ends_by_itself(turn) || go.ponder),
            ponder: go.ponder,
            search_moves: go.legal_search_moves(position, warnings),
            received,
        }
    }
}

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after every move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::{Command, parse};

    fn limits(line: &str) -> Limits {
        let Some(Command::Go(go)) = parse(line).command else { panic!("{line}") };
        Limits::from_go(&go, &Position::startpos(), Instant::now(), &mut Vec::new())
    }

    #[test]
    fn go_is_clamped_to_what_the_engine_supports() {
        assert_eq!(limits("go depth 0").depth, Some(1));
        assert_eq!(limits("go depth 999").depth, Some(MAX_DEPTH));
        assert_eq!(limits("go nodes 0").nodes, Some(1));
        assert_eq!(limits("go nodes 18446744073709551615").nodes, Some(u64::MAX));
        assert_eq!(limits("go mate -3").mate, Some(1));
        let now = Instant::now();
        let clock = limits("go wtime 9223372036854775807 winc 18446744073709551615").clock.unwrap();
        assert!(now.checked_add(clock.remaining + clock.increment).is_some());
        assert_eq!(limits("go wtime 100 movestogo 0").clock.unwrap().moves_to_go, None);
    }

    #[test]
    fn no_limit_for_side_to_move_is_infinite() {
        for line in
            ["go", "go btime 1000", "go winc 5", "go movestogo 3", "go infinite", "go infinite depth 3"]
        {
            assert!(limits(line).infinite, "{line}");
        }
        for line in ["go depth 3", "go wtime 5", "go nodes 3", "go movetime 3", "go mate 3"] {
            assert!(!limits(line).infinite, "{line}");
        }
        let ponder = limits("go ponder wtime 1000");
        assert!(ponder.ponder && !ponder.infinite);
    }
}
