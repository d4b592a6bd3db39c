//! Single moves on the clock, for the check of its use: with and without increment, with a near and a far time control, and
//! with hardly any time.

use std::time::Duration;

use super::game::lateness;
use crate::doctor::check::Examination;
use crate::doctor::failures::Failures;
use crate::doctor::finding::{Finding, Verdict, alarm_if};
use crate::doctor::samples::{mean, openings};
use crate::doctor::sureness::{Rates, Side, Sureness, error_of_mean};

/// What single moves show.
pub fn findings(exam: &mut Examination) -> [Finding; 4] {
    [
        increment(exam),
        moves_to_go(exam),
        low_time(exam, Added::Nothing),
        low_time(exam, Added::MoreThanIsLeft),
    ]
}

/// What is added to the clock after a move with little time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Added {
    Nothing,
    /// It is there only once the move is made: whoever spends it before has lost.
    MoreThanIsLeft,
}

/// Positions for each kind of move, in a quick and in a full examination.
const POSITIONS: (usize, usize) = (3, 6);

/// Logarithms of the times of moves, in seconds, with the lines of the last.
#[derive(Default)]
struct Times {
    logs: Vec<f64>,
    repro: Vec<String>,
}

impl Times {
    /// Asks for moves with these words after `go`, in a few positions.
    fn measure(exam: &mut Examination, go: &str) -> Self {
        let mut times = Self::default();
        for position in openings(exam.pick(POSITIONS.0, POSITIONS.1), 67) {
            let cap = exam.cap(Duration::from_secs(5));
            let Ok(thinking) = exam.patient.search_fresh(&position, go, cap) else { continue };
            times.logs.push(thinking.elapsed.as_secs_f64().max(0.001).ln());
            times.repro = thinking.repro();
        }
        times
    }

    /// The geometric mean, in milliseconds.
    fn millis(&self) -> f64 {
        1000.0 * mean(&self.logs).exp()
    }
}

/// By how much longer one kind of move takes than the other.
struct Ratio {
    value: f64,
    /// Its error of 95 %.
    error: f64,
    is_above: bool,
    sureness: Sureness,
}

/// Times of moves in which nothing can be seen of a clock.
const AT_ONCE: f64 = 10.0;

impl Ratio {
    /// `None` when there are too few times, or an engine that answers at once.
    fn of(longer: &Times, shorter: &Times, bound: f64) -> Option<Self> {
        let is_quick = longer.millis() < AT_ONCE && shorter.millis() < AT_ONCE;
        if longer.logs.len() < 2 || shorter.logs.len() < 2 || is_quick {
            return None;
        }
        let value = longer.millis() / shorter.millis();
        let is_above = value >= bound;
        let side = Side::above_if(is_above);
        let sureness = Sureness::of_difference(&longer.logs, &shorter.logs, bound.ln(), side);
        let error = 1.96 * value * error_of_mean(&longer.logs).hypot(error_of_mean(&shorter.logs));
        Some(Self { value, error, is_above, sureness })
    }
}

/// Why there is no ratio.
const TOO_QUICK: &str = "too few moves, or they take less than 10 ms whatever the clock says";

/// How many times longer a move takes at the least with an increment of half the clock, and with a near control.
const LEAST_WITH_INCREMENT: f64 = 1.25;
const LEAST_NEAR_CONTROL: f64 = 1.5;

fn increment(exam: &mut Examination) -> Finding {
    let plain = Times::measure(exam, "go wtime 2000 btime 2000");
    let added = Times::measure(exam, "go wtime 2000 btime 2000 winc 1000 binc 1000");
    let Some(ratio) = Ratio::of(&added, &plain, LEAST_WITH_INCREMENT) else {
        return Finding::unmeasured("clock", "increment", TOO_QUICK);
    };
    let alarm = !ratio.is_above;
    Finding::new(
        "clock",
        "increment",
        alarm_if(alarm),
        format!(
            "with 2 s left a move takes {:.0} ms, with an increment of 1 s {:.0} ms ({:.1} times)",
            plain.millis(),
            added.millis(),
            ratio.value
        ),
    )
    .effect("time with increment against without", ratio.value, "times")
    .error(ratio.error)
    .sure(ratio.sureness.at_most(exam.trust_in_time()))
    .threshold("less than 1.25 times: an increment of half the clock changes nothing")
    .samples(plain.logs.len() + added.logs.len())
    .repro(added.repro)
}

