//! Every mating line of the whole examination: as long as announced, and ending in mate.

use crate::doctor::finding::{Finding, Verdict, alarm_if};
use crate::doctor::patient::Patient;

/// Findings at the end of an examination.
pub fn findings(patient: &Patient) -> Vec<Finding> {
    let audit = patient.audit();
    if audit.mates == 0 {
        return Vec::new();
    }
    let wrong = &audit.wrong_mates;
    let share = wrong.count as f64 / audit.mates as f64;
    let summary = if wrong.count == 0 {
        format!("{} mating lines, none longer or shorter than announced", audit.mates)
    } else {
        format!(
            "{} of {} mating lines do not fit their distance: {}",
            wrong.count, audit.mates, wrong.example
        )
    };
    let lines = Finding::new("mating-lines", "length", alarm_if(share > 0.05), summary)
        .effect("mating lines of the wrong length", 100.0 * share, "%")
        .confidence(0.98, format!("{} lines played through", audit.mates))
        .threshold("more than 5 % of the lines")
        .samples(audit.mates as usize)
        .repro(wrong.repro.clone());
    let short = &audit.short_mates;
    let verdict = if short.count == 0 { Verdict::Sound } else { Verdict::Notice };
    let summary = if short.count == 0 {
        format!("{} mating lines, all shown to the end", audit.mates)
    } else {
        format!("{} of {} mating lines stop before the mate: {}", short.count, audit.mates, short.example)
    };
    let whole = Finding::new("mating-lines", "whole", verdict, summary)
        .effect("mating lines cut off", short.count as f64, "")
        .confidence(0.98, format!("{} lines", audit.mates))
        .threshold("a notice: hash cutoffs at principal variation nodes shorten lines in many sound engines")
        .samples(audit.mates as usize)
        .repro(short.repro.clone());
    vec![lines, whole]
}
