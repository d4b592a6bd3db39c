//! Single moves with and without increment, and with movestogo 3 and 40.

use super::times::{Ratio, TOO_QUICK, Times};
use crate::catalogue::FindingId;
use crate::check::Examination;
use crate::finding::{Finding, Verdict};
use crate::samples::openings;

/// In a quick and in a full run.
const POSITIONS: (usize, usize) = (3, 6);

/// How many times longer a move must take with an increment of half the clock, and with movestogo 3.
const MIN_WITH_INCREMENT: f64 = 1.25;
const MIN_NEAR_CONTROL: f64 = 1.5;

/// Positions that are added where a quick run does not decide.
const FURTHER: usize = 4;

fn times(exam: &mut Examination, go: &str) -> Times {
    let positions = openings(exam.pick(POSITIONS.0, POSITIONS.1), 67);
    Times::measure(exam, &positions, go)
}

pub fn increment(exam: &mut Examination) -> Finding {
    let [without, with] = ["go wtime 2000 btime 2000", "go wtime 2000 btime 2000 winc 1000 binc 1000"];
    let (mut plain, mut added) = (times(exam, without), times(exam, with));
    let mut ratio = Ratio::of(&added, &plain, MIN_WITH_INCREMENT);
    if ratio.as_ref().is_some_and(|ratio| !ratio.is_above && !ratio.confidence.is_significant()) {
        let further = openings(FURTHER, 71);
        plain.extend(Times::measure(exam, &further, without));
        added.extend(Times::measure(exam, &further, with));
        ratio = Ratio::of(&added, &plain, MIN_WITH_INCREMENT);
    }
    let Some(ratio) = ratio else {
        return Finding::skipped(FindingId::ClockIncrement, TOO_QUICK);
    };
    let fails = !ratio.is_above;
    Finding::new(
        FindingId::ClockIncrement,
        Verdict::fail_if(fails),
        format!(
            "{:.0} ms per move with 2 s left, {:.0} ms with an increment of 1 s ({:.1} times)",
            plain.millis(),
            added.millis(),
            ratio.value
        ),
    )
    .effect(ratio.value)
    .error(ratio.error)
    .confidence(ratio.confidence)
    .at_most(exam.timing_confidence())
    .threshold(format!("less than {MIN_WITH_INCREMENT} times with an increment of half the clock"))
    .samples(plain.searches().len() + added.searches().len())
    .repro(plain.beside(&added))
}

pub fn moves_to_go(exam: &mut Examination) -> Finding {
    let far = times(exam, "go wtime 2000 btime 2000 movestogo 40");
    let near = times(exam, "go wtime 2000 btime 2000 movestogo 3");
    let Some(ratio) = Ratio::of(&near, &far, MIN_NEAR_CONTROL) else {
        return Finding::skipped(FindingId::ClockMovestogo, TOO_QUICK);
    };
    let verdict = Verdict::warn_if(!ratio.is_above);
    Finding::new(
        FindingId::ClockMovestogo,
        verdict,
        format!(
            "2 s and movestogo 40: {:.0} ms per move; movestogo 3: {:.0} ms ({:.1} times)",
            far.millis(),
            near.millis(),
            ratio.value
        ),
    )
    .effect(ratio.value)
    .error(ratio.error)
    .confidence(ratio.confidence)
    .at_most(exam.timing_confidence())
    .threshold(format!("less than {MIN_NEAR_CONTROL} times is a warning: movestogo is not used"))
    .samples(far.searches().len() + near.searches().len())
    .repro(far.beside(&near))
}
