//! Every mating line of the whole examination: as long as announced, and ending in mate.

use crate::doctor::finding::{Finding, Verdict};
use crate::doctor::patient::Patient;

/// Findings at the end of an examination.
pub fn findings(patient: &Patient) -> Vec<Finding> {
    let audit = patient.audit();
    let mates = audit.mates;
    if mates == 0 {
        return Vec::new();
    }
    let share = audit.wrong_mates.count as f64 / mates as f64;
    // Some lines are put together from the table in sound engines.
    let found = if share > 0.05 { Verdict::Alarm } else { Verdict::Sound };
    let length = audit
        .wrong_mates
        .finding(
            "mating-lines",
            "length",
            found,
            format!("{mates} mating lines, none longer or shorter than announced"),
            &format!("of {mates} mating lines do not fit their distance"),
        )
        .effect("mating lines of the wrong length", 100.0 * share, "%")
        .confidence(0.98, format!("{mates} lines played through"))
        .threshold("more than 5 % of the lines")
        .samples(mates as usize);
    let whole = audit
        .short_mates
        .finding(
            "mating-lines",
            "whole",
            Verdict::Notice,
            format!("{mates} mating lines, all shown to the end"),
            &format!("of {mates} mating lines stop before the mate"),
        )
        .effect("mating lines cut off", audit.short_mates.count as f64, "")
        .confidence(0.98, format!("{mates} lines"))
        .threshold("a notice: hash cutoffs at principal variation nodes shorten lines in many sound engines")
        .samples(mates as usize);
    vec![length, whole]
}
