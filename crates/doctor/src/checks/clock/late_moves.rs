//! Moves with little time, for the check of the clock: does one come after the flag has fallen? In sudden death, with an
//! increment that is not there yet, and as the last ones before a time control.

use std::time::Duration;

use chess::Position;

use super::game::lateness;
use crate::check::Examination;
use crate::failures::Failures;
use crate::finding::{Finding, Verdict};
use crate::patient::Thinking;
use crate::samples::openings;
use crate::sureness::{Rates, Sureness};

/// How often a move is late in an engine that keeps to its clock, and in one that does not.
const RATES: Rates = Rates { sound: 0.02, faulty: 0.3 };

/// What is left on the clock in sudden death, in milliseconds.
const LITTLE: [u64; 4] = [200, 100, 60, 30];

/// What is left before a time control, and the moves that it must last for. An engine that divides it wrongly comes late only
/// where no iteration ends just before, so that many are asked; and it needs so much, because engines that look at their clock
/// seldom would come late by chance.
const BEFORE_CONTROL: [u64; 2] = [600, 900];
const MOVES_TO_GO: [u64; 2] = [1, 2];

/// Late moves after which no more are asked for: they take long, and leave no doubt.
const ENOUGH: usize = 5;

/// 30 to 200 ms left, and nothing to come.
pub fn low_time(exam: &mut Examination) -> Finding {
    with_little(exam, 0).finding("low-time", "with 30 to 200 ms left", exam.trust_in_time())
}

/// The same with an increment that is there only once the move is made: whoever spends it before has lost.
pub fn early_increment(exam: &mut Examination) -> Finding {
    let with = "with 30 to 200 ms left and an increment of 1 s";
    with_little(exam, 1000).finding("early-increment", with, exam.trust_in_time())
}

fn with_little(exam: &mut Examination, increment: u64) -> LateMoves {
    let mut moves = LateMoves::default();
    for left in LITTLE {
        for position in openings(exam.pick(1, 3), 71) {
            let go = format!("go wtime {left} btime {left} winc {increment} binc {increment}");
            moves.ask(exam, &position, &go, left);
        }
    }
    moves
}

/// The last one or two moves before a time control.
pub fn last_moves(exam: &mut Examination) -> Finding {
    let mut moves = LateMoves::default();
    let kinds: Vec<(u64, u64)> =
        BEFORE_CONTROL.iter().flat_map(|&left| MOVES_TO_GO.map(|to_go| (left, to_go))).collect();
    let positions = openings(kinds.len() * exam.pick(3, 5), 83);
    for (position, &(left, to_go)) in positions.iter().zip(kinds.iter().cycle()) {
        if !exam.goes_on() || moves.judged.count() >= ENOUGH {
            break;
        }
        let go = format!("go wtime {left} btime {left} movestogo {to_go}");
        moves.ask(exam, position, &go, left);
    }
    let with = "with 600 or 900 ms for the last one or two before a time control";
    moves.finding("last-moves", with, exam.trust_in_time())
}

/// Moves with little time, and those of them that were late.
#[derive(Default)]
struct LateMoves {
    judged: Failures,
    /// Moves after the clock without so much computing.
    not_known: usize,
    /// The greatest share of its clock that a move took in time.
    greatest: f64,
}

impl LateMoves {
    fn ask(&mut self, exam: &mut Examination, position: &Position, go: &str, left: u64) {
        if let Ok(thinking) = exam.patient.search_fresh(position, go, Duration::from_secs(4)) {
            self.add(&thinking, left);
        }
    }

    fn add(&mut self, thinking: &Thinking, left: u64) {
        let clock = Duration::from_millis(left);
        let Some(is_late) = lateness(thinking, clock) else {
            self.not_known += 1;
            return;
        };
        if !is_late {
            self.greatest = self.greatest.max(thinking.elapsed.as_secs_f64() / clock.as_secs_f64());
        }
        // Rounded up: a clock that was overrun by a moment is not told as if it had been met.
        let took = (1000.0 * thinking.elapsed.as_secs_f64()).ceil();
        let computed = thinking.effort().as_millis();
        let told = || format!("{took} ms, of which {computed} ms were computing, with {left} ms left");
        self.judged.add(thinking, is_late.then(told));
    }