fn moves_to_go(exam: &mut Examination) -> Finding {
    let far = Times::measure(exam, "go wtime 2000 btime 2000 movestogo 40");
    let near = Times::measure(exam, "go wtime 2000 btime 2000 movestogo 3");
    let Some(ratio) = Ratio::of(&near, &far, LEAST_NEAR_CONTROL) else {
        return Finding::unmeasured("clock", "movestogo", TOO_QUICK);
    };
    let verdict = if ratio.is_above { Verdict::Sound } else { Verdict::Notice };
    Finding::new(
        "clock",
        "movestogo",
        verdict,
        format!(
            "2 s for 40 moves: {:.0} ms a move; for 3 moves: {:.0} ms ({:.1} times)",
            far.millis(),
            near.millis(),
            ratio.value
        ),
    )
    .effect("time with a near control against a far one", ratio.value, "times")
    .error(ratio.error)
    .sure(ratio.sureness.at_most(exam.trust_in_time()))
    .threshold("a notice below 1.5 times: movestogo is not used")
    .samples(far.logs.len() + near.logs.len())
    .repro(near.repro)
}

fn low_time(exam: &mut Examination, added: Added) -> Finding {
    let (what, increment, with) = match added {
        Added::Nothing => ("low-time", 0, ""),
        Added::MoreThanIsLeft => ("early-increment", 1000, " and an increment of 1 s"),
    };
    let (mut moves, mut not_known) = (Failures::default(), 0);
    for left in [200u64, 100, 60, 30] {
        for position in openings(exam.pick(1, 3), 71) {
            let go = format!("go wtime {left} btime {left} winc {increment} binc {increment}");
            let Ok(thinking) = exam.patient.search_fresh(&position, &go, Duration::from_secs(4)) else {
                continue;
            };
            let Some(is_late) = lateness(&thinking, Duration::from_millis(left)) else {
                not_known += 1;
                continue;
            };
            let [took, computed] = [thinking.elapsed, thinking.effort()].map(|time| time.as_millis());
            let told = || format!("{took} ms, of which {computed} ms were computing, with {left} ms left");
            moves.add(&thinking, is_late.then(told));
        }
    }
    let (asked, late) = (moves.asked, moves.count());
    if asked == 0 {
        let why = if not_known > 0 { "the machine was too busy to tell" } else { "no search was answered" };
        return Finding::unmeasured("clock", what, why);
    }
    let alarm = late >= 2;
    let summary = match moves.wrong.first() {
        None => format!("{asked} moves with 30 to 200 ms left{with}, none late"),
        Some(first) => format!("{late} of {asked} moves with 30 to 200 ms left{with} are late: {first}"),
    };
    let summary = match not_known {
        0 => summary,
        _ => format!("{summary}; {not_known} more came after the clock without having computed so long"),
    };
    Finding::new("clock", what, alarm_if(alarm), summary)
        .effect("late moves with little time", 100.0 * late as f64 / asked as f64, "%")
        .sure(moves.sureness(Rates { sound: 0.02, faulty: 0.3 }, alarm))
        .threshold("two late moves")
        .samples(asked)
        .measure("moves of which it is not known", f64::from(not_known))
        .repro(if alarm { moves.repro } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(millis: &[f64]) -> Times {
        Times { logs: millis.iter().map(|time| (time / 1000.0).ln()).collect(), repro: Vec::new() }
    }

    #[test]
    fn a_ratio_of_times_knows_its_error() {
        let steady =
            Ratio::of(&times(&[400.0, 410.0, 390.0]), &times(&[100.0, 101.0, 99.0]), 1.25).expect("told");
        assert!(steady.is_above && steady.sureness.level > 0.99 && steady.error < 0.3);
        let noisy =
            Ratio::of(&times(&[400.0, 60.0, 900.0]), &times(&[100.0, 300.0, 30.0]), 1.25).expect("told");
        assert!(noisy.sureness.level < 0.9 && noisy.error > 1.0);
    }

    #[test]
    fn an_engine_that_answers_at_once_shows_nothing_of_its_clock() {
        assert!(Ratio::of(&times(&[2.0, 2.0, 2.0]), &times(&[2.0, 2.0, 2.0]), 1.25).is_none());
        assert!(Ratio::of(&times(&[200.0]), &times(&[100.0]), 1.25).is_none());
    }
}
