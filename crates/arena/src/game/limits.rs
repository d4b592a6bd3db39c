//! Time controls, limits of an engine, and the clock of a game.

use std::fmt::{self, Write};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Longer times are refused on the command line and cut elsewhere: sums of times cannot overflow.
const LONGEST: Duration = Duration::from_hours(365 * 24);

/// A time control: moves, base time, increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Moves per period; 0: the whole game.
    pub moves: u32,
    pub base: Duration,
    pub increment: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControlError(String);

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid time control '{}': expected {}", self.0, TimeControl::FORMAT)
    }
}

impl std::error::Error for TimeControlError {}

impl TimeControl {
    /// What is accepted, for messages.
    pub const FORMAT: &str = "moves/minutes:seconds+increment, at most 365 days";
}

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
                let minutes = Duration::from_secs(u64::from(minutes) * 60);
                minutes.saturating_add(seconds(rest).ok_or_else(error)?)
            }
            None => seconds(base).ok_or_else(error)?,
        };
        if base.is_zero() && increment.is_zero() || base > LONGEST {
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

/// Seconds with a fraction; `None` unless between zero and a year.
pub fn seconds(text: &str) -> Option<Duration> {
    let time = text.parse().ok().and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|&time| time <= LONGEST)
}

/// The limits of an engine's searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineLimits {
    pub clock: Option<TimeControl>,
    pub move_time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// How much a move may exceed its time, for the latency of the pipe.
    pub margin: Duration,
}

impl Default for EngineLimits {
    fn default() -> Self {
        Self { clock: None, move_time: None, nodes: None, depth: None, margin: Duration::from_millis(5) }
    }
}

impl EngineLimits {
    pub fn is_limited(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// The same limits with times that can be added and scaled, wherever they come from.
    fn clamped(mut self) -> Self {
        self.move_time = self.move_time.map(|time| time.min(LONGEST));
        self.margin = self.margin.min(LONGEST);
        self.clock = self.clock.map(|control| TimeControl {
            moves: control.moves,
            base: control.base.min(LONGEST),
            increment: control.increment.min(LONGEST),
        });
        self
    }

    /// The arguments of `go` besides the clocks.
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
    pub fn new(limits: EngineLimits) -> Self {
        let limits = limits.clamped();
        let left =
            limits.clock.map_or(Duration::ZERO, |control| control.base.saturating_add(control.increment));
        Self { limits, left, moves_to_go: limits.clock.map_or(0, |control| control.moves) }
    }

    pub fn limits(&self) -> &EngineLimits {
        &self.limits
    }

    /// Time left; `None` without a time control.
    pub fn left(&self) -> Option<Duration> {
        self.limits.clock.map(|_| self.left)
    }

    pub fn increment(&self) -> Option<Duration> {
        self.limits.clock.map(|control| control.increment)
    }

    /// Moves to the next time control; `None` without one.
    pub fn moves_to_go(&self) -> Option<u32> {
        (self.moves_to_go > 0).then_some(self.moves_to_go)
    }

    /// The time after which a move loses on time, margin included; `None` without a time limit.
    pub fn deadline(&self) -> Option<Duration> {
        let clock = self.limits.clock.map(|_| self.left);
        let limit = match (clock, self.limits.move_time) {
            (Some(clock), Some(time)) => Some(clock.min(time)),
            (clock, time) => clock.or(time),
        };
        limit.map(|limit| limit.saturating_add(self.limits.margin))
    }

    /// Subtracts the time of a move and adds the increment. `Err`: by how much the move was late.
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
    fn time_controls_as_in_cutechess() {
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

    /// The sums of these overflow a `Duration`, or what an engine computes from it.
    #[test]
    fn endless_times_are_refused_and_cut() {
        for bad in ["4294967295:18446744073709549568", "1e19+1e19", "5+1e19", "1e18", "525601:0", "1e10"] {
            let error = bad.parse::<TimeControl>().expect_err(bad).to_string();
            assert!(error.contains(bad) && error.contains("at most 365 days"), "{error}");
        }
        assert!(control("525600:0").base == LONGEST && seconds("1e19").is_none());
        let endless = TimeControl { moves: 1, base: Duration::MAX, increment: Duration::MAX };
        let limits =
            EngineLimits { clock: Some(endless), move_time: Some(Duration::MAX), ..Default::default() };
        let mut clock = GameClock::new(limits);
        clock.press(Duration::from_secs(1)).expect("in time");
        let left = clock.left().expect("a clock");
        assert!(left.as_secs() < 5 * LONGEST.as_secs(), "{left:?}");
        assert_eq!(clock.limits().move_time, Some(LONGEST));
    }

    #[test]
    fn increment_and_next_time_control() {
        let limits = EngineLimits { clock: Some(control("2/10+1")), ..EngineLimits::default() };
        let mut clock = GameClock::new(limits);
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(Duration::from_secs(11)), Some(2)));
        clock.press(Duration::from_secs(4)).expect("in time");
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(Duration::from_secs(8)), Some(1)));
        clock.press(Duration::from_secs(1)).expect("in time");
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(Duration::from_secs(18)), Some(2)));
    }

    #[test]
    fn late_move_reports_overrun_without_margin() {
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
