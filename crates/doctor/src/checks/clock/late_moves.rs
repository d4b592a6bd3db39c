//! Late moves: in sudden death, with an increment that is not added yet, and just before the time control.

use std::time::Duration;

use chess::Position;

use super::game::lateness;
use crate::catalogue::{FindingId, Measure};
use crate::check::Examination;
use crate::confidence::{Confidence, TrialRates};
use crate::failures::Failures;
use crate::finding::{Finding, Verdict};
use crate::samples::openings;
use crate::search_output::SearchOutput;

const RATES: TrialRates = TrialRates { sound: 0.02, faulty: 0.3 };

/// Milliseconds left.
const LOW_TIMES: [u64; 4] = [200, 100, 60, 30];

/// Milliseconds left before the time control, and movestogo. An engine that divides wrongly is late only where no iteration
/// ends just before, so several are tested; with less time, engines that check the clock rarely would be late by chance.
const BEFORE_CONTROL: [u64; 2] = [600, 900];
const MOVES_TO_GO: [u64; 2] = [1, 2];

/// No more are tested after this many late moves.
const MAX_LATE: usize = 5;

pub fn low_time(exam: &mut Examination) -> Finding {
    with_little(exam, 0).finding(FindingId::ClockLowTime, "with 30 to 200 ms left", exam.timing_confidence())
}

/// The increment is added after the move.
pub fn early_increment(exam: &mut Examination) -> Finding {
    let with = "with 30 to 200 ms left and an increment of 1 s";
    with_little(exam, 1000).finding(FindingId::ClockEarlyIncrement, with, exam.timing_confidence())
}

fn with_little(exam: &mut Examination, increment: u64) -> LateMoves {
    let mut moves = LateMoves::default();
    for left in LOW_TIMES {
        for position in openings(exam.pick(1, 3), 71) {
            let go = format!("go wtime {left} btime {left} winc {increment} binc {increment}");
            moves.ask(exam, &position, &go, left);
        }
    }
    moves
}

pub fn last_moves(exam: &mut Examination) -> Finding {
    let mut moves = LateMoves::default();
    let kinds: Vec<(u64, u64)> =
        BEFORE_CONTROL.iter().flat_map(|&left| MOVES_TO_GO.map(|to_go| (left, to_go))).collect();
    let positions = openings(kinds.len() * exam.pick(3, 5), 83);
    for (position, &(left, to_go)) in positions.iter().zip(kinds.iter().cycle()) {
        if !exam.has_time() || moves.checked.count() >= MAX_LATE {
            break;
        }
        let go = format!("go wtime {left} btime {left} movestogo {to_go}");
        moves.ask(exam, position, &go, left);
    }
    let with = "with movestogo 1 or 2 and 600 or 900 ms left";
    moves.finding(FindingId::ClockLastMoves, with, exam.timing_confidence())
}

#[derive(Default)]
struct LateMoves {
    checked: Failures,
    /// Moves that overran without the CPU time for it.
    undecided: usize,
    /// The largest share of its clock that a move in time took.
    max_share: f64,
}

impl LateMoves {
    fn ask(&mut self, exam: &mut Examination, position: &Position, go: &str, left: u64) {
        if let Ok(result) = exam.engine.search_fresh(position, go, Duration::from_secs(4)) {
            self.add(&result, left);
        }
    }

    fn add(&mut self, result: &SearchOutput, left: u64) {
        let clock = Duration::from_millis(left);
        let Some(is_late) = lateness(result, clock) else {
            self.undecided += 1;
            return;
        };
        if !is_late {
            self.max_share = self.max_share.max(result.elapsed.as_secs_f64() / clock.as_secs_f64());
        }
        // Rounded up, so that a small overrun is visible.
        let took = (1000.0 * result.elapsed.as_secs_f64()).ceil();
        let cpu = result.cpu_or_wall().as_millis();
        let late_by = || format!("{took} ms ({cpu} ms CPU time) with {left} ms left");
        self.checked.add(result, is_late.then(late_by));
    }

    fn finding(self, id: FindingId, with: &str, trust: (f64, String)) -> Finding {
        let Self { checked, undecided, max_share } = self;
        let (asked, late) = (checked.asked, checked.count());
        if asked + undecided == 0 {
            let why = "no search ended within the time budget";
            return Finding::skipped(id, why);
        }
        // A single one may be an accident of the system.
        let verdict = match late {
            2.. => Verdict::Fail,
            _ if late + undecided >= 2 || asked == 0 => {
                let all = asked + undecided;
                let why = format!("{} of {all} moves {with} overran on a busy system", late + undecided);
                return Finding::skipped(id, why);
            }
            1 => Verdict::Warning,
            0 => Verdict::Pass,
        };
        let result = match checked.wrong.first() {
            // Short clocks have a tolerance.
            None if max_share > 1.0 => format!("none of {asked} moves {with} is late"),
            None => {
                let most = 100.0 * max_share;
                format!("none of {asked} moves {with} is late; at most {most:.0} % of the clock used")
            }
            Some(first) => format!("{late} of {asked} moves {with} are late: {first}"),
        };
        let summary = match undecided {
            0 => result,
            _ => format!("{result}; {undecided} more overran on a busy system"),
        };
        let confidence = if verdict == Verdict::Fail {
            checked.confidence(RATES, true)
        } else {
            // Undecided moves may have been late.
            Confidence::of_failures(late + undecided, asked + undecided, RATES, false)
        };
        Finding::new(id, verdict, summary)
            .effect(100.0 * late as f64 / asked as f64)
            .confidence(confidence)
            .at_most(trust)
            .threshold("2 late moves; one is a warning")
            .samples(asked)
            .measure(Measure::Undecided, undecided as f64)
            .repro(checked.repro)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::diagnose;

    fn finding(times: &[(u64, u64)]) -> Finding {
        let mut moves = LateMoves::default();
        for &(elapsed, computed) in times {
            moves.add(&SearchOutput::with_times(elapsed, computed), 500);
        }
        moves.finding(FindingId::ClockLastMoves, "with 500 ms left", (0.99, String::new()))
    }

    #[test]
    fn two_late_moves_fail() {
        assert_eq!(finding(&[(400, 400), (480, 480)]).verdict, Verdict::Pass);
        assert_eq!(finding(&[(400, 400), (503, 500)]).verdict, Verdict::Warning);
        let late = finding(&[(503, 500), (503, 500)]);
        assert_eq!(late.verdict, Verdict::Fail);
        assert_eq!(diagnose(&[late]).explanations[0].id, "control-overrun");
    }

    #[test]
    fn busy_system_is_undecided() {
        assert_eq!(finding(&[(900, 100)]).verdict, Verdict::Skipped);
        assert_eq!(finding(&[(900, 100), (900, 100)]).verdict, Verdict::Skipped);
        let in_time = [(400, 400); 10];
        assert_eq!(finding(&[&in_time[..], &[(900, 100), (900, 100)]].concat()).verdict, Verdict::Skipped);
        assert_eq!(finding(&[&in_time[..], &[(900, 100), (503, 500)]].concat()).verdict, Verdict::Skipped);
        let late = [(900, 100), (900, 100), (503, 500), (503, 500)];
        assert_eq!(finding(&late).verdict, Verdict::Fail, "regardless of the others");
        let some = finding(&[&in_time[..], &[(900, 100)]].concat());
        assert_eq!((some.verdict, some.samples), (Verdict::Pass, 10));
        assert!(some.confidence.level < finding(&in_time).confidence.level, "it may have been late");
        assert!(some.summary.contains("1 more overran"), "{}", some.summary);
    }
}
