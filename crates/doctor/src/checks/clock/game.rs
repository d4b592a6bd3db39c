//! A game of the engine against itself on a real clock, for the checks of its use.

use std::time::Duration;

use chess::{Color, Game, Position};

use crate::check::Examination;
use crate::patient::Thinking;

/// How long the game may last.
#[derive(Clone, Copy)]
pub struct Control {
    /// Time for each side at the start.
    pub base: Duration,
    /// Time added for each move.
    pub added: Duration,
    /// Half moves after which the game is ended.
    pub plies: usize,
}

/// A move of the game.
pub struct Spent {
    /// What was left on the clock.
    pub left: Duration,
    /// What the clock was charged.
    pub used: Duration,
    /// Time from the question to the answer.
    pub took: Duration,
    /// Computing time of it.
    pub computed: Duration,
    /// Whether the flag fell; `None` where that is not known.
    pub late: Option<bool>,
    /// The lines that asked for it.
    pub repro: Vec<String>,
}

impl Spent {
    /// Whether the flag fell by the engine's fault.
    pub fn is_late(&self) -> bool {
        self.late == Some(true)
    }

    /// What a fallen flag looks like.
    pub fn told(&self) -> String {
        let [took, computed, left] = [self.took, self.computed, self.left].map(|time| time.as_millis());
        format!("{took} ms, of which {computed} ms were computing, for a move with {left} ms left")
    }
}

/// What was played.
pub struct ClockGame {
    /// Its moves, both sides'.
    pub moves: Vec<Spent>,
    /// What was left at the end.
    pub clocks: [Duration; 2],
}

/// Clocks from which on no system keeps an engine waiting for the rest of the clock; below, that happens on busy machines. It is
/// also longer than any sound engine computes without looking at its clock (Glaurung 2.2, the laziest: 250 ms).
const LONG: Duration = Duration::from_millis(300);

/// How exact times are: the system counts computing time in hundredths of a second, and short waits belong to it.
const EXACT: Duration = Duration::from_millis(20);

/// The latest answer that is in time. An answer just after a long clock is no matter of waiting alone.
fn latest(clock: Duration) -> Duration {
    if clock >= LONG { clock } else { clock + EXACT }
}

/// Whether the flag fell by the engine's fault, with so much left on the clock:
/// more was computed than was left;
/// or the wall clock ran out, and the engine was not just kept waiting, for it computed a third of a long clock: one that
/// has a plan below the clock computes no further when it is woken late;
/// or it slept far beyond the clock, however busy the machine is.
fn is_late(thinking: &Thinking, clock: Duration) -> bool {
    let ran_out = clock >= LONG && thinking.elapsed > latest(clock);
    let worked_on = ran_out && thinking.effort() > LONG.max(clock / 3).min(clock.saturating_sub(EXACT));
    thinking.effort() > clock + EXACT || worked_on || thinking.elapsed > clock * 2 + Duration::from_secs(1)
}

/// Whether a move was late; `None` where the wall clock says so and computing does not: the machine may have kept the
/// engine waiting, or the engine itself waited.
pub fn lateness(thinking: &Thinking, clock: Duration) -> Option<bool> {
    if thinking.cut_short || is_late(thinking, clock) {
        return Some(true);
    }
    (thinking.elapsed <= latest(clock)).then_some(false)
}

/// Plays until the game is over, a flag falls, the engine breaks down or the time of the check is over. `charge` says what
/// of a search the clock counts, given what is left.
pub fn play(
    exam: &mut Examination,
    start: Position,
    control: Control,
    charge: fn(&Thinking, Duration) -> Duration,
) -> ClockGame {
    let Control { base, added, plies } = control;
    let mut game = Game::new(start);
    let mut clocks = [base + added; 2];
    let mut moves: Vec<Spent> = Vec::new();
    if exam.patient.new_game().is_err() {
        return ClockGame { moves, clocks };
    }
    while game.outcome().is_none() && moves.len() < plies && exam.goes_on() {
        let turn = game.position().turn();
        let [white, black] = clocks.map(|clock| clock.as_millis().max(1));
        let millis = added.as_millis();
        let go = format!("go wtime {white} btime {black} winc {millis} binc {millis}");
        let clock = &mut clocks[usize::from(turn == Color::Black)];
        let Ok(thinking) = exam.patient.search_game(&game, &go, *clock * 2 + Duration::from_secs(2)) else {
            break;
        };
        let Some(mv) = thinking.best.as_deref().and_then(|word| game.position().parse_uci(word).ok()) else {
            break;
        };
        let late = lateness(&thinking, *clock);
        let used = charge(&thinking, *clock);
        moves.push(Spent {
            left: *clock,
            used,
            took: thinking.elapsed,
            computed: thinking.effort(),
            late,
            repro: thinking.repro(),
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
    fn computing_beyond_the_clock_is_late_and_waiting_is_not() {
        let late = |clock: u64, elapsed: u64, computed: u64| {
            is_late(&Thinking::of_times(elapsed, computed), Duration::from_millis(clock))
        };
        assert!(late(1000, 1500, 1500), "on a free machine");
        assert!(late(1000, 1500, 500), "on a machine shared by three");
        assert!(!late(1000, 1500, 200), "woken late");
        assert!(!late(1000, 600, 600), "a long thought");
        assert!(!late(60, 150, 40), "little time and a busy machine");
        assert!(late(60, 150, 90), "little time, and computed on");
        assert!(late(1000, 3100, 10), "asleep");
        assert!(!late(500, 800, 250), "rare looks at the clock on a busy machine");
    }

    #[test]
    fn a_clock_that_is_used_to_its_end_is_late() {
        let of = |clock, elapsed, computed| {
            lateness(&Thinking::of_times(elapsed, computed), Duration::from_millis(clock))
        };
        assert_eq!(of(300, 303, 300), Some(true), "the whole of what was left");
        assert_eq!(of(700, 705, 400), Some(true), "on a busy machine");
        assert_eq!(of(700, 705, 200), None, "on a very busy one it may have been woken late");
        assert_eq!(of(700, 690, 690), Some(false), "a reserve is left");
        assert_eq!(of(60, 65, 60), Some(false), "too short a time to be exact about");
    }

    #[test]
    fn an_answer_after_the_clock_without_computing_is_neither_late_nor_in_time() {
        let of =
            |elapsed, computed| lateness(&Thinking::of_times(elapsed, computed), Duration::from_millis(60));
        assert_eq!([of(50, 50), of(150, 90), of(1500, 20)], [Some(false), Some(true), Some(true)]);
        assert_eq!(of(700, 30), None);
        let stopped = Thinking { cut_short: true, ..Thinking::of_times(50, 50) };
        assert_eq!(lateness(&stopped, Duration::from_millis(60)), Some(true));
    }
}
