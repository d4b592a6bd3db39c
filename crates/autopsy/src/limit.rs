//! The limit of one search: what `go` said in the game, and the same with more time.

use std::fmt::Write as _;
use std::time::Duration;

use arena::game::{EngineLimits, TimeControl};
use chess::Color;
use record::pgn::PgnMove;
use review::SourceGame;

/// The part of its clock that a sound engine spends on a move: a twentieth, and the increment.
const NORMAL_SHARE: u32 = 20;

/// One side's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayClock {
    pub left: Duration,
    pub increment: Duration,
    /// Moves to the next time control; 0: none.
    pub moves_to_go: u32,
}

impl ReplayClock {
    /// What a sound engine may spend on a move.
    pub fn normal_share(&self) -> Duration {
        let moves = if self.moves_to_go == 0 { NORMAL_SHARE } else { self.moves_to_go.min(NORMAL_SHARE) };
        self.left / moves + self.increment
    }

    /// Whether a move may take the time `needed` instead of the time `used`: no more than a normal share of the clock,
    /// and no more than was `unused` at the end of the game.
    pub fn allows(&self, used: Duration, needed: Duration, unused: Duration) -> bool {
        needed <= self.normal_share() && needed.saturating_sub(used) <= unused
    }
}

/// The arguments of a `go`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// White's and Black's.
    pub clocks: Option<[ReplayClock; 2]>,
    pub move_time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
}

impl Limit {
    /// The limits that do not depend on a clock.
    fn fixed(limits: &EngineLimits) -> Limit {
        Limit { clocks: None, move_time: limits.move_time, nodes: limits.nodes, depth: limits.depth }
    }

    /// Whether it does not depend on time: the same search takes place again.
    pub fn is_timeless(&self) -> bool {
        self.clocks.is_none() && self.move_time.is_none()
    }

    /// Only a time.
    pub fn of_time(time: Duration) -> Limit {
        Limit { move_time: Some(time), ..Limit::default() }
    }

    /// The `go` command with `turn` to move.
    pub fn go(&self, turn: Color) -> String {
        let mut go = "go".to_owned();
        if let Some(clocks) = &self.clocks {
            for (side, clock) in ["w", "b"].into_iter().zip(clocks) {
                let _ = write!(go, " {side}time {}", clock.left.as_millis().max(1));
            }
            for (side, clock) in ["w", "b"].into_iter().zip(clocks) {
                if !clock.increment.is_zero() {
                    let _ = write!(go, " {side}inc {}", clock.increment.as_millis());
                }
            }
            let moves = clocks[turn.index()].moves_to_go;
            if moves > 0 {
                let _ = write!(go, " movestogo {moves}");
            }
        }
        if let Some(time) = self.move_time {
            let _ = write!(go, " movetime {}", time.as_millis().max(1));
        }
        if let Some(nodes) = self.nodes {
            let _ = write!(go, " nodes {nodes}");
        }
        if let Some(depth) = self.depth {
            let _ = write!(go, " depth {depth}");
        }
        go
    }

    /// The same limit with `factor` times the time or nodes; a ply deeper for each doubling.
    #[must_use]
    pub fn times(&self, factor: u32) -> Limit {
        let longer = |time: Duration| time.saturating_mul(factor);
        Limit {
            clocks: self.clocks.map(|clocks| {
                clocks.map(|clock| ReplayClock {
                    left: longer(clock.left),
                    increment: longer(clock.increment),
                    moves_to_go: clock.moves_to_go,
                })
            }),
            move_time: self.move_time.map(longer),
            nodes: self.nodes.map(|nodes| nodes.saturating_mul(u64::from(factor))),
            depth: self.depth.map(|depth| depth + factor.ilog2()),
        }
    }

    /// `4 times the nodes`, for people.
    pub fn more(&self, factor: u32) -> String {
        match (self.clocks.is_some() || self.move_time.is_some(), self.nodes, self.depth) {
            (false, None, Some(_)) if factor == 2 => "a ply more".to_owned(),
            (false, None, Some(_)) => format!("{} plies more", factor.ilog2()),
            (false, Some(_), _) => format!("{factor} times the nodes"),
            _ => format!("{factor} times the time"),
        }
    }

    /// How long a search may take at most before it is stopped.
    pub fn cap(&self, turn: Color, timeout: Duration) -> Duration {
        let clock = self.clocks.map(|clocks| clocks[turn.index()].left);
        match (clock, self.move_time) {
            (Some(time), None) | (None, Some(time)) => time,
            (Some(clock), Some(time)) => clock.min(time),
            (None, None) => return timeout,
        }
        .saturating_add(timeout)
    }
}

