//! How long an engine may think: time controls as users write them, and the clock that runs during a game.

use std::fmt::{self, Write};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A chess clock: so many moves in so much time, plus an increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Moves until the base time is given again; 0 = the whole game.
    pub moves: u32,
    /// Time for these moves.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// A time control that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControlError(String);

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "time control '{}' is not of the form moves/minutes:seconds+increment", self.0)
    }
}

impl std::error::Error for TimeControlError {}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// `moves/minutes:seconds+increment`, everything but the seconds optional.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let error = || TimeControlError(text.to_owned());
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (moves.parse().map_err(|_| error())?, rest),
            None => (0, text),
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => (base, seconds(increment).ok_or_else(error)?),
            None => (rest, Duration::ZERO),
        };
        let base = match base.split_once(':') {
            Some((minutes, rest)) => {
                let minutes: u32 = minutes.parse().map_err(|_| error())?;
                Duration::from_secs(u64::from(minutes) * 60) + seconds(rest).ok_or_else(error)?
            }
            None => seconds(base).ok_or_else(error)?,
        };
        if base.is_zero() && increment.is_zero() {
            return Err(error());
        }
        Ok(Self { moves, base, increment })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.moves > 0 {
            write!(f, "{}/", self.moves)?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// Seconds with a fraction; `None` unless finite and not negative.
pub fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok())
}

/// Everything that limits one engine's thinking. What is not set does not limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineLimits {
    /// A clock for the game.
    pub clock: Option<TimeControl>,
    /// A fixed time per move.
    pub move_time: Option<Duration>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Depth per move.
    pub depth: Option<u32>,
    /// How much later than allowed a move may come, for the time it takes on the way.
    pub margin: Duration,
}

impl Default for EngineLimits {
    fn default() -> Self {
        Self { clock: None, move_time: None, nodes: None, depth: None, margin: Duration::from_millis(5) }
    }
}

impl EngineLimits {
    /// Whether anything at all limits the thinking.
    pub fn is_limited(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// What `go` says besides the clocks.
    pub fn go_suffix(&self) -> String {
        let mut text = String::new();
        if let Some(time) = self.move_time {
            let _ = write!(text, " movetime {}", time.as_millis());
        }
        if let Some(nodes) = self.nodes {
            let _ = write!(text, " nodes {nodes}");
        }
        if let Some(depth) = self.depth {
            let _ = write!(text, " depth {depth}");
        }
        text
    }
}

impl fmt::Display for EngineLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|clock| clock.to_string()));
        parts.extend(self.move_time.map(|time| format!("{}/move", time.as_secs_f64())));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&if parts.is_empty() { "unlimited".to_owned() } else { parts.join(", ") })
    }
}

/// One side's clock during a game.
#[derive(Clone, Copy, Debug)]
pub struct GameClock {
    limits: EngineLimits,
    left: Duration,
    moves_to_go: u32,
}

impl GameClock {
    /// A clock at the start of a game.
    pub fn new(limits: EngineLimits) -> Self {
        let left =
            limits.clock.map_or(Duration::ZERO, |control| control.base.saturating_add(control.increment));
        Self { limits, left, moves_to_go: limits.clock.map_or(0, |control| control.moves) }
    }

    /// The limits behind it.
    pub fn limits(&self) -> &EngineLimits {
        &self.limits
    }

    /// Time left, where the game has a clock.
    pub fn left(&self) -> Option<Duration> {
        self.limits.clock.map(|_| self.left)
    }

    /// Increment and moves to the next control, where the game has a clock.
    pub fn increment(&self) -> Option<Duration> {
        self.limits.clock.map(|control| control.increment)
    }

    /// Moves until the next control, where there is one.
    pub fn moves_to_go(&self) -> Option<u32> {
        (self.moves_to_go > 0).then_some(self.moves_to_go)
    }

    /// The time after which a move is late, margin included; `None` when time does not matter.
    pub fn deadline(&self) -> Option<Duration> {
        let clock = self.limits.clock.map(|_| self.left);
        let limit = match (clock, self.limits.move_time) {
            (Some(clock), Some(time)) => Some(clock.min(time)),
            (clock, time) => clock.or(time),
        };
        limit.map(|limit| limit.saturating_add(self.limits.margin))
    }

    /// Takes the time of a move off the clock and gives the increment. `Err`: by how much the move was late.
    ///
    /// # Errors
    /// The move came after the deadline.
    pub fn press(&mut self, used: Duration) -> Result<(), Duration> {
        if let Some(deadline) = self.deadline()
            && used > deadline
        {
            return Err(used.saturating_add(self.limits.margin).saturating_sub(deadline));
        }
        if let Some(control) = self.limits.clock {
            self.left = self.left.saturating_sub(used).saturating_add(control.increment);
            if self.moves_to_go > 0 {
                self.moves_to_go -= 1;
                if self.moves_to_go == 0 {
                    self.moves_to_go = control.moves;
                    self.left = self.left.saturating_add(control.base);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().expect(text)
    }

    #[test]
    fn time_controls_are_read_as_cutechess_writes_them() {
        let ms = Duration::from_millis;
        assert_eq!(control("10+0.1"), TimeControl { moves: 0, base: ms(10_000), increment: ms(100) });
        assert_eq!(control("40/60"), TimeControl { moves: 40, base: ms(60_000), increment: ms(0) });
        assert_eq!(control("40/1:30+0.6"), TimeControl { moves: 40, base: ms(90_000), increment: ms(600) });
        assert_eq!(control("0/8+0.08"), control("8+0.08"));
        assert_eq!(control("40/1:30+0.6").to_string(), "40/90+0.6");
        for bad in ["", "x", "10+", "-5", "1/2/3", "1:2:3", "0", "1e400", "NaN", "10+-1", "a/10"] {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_clock_gives_increment_and_new_time_at_the_control() {
        let limits = EngineLimits { clock: Some(control("2/10+1")), ..EngineLimits::default() };
        let mut clock = GameClock::new(limits);
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(Duration::from_secs(11)), Some(2)));
        clock.press(Duration::from_secs(4)).expect("in time");
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(Duration::from_secs(8)), Some(1)));
        clock.press(Duration::from_secs(1)).expect("in time");
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(Duration::from_secs(18)), Some(2)));
    }

    #[test]
    fn a_late_move_is_told_by_how_much_beyond_its_time() {
        let limits = EngineLimits {
            clock: Some(control("1")),
            margin: Duration::from_millis(20),
            ..EngineLimits::default()
        };
        let mut clock = GameClock::new(limits);
        assert_eq!(clock.deadline(), Some(Duration::from_millis(1020)));
        assert_eq!(clock.press(Duration::from_millis(1030)), Err(Duration::from_millis(30)));
        assert_eq!(clock.press(Duration::from_millis(1015)), Ok(()));
        assert_eq!(clock.left(), Some(Duration::ZERO));
    }

    #[test]
    fn fixed_nodes_have_no_deadline() {
        let clock = GameClock::new(EngineLimits { nodes: Some(5000), ..EngineLimits::default() });
        assert_eq!(clock.deadline(), None);
        assert_eq!(clock.limits().go_suffix(), " nodes 5000");
        assert_eq!(clock.limits().to_string(), "5000 nodes");
    }
}
