//! Single moves on the clock, for the check of its use: with and without increment, and with a near and a far time control.

use super::times::{Ratio, TOO_QUICK, Times};
use crate::check::Examination;
use crate::finding::{Finding, Verdict, alarm_if};
use crate::samples::openings;

/// Positions for each kind of move, in a quick and in a full examination.
const POSITIONS: (usize, usize) = (3, 6);

/// How many times longer a move takes at the least with an increment of half the clock, and with a near control.
const LEAST_WITH_INCREMENT: f64 = 1.25;
const LEAST_NEAR_CONTROL: f64 = 1.5;

/// Times of moves with these words after `go`, in a few positions.
fn times(exam: &mut Examination, go: &str) -> Times {
    let positions = openings(exam.pick(POSITIONS.0, POSITIONS.1), 67);
    Times::measure(exam, &positions, go)
}

/// Is the increment used?
pub fn increment(exam: &mut Examination) -> Finding {
    let plain = times(exam, "go wtime 2000 btime 2000");
    let added = times(exam, "go wtime 2000 btime 2000 winc 1000 binc 1000");
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
    .samples(plain.searches().len() + added.searches().len())
    .repro(plain.beside(&added))
}

/// Is more time taken when the next control is near?
pub fn moves_to_go(exam: &mut Examination) -> Finding {
    let far = times(exam, "go wtime 2000 btime 2000 movestogo 40");
    let near = times(exam, "go wtime 2000 btime 2000 movestogo 3");
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
    .samples(far.searches().len() + near.searches().len())
    .repro(far.beside(&near))
}