/// The limits of the searches of one game, by ply, and the loser's clock at the end.
#[derive(Clone, Debug)]
pub struct GameLimits {
    limits: Vec<Limit>,
    /// The loser's time that was left when the game ended; `None` without a clock or without times in the PGN.
    pub unused: Option<Duration>,
    /// Whether a clock was running and the PGN has no times: every search gets the full clock.
    pub guessed: bool,
}

impl GameLimits {
    /// The limits of a lost game: the ones given, or those of its tags.
    ///
    /// # Errors
    /// There is none.
    pub fn of(game: &SourceGame, side: Color, given: Option<&EngineLimits>) -> Result<GameLimits, String> {
        let sides = [Color::White, Color::Black].map(|color| given.copied().or_else(|| of_tags(game, color)));
        let Some(own) = sides[side.index()] else {
            return Err("the PGN has no time control; give the limit of the game with --tc, --movetime, --nodes or --depth".to_owned());
        };
        let plies = game.moves.len();
        let Some(control) = own.clock else {
            return Ok(GameLimits { limits: vec![Limit::fixed(&own); plies], unused: None, guessed: false });
        };
        let controls = sides.map(|limits| limits.and_then(|limits| limits.clock).unwrap_or(control));
        let guessed = !game.pgn.moves.iter().any(|mv| time_of(mv).is_some());
        let mut clocks = controls.map(|control| ReplayClock {
            left: control.base + control.increment,
            increment: control.increment,
            moves_to_go: control.moves,
        });
        let mut limits = Vec::with_capacity(plies);
        let mut turn = game.start.turn();
        for mv in game.pgn.moves.iter().take(plies) {
            limits.push(Limit { clocks: Some(clocks), ..Limit::fixed(&own) });
            press(&mut clocks[turn.index()], &controls[turn.index()], time_of(mv));
            turn = !turn;
        }
        let unused = (!guessed).then(|| clocks[side.index()].left);
        Ok(GameLimits { limits, unused, guessed })
    }

    /// The limit of the search before this ply, from 0.
    pub fn at(&self, ply: usize) -> Limit {
        self.limits.get(ply).copied().unwrap_or_default()
    }
}

/// What a comment says about the time of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MoveTime {
    Used(Duration),
    /// After the move, increment included.
    Left(Duration),
}

fn press(clock: &mut ReplayClock, control: &TimeControl, time: Option<MoveTime>) {
    match time {
        None => return,
        Some(MoveTime::Left(left)) => clock.left = left,
        Some(MoveTime::Used(used)) => clock.left = clock.left.saturating_sub(used) + control.increment,
    }
    if clock.moves_to_go > 0 {
        clock.moves_to_go -= 1;
        if clock.moves_to_go == 0 {
            clock.moves_to_go = control.moves;
            if matches!(time, Some(MoveTime::Used(_))) {
                clock.left += control.base;
            }
        }
    }
}

/// The seconds that a move took, according to its comment.
pub fn seconds_used(mv: &PgnMove) -> Option<f64> {
    match time_of(mv)? {
        MoveTime::Used(time) => Some(time.as_secs_f64()),
        MoveTime::Left(_) => None,
    }
}

/// Whether the comment says that the move is from the opening book.
pub fn is_book(mv: &PgnMove) -> bool {
    mv.comment.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("book"))
}

/// `[%clk 0:01:02.5]`, `[%emt 0:00:01]`, or `0.42s` as cutechess-cli and fastchess write it.
fn time_of(mv: &PgnMove) -> Option<MoveTime> {
    let command = |name: &str| {
        let value = mv.comment.split_once(name)?.1.split(']').next()?;
        hours(value.trim())
    };
    if let Some(left) = command("[%clk ") {
        return Some(MoveTime::Left(left));
    }
    if let Some(used) = command("[%emt ") {
        return Some(MoveTime::Used(used));
    }
    let words = mv.comment.split_whitespace().map(|word| word.trim_end_matches(','));
    let mut seconds = words.filter_map(|word| arena::game::seconds(word.strip_suffix('s')?));
    seconds.next().map(MoveTime::Used)
}

/// `h:mm:ss`, `mm:ss` or seconds, with a fraction.
fn hours(text: &str) -> Option<Duration> {
    let parts = text.split(':').map(arena::game::seconds).collect::<Option<Vec<_>>>()?;
    (parts.len() <= 3).then(|| parts.into_iter().fold(Duration::ZERO, |sum, part| sum * 60 + part))
}