    fn finding(self, what: &str, with: &str, trust: (f64, String)) -> Finding {
        let Self { judged, not_known, greatest } = self;
        let (asked, late) = (judged.asked, judged.count());
        if asked + not_known == 0 {
            let why = "no search was answered in the time of the check";
            return Finding::unmeasured("clock", what, why);
        }
        // A single one may be an accident of the system.
        let verdict = match late {
            2.. => Verdict::Alarm,
            _ if late + not_known >= 2 || asked == 0 => {
                let all = asked + not_known;
                let why = format!(
                    "{} of {all} moves {with} came after the clock, on a machine too busy to tell why",
                    late + not_known
                );
                return Finding::unmeasured("clock", what, why);
            }
            1 => Verdict::Notice,
            0 => Verdict::Sound,
        };
        let told = match judged.wrong.first() {
            // What is granted to short clocks is not worth telling.
            None if greatest > 1.0 => format!("{asked} moves {with}, none late"),
            None => {
                let most = 100.0 * greatest;
                format!("{asked} moves {with}, none late; {most:.0} % of the clock were used at the most")
            }
            Some(first) => format!("{late} of {asked} moves {with} are late: {first}"),
        };
        let summary = match not_known {
            0 => told,
            _ => format!("{told}; {not_known} more came after the clock without having computed so long"),
        };
        let sureness = if verdict == Verdict::Alarm {
            judged.sureness(RATES, true)
        } else {
            // What is not known may have been late.
            Sureness::of_failures(late + not_known, asked + not_known, RATES, false)
        };
        Finding::new("clock", what, verdict, summary)
            .effect("late moves with little time", 100.0 * late as f64 / asked as f64, "%")
            .sure(sureness.at_most(trust))
            .threshold("two late moves; one is a notice")
            .samples(asked)
            .measure("moves of which it is not known", not_known as f64)
            .repro(judged.repro)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::diagnose;

    fn finding(times: &[(u64, u64)]) -> Finding {
        let mut moves = LateMoves::default();
        for &(elapsed, computed) in times {
            moves.add(&Thinking::of_times(elapsed, computed), 500);
        }
        moves.finding("last-moves", "with 500 ms left", (0.99, String::new()))
    }

    #[test]
    fn two_late_moves_are_an_alarm_and_one_is_a_notice() {
        assert_eq!(finding(&[(400, 400), (480, 480)]).verdict, Verdict::Sound);
        assert_eq!(finding(&[(400, 400), (503, 500)]).verdict, Verdict::Notice);
        let late = finding(&[(503, 500), (503, 500)]);
        assert_eq!(late.verdict, Verdict::Alarm);
        assert_eq!(diagnose(&[late]).explanations[0].id, "control-overrun");
    }

    #[test]
    fn a_busy_machine_leaves_it_open() {
        assert_eq!(finding(&[(900, 100)]).verdict, Verdict::Unmeasured);
        assert_eq!(finding(&[(900, 100), (900, 100)]).verdict, Verdict::Unmeasured);
        let in_time = [(400, 400); 10];
        assert_eq!(finding(&[&in_time[..], &[(900, 100), (900, 100)]].concat()).verdict, Verdict::Unmeasured);
        assert_eq!(finding(&[&in_time[..], &[(900, 100), (503, 500)]].concat()).verdict, Verdict::Unmeasured);
        let late = [(900, 100), (900, 100), (503, 500), (503, 500)];
        assert_eq!(finding(&late).verdict, Verdict::Alarm, "whatever else there is");
        let some = finding(&[&in_time[..], &[(900, 100)]].concat());
        assert_eq!((some.verdict, some.samples), (Verdict::Sound, 10));
        assert!(some.confidence.level < finding(&in_time).confidence.level, "it may have been late");
        assert!(some.summary.contains("1 more came after the clock"), "{}", some.summary);
    }
}
