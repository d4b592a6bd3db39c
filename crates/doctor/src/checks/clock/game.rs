//! Self-play with a clock.

use std::time::Duration;

use chess::{Color, Game, Position};

use crate::check::Examination;
use crate::search_output::SearchOutput;

#[derive(Clone, Copy)]
pub struct ClockSettings {
    pub base: Duration,
    pub added: Duration,
    /// The game ends after this many.
    pub plies: usize,
}

/// A move of a game.
pub struct Spent {
    /// Time left before the move.
    pub left: Duration,
    /// Time charged.
    pub used: Duration,
    /// Wall time.
    pub took: Duration,
    pub cpu: Duration,
    /// `None` where the system may be the reason.
    pub late: Option<bool>,
    pub repro: Vec<String>,
}

impl Spent {
    pub fn is_late(&self) -> bool {
        self.late == Some(true)
    }

    pub fn description(&self) -> String {
        let [took, cpu, left] = [self.took, self.cpu, self.left].map(|time| time.as_millis());
        format!("{took} ms ({cpu} ms CPU time) for a move with {left} ms left")
    }
}

pub struct ClockGame {
    pub moves: Vec<Spent>,
    /// Time left at the end.
    pub clocks: [Duration; 2],
}

/// Above this a busy system does not keep an engine waiting for the rest of the clock. It is also longer than any sound engine
/// searches without checking the clock (Glaurung 2.2: 250 ms).
const LONG: Duration = Duration::from_millis(300);

/// Tolerance: CPU time has a resolution of 10 ms.
const TOLERANCE: Duration = Duration::from_millis(20);

fn time_limit(clock: Duration) -> Duration {
    if clock >= LONG { clock } else { clock + TOLERANCE }
}

/// Whether the engine overran its clock:
/// by CPU time;
/// or by wall time with a third of a long clock as CPU time, so that it was not just kept waiting;
/// or by twice the clock and a second of wall time, however busy the system is.
fn is_late(result: &SearchOutput, clock: Duration) -> bool {
    let ran_out = clock >= LONG && result.elapsed > time_limit(clock);
    let worked_on =
        ran_out && result.cpu_or_wall() > LONG.max(clock / 3).min(clock.saturating_sub(TOLERANCE));
    result.cpu_or_wall() > clock + TOLERANCE
        || worked_on
        || result.elapsed > clock * 2 + Duration::from_secs(1)
}

/// Whether a move was late; `None` where the system may have kept the engine waiting.
pub fn lateness(result: &SearchOutput, clock: Duration) -> Option<bool> {
    if result.cut_short || is_late(result, clock) {
        return Some(true);
    }
    (result.elapsed <= time_limit(clock)).then_some(false)
}

/// Plays until the game, the clock or the time budget ends. `charge` is the time that the clock counts, given the time left.
pub fn play(
    exam: &mut Examination,
    start: Position,
    control: ClockSettings,
    charge: fn(&SearchOutput, Duration) -> Duration,
) -> ClockGame {
    let ClockSettings { base, added, plies } = control;
    let mut game = Game::new(start);
    let mut clocks = [base + added; 2];
    let mut moves: Vec<Spent> = Vec::new();
    if exam.engine.new_game().is_err() {
        return ClockGame { moves, clocks };
    }
    while game.outcome().is_none() && moves.len() < plies && exam.has_time() {
        let turn = game.position().turn();
        let [white, black] = clocks.map(|clock| clock.as_millis().max(1));
        let millis = added.as_millis();
        let go = format!("go wtime {white} btime {black} winc {millis} binc {millis}");
        let clock = &mut clocks[usize::from(turn == Color::Black)];
        let Ok(result) = exam.engine.search_game(&game, &go, *clock * 2 + Duration::from_secs(2)) else {
            break;
        };
        let Some(mv) = result.best.as_deref().and_then(|mv| game.position().parse_uci(mv).ok()) else {
            break;
        };
        let late = lateness(&result, *clock);
        let used = charge(&result, *clock);
        moves.push(Spent {
            left: *clock,
            used,
            took: result.elapsed,
            cpu: result.cpu_or_wall(),
            late,
            repro: result.repro(),
        });
        if moves.last().is_some_and(Spent::is_late) {
            break;
        }
        *clock = clock.saturating_sub(used) + added;
        game.play(mv);
    }
    ClockGame { moves, clocks }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_beyond_the_clock_is_late() {
        let late = |clock: u64, elapsed: u64, computed: u64| {
            is_late(&SearchOutput::with_times(elapsed, computed), Duration::from_millis(clock))
        };
        assert!(late(1000, 1500, 1500), "idle system");
        assert!(late(1000, 1500, 500), "shared CPU");
        assert!(!late(1000, 1500, 200), "kept waiting");
        assert!(!late(1000, 600, 600), "in time");
        assert!(!late(60, 150, 40), "busy system");
        assert!(late(60, 150, 90), "CPU time");
        assert!(late(1000, 3100, 10), "sleeping");
        assert!(!late(500, 800, 250), "rare clock checks on a busy system");
    }

    #[test]
    fn full_clock_is_late() {
        let of = |clock, elapsed, computed| {
            lateness(&SearchOutput::with_times(elapsed, computed), Duration::from_millis(clock))
        };
        assert_eq!(of(300, 303, 300), Some(true), "all of the clock");
        assert_eq!(of(700, 705, 400), Some(true), "busy system");
        assert_eq!(of(700, 705, 200), None, "may have been kept waiting");
        assert_eq!(of(700, 690, 690), Some(false), "in time");
        assert_eq!(of(60, 65, 60), Some(false), "within the tolerance");
    }

    #[test]
    fn overrun_without_cpu_time_is_undecided() {
        let of = |elapsed, computed| {
            lateness(&SearchOutput::with_times(elapsed, computed), Duration::from_millis(60))
        };
        assert_eq!([of(50, 50), of(150, 90), of(1500, 20)], [Some(false), Some(true), Some(true)]);
        assert_eq!(of(700, 30), None);
        let stopped = SearchOutput { cut_short: true, ..SearchOutput::with_times(50, 50) };
        assert_eq!(lateness(&stopped, Duration::from_millis(60)), Some(true));
    }
}