/// The limits in the tags of a game.
fn of_tags(game: &SourceGame, color: Color) -> Option<EngineLimits> {
    let own = match color {
        Color::White => "WhiteTimeControl",
        Color::Black => "BlackTimeControl",
    };
    let text = game.pgn.tag(own).or_else(|| game.pgn.tag("TimeControl"))?;
    if let Some(time) = text.strip_suffix("/move") {
        let move_time = Some(arena::game::seconds(time)?);
        return Some(EngineLimits { move_time, ..EngineLimits::default() });
    }
    // Later periods follow a colon.
    let clock = text.split(':').next()?.parse().ok()?;
    Some(EngineLimits { clock: Some(clock), ..EngineLimits::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> SourceGame {
        let (mut games, broken) = review::read(text);
        assert!(broken.is_empty(), "{broken:?}");
        games.remove(0)
    }

    const TIMED: &str = "[TimeControl \"10+0.1\"]\n\n1. e4 {book} e5 {book} 2. Nf3 {+0.31/9 0.500s, n=5} \
                         Nc6 {0.00/9 2.000s} 3. Bb5 {+0.30/9 0.25s} a6 {+0.10/8 1s} 0-1\n";

    #[test]
    fn clocks_are_rebuilt_from_move_times() {
        let limits = GameLimits::of(&game(TIMED), Color::White, None).expect("a time control");
        let go = |ply| limits.at(ply).go(if ply % 2 == 0 { Color::White } else { Color::Black });
        assert_eq!(go(2), "go wtime 10100 btime 10100 winc 100 binc 100");
        assert_eq!(go(4), "go wtime 9700 btime 8200 winc 100 binc 100");
        assert_eq!((limits.unused, limits.guessed), (Some(Duration::from_millis(9550)), false));
    }

    #[test]
    fn remaining_clocks_are_read() {
        let text = "[TimeControl \"180+2\"]\n\n1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59]} 2. Nf3 {[%clk 0:02:01.5]} *";
        let limits = GameLimits::of(&game(text), Color::White, None).expect("a time control");
        assert_eq!(limits.at(2).go(Color::White), "go wtime 180000 btime 179000 winc 2000 binc 2000");
        assert_eq!(limits.unused, Some(Duration::from_millis(121_500)));
    }

    #[test]
    fn moves_to_the_time_control_count_down() {
        let text = "[TimeControl \"2/60\"]\n\n1. e4 {1s} e5 {1s} 2. d4 {1s} d5 {1s} 3. c4 {1s} *";
        let limits = GameLimits::of(&game(text), Color::White, None).expect("a time control");
        assert_eq!(limits.at(2).go(Color::White), "go wtime 59000 btime 59000 movestogo 1");
        assert_eq!(limits.at(4).go(Color::White), "go wtime 118000 btime 118000 movestogo 2");
    }

    #[test]
    fn given_limits_replace_tags() {
        let nodes = EngineLimits { nodes: Some(2000), ..EngineLimits::default() };
        let limits = GameLimits::of(&game(TIMED), Color::Black, Some(&nodes)).expect("given");
        assert_eq!(limits.at(3).go(Color::Black), "go nodes 2000");
        assert_eq!(limits.at(3).times(4).go(Color::Black), "go nodes 8000");
        let no_tag = game("1. e4 e5 *");
        assert!(GameLimits::of(&no_tag, Color::White, None).is_err());
        let fixed = game("[TimeControl \"0.5/move\"]\n\n1. e4 *");
        let limits = GameLimits::of(&fixed, Color::White, None).expect("a tag");
        assert_eq!(limits.at(0).times(2).go(Color::White), "go movetime 1000");
    }

    #[test]
    fn more_of_each_limit() {
        let depth = Limit { depth: Some(9), ..Limit::default() };
        assert_eq!(depth.times(16).go(Color::White), "go depth 13");
        assert_eq!((depth.more(2).as_str(), depth.more(8).as_str()), ("a ply more", "3 plies more"));
        assert_eq!(Limit::of_time(Duration::from_secs(1)).more(4), "4 times the time");
        let nodes = Limit { nodes: Some(9), ..Limit::default() };
        assert_eq!(nodes.more(16), "16 times the nodes");
    }

    #[test]
    fn time_that_was_left() {
        let ms = Duration::from_millis;
        let clock = ReplayClock { left: ms(10_000), increment: ms(100), moves_to_go: 0 };
        let allows = |used, needed, unused| clock.allows(ms(used), ms(needed), ms(unused));
        assert!(allows(50, 600, 550) && allows(50, 40, 0));
        assert!(!allows(50, 601, 5000), "more than a normal share");
        assert!(!allows(50, 600, 549), "it was used later");
    }

    #[test]
    fn normal_share_of_the_clock() {
        let clock = |moves_to_go| ReplayClock {
            left: Duration::from_secs(10),
            increment: Duration::from_millis(100),
            moves_to_go,
        };
        assert_eq!(clock(0).normal_share(), Duration::from_millis(600));
        assert_eq!(clock(5).normal_share(), Duration::from_millis(2100));
        assert_eq!(clock(40).normal_share(), Duration::from_millis(600));
    }
}
