//! Single moves on the clock, for the check of its use: with and without increment, with a near and a far time control, and
//! with hardly any time.

use std::time::Duration;

use crate::doctor::check::Examination;
use crate::doctor::finding::{Finding, Verdict, alarm_if};
use crate::doctor::samples::{geometric_mean, openings};

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

/// Time used for a move with these words after `go`, over a few positions.
fn mean_time(exam: &mut Examination, go: &str) -> Option<(f64, Vec<String>)> {
    let (mut times, mut repro) = (Vec::new(), Vec::new());
    for position in openings(exam.pick(2, 5), 67) {
        let Ok(thinking) = exam.patient.search_fresh(&position, go, exam.cap(Duration::from_secs(5))) else {
            continue;
        };
        times.push(thinking.elapsed.as_secs_f64().max(0.001));
        repro = thinking.repro();
    }
    (!times.is_empty()).then(|| (geometric_mean(&times), repro))
}

fn increment(exam: &mut Examination) -> Finding {
    let plain = mean_time(exam, "go wtime 2000 btime 2000");
    let added = mean_time(exam, "go wtime 2000 btime 2000 winc 1000 binc 1000");
    let (Some((plain, _)), Some((added, repro))) = (plain, added) else {
        return Finding::unmeasured("clock", "increment", "no search was answered");
    };
    let ratio = added / plain;
    let alarm = ratio < 1.25;
    Finding::new(
        "clock",
        "increment",
        alarm_if(alarm),
        format!(
            "with 2 s left a move takes {:.0} ms, with an increment of 1 s {:.0} ms ({ratio:.1} times)",
            1000.0 * plain,
            1000.0 * added
        ),
    )
    .effect("time with increment against without", ratio, "times")
    .confidence(0.93, "geometric mean over openings")
    .threshold("less than 1.25 times: an increment of half the clock changes nothing")
    .samples(2 * exam.pick(2, 5))
    .repro(repro)
}

fn moves_to_go(exam: &mut Examination) -> Finding {
    let far = mean_time(exam, "go wtime 2000 btime 2000 movestogo 40");
    let near = mean_time(exam, "go wtime 2000 btime 2000 movestogo 3");
    let (Some((far, _)), Some((near, repro))) = (far, near) else {
        return Finding::unmeasured("clock", "movestogo", "no search was answered");
    };
    let ratio = near / far;
    let verdict = if ratio < 1.5 { Verdict::Notice } else { Verdict::Sound };
    Finding::new(
        "clock",
        "movestogo",
        verdict,
        format!(
            "2 s for 40 moves: {:.0} ms a move; for 3 moves: {:.0} ms ({ratio:.1} times)",
            1000.0 * far,
            1000.0 * near
        ),
    )
    .effect("time with a near control against a far one", ratio, "times")
    .confidence(0.93, "geometric mean over openings")
    .threshold("a notice below 1.5 times: movestogo is not used")
    .samples(2 * exam.pick(2, 5))
    .repro(repro)
}

fn low_time(exam: &mut Examination, added: Added) -> Finding {
    let (what, increment, with) = match added {
        Added::Nothing => ("low-time", 0, ""),
        Added::MoreThanIsLeft => ("early-increment", 1000, " and an increment of 1 s"),
    };
    let (mut asked, mut late, mut repro, mut first) = (0, 0, Vec::new(), String::new());
    for left in [200u64, 100, 60, 30] {
        for position in openings(exam.pick(1, 3), 71) {
            let go = format!("go wtime {left} btime {left} winc {increment} binc {increment}");
            let Ok(thinking) = exam.patient.search_fresh(&position, &go, Duration::from_secs(4)) else {
                continue;
            };
            asked += 1;
            let used = thinking.effort();
            // The system counts computing time in hundredths of a second.
            if thinking.cut_short || used > Duration::from_millis(left + 20) {
                late += 1;
                if repro.is_empty() {
                    repro = thinking.repro();
                    first = format!("{} ms computed with {left} ms left", used.as_millis());
                }
            }
        }
    }
    if asked == 0 {
        return Finding::unmeasured("clock", what, "no search was answered");
    }
    let alarm = late >= 2;
    let summary = if late == 0 {
        format!("{asked} moves with 30 to 200 ms left{with}, none late")
    } else {
        format!("{late} of {asked} moves with 30 to 200 ms left{with} are late: {first}")
    };
    Finding::new("clock", what, alarm_if(alarm), summary)
        .effect("late moves with little time", 100.0 * f64::from(late) / f64::from(asked), "%")
        .confidence(0.95, "computing time against the clock")
        .threshold("two late moves")
        .samples(asked as usize)
        .repro(if alarm { repro } else { Vec::new() })
}
