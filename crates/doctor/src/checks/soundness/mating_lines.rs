//! Every mating line of the whole examination: as long as announced, in moves, and ending in mate.

use crate::finding::{Finding, Verdict};
use crate::line_audit::LineAudit;
use crate::patient::Patient;
use crate::sureness::{Rates, Sureness};

/// Findings at the end of an examination.
pub fn findings(patient: &Patient) -> Vec<Finding> {
    judge(patient.audit())
}

fn judge(audit: &LineAudit) -> Vec<Finding> {
    if audit.mates == 0 {
        return Vec::new();
    }
    let unit = unit(audit);
    let length = if unit.is_alarm() {
        Finding::unmeasured("mating-lines", "length", "distances are told in half moves")
    } else {
        length(audit)
    };
    vec![length, unit, mate(audit), whole(audit)]
}

/// So many odd lines are worth knowing, however many there are.
const NOTICED: u64 = 3;

/// Do the lines end in mate? One that ends in a check which can be answered was called a mate by a search that did not look at
/// all answers.
fn mate(audit: &LineAudit) -> Finding {
    let (mates, wrong) = (audit.mates, audit.false_mates.count);
    let share = wrong as f64 / mates as f64;
    let rates = Rates { sound: 0.002, faulty: 0.05 };
    let sureness = |alarm| Sureness::of_failures(wrong as usize, mates as usize, rates, alarm);
    let found = match wrong >= NOTICED {
        true if share > 0.01 && sureness(true).level > 0.99 => Verdict::Alarm,
        true => Verdict::Notice,
        false => Verdict::Sound,
    };
    audit
        .false_mates
        .finding(
            "mating-lines",
            "mate",
            found,
            format!("{mates} mating lines, none ends in a check that can be answered"),
            &format!("of {mates} mating lines end in a check that can be answered"),
        )
        .effect("mating lines that do not mate", 100.0 * share, "%")
        .sure(sureness(found == Verdict::Alarm))
        .threshold("three, more than 1 % of the lines, and more than chance gives an engine with 0.2 %")
        .samples(mates as usize)
}

fn length(audit: &LineAudit) -> Finding {
    let (mates, wrong) = (audit.mates, audit.wrong_mates.count);
    let share = wrong as f64 / mates as f64;
    // Some lines are put together from the table in sound engines.
    let rates = Rates { sound: 0.02, faulty: 0.15 };
    let sureness = |alarm| Sureness::of_failures(wrong as usize, mates as usize, rates, alarm);
    // One of a few lines says nothing; in sound engines there were none among many thousands.
    let found = match share > 0.05 {
        true if sureness(true).level > 0.99 => Verdict::Alarm,
        true => Verdict::Notice,
        false if wrong >= NOTICED => Verdict::Notice,
        false => Verdict::Sound,
    };
    audit
        .wrong_mates
        .finding(
            "mating-lines",
            "length",
            found,
            format!("{mates} mating lines, none longer or shorter than announced"),
            &format!("of {mates} mating lines do not fit their distance"),
        )
        .effect("mating lines of the wrong length", 100.0 * share, "%")
        .sure(sureness(found == Verdict::Alarm))
        .threshold(
            "more than 5 % of the lines, and more than chance gives an engine with 2 %; three are a notice",
        )
        .samples(mates as usize)
}

/// Moves or half moves? A line that ends in mate tells it, unless it is a single move.
fn unit(audit: &LineAudit) -> Finding {
    /// Lines below which nothing is said.
    const FEWEST: u64 = 5;
    let (lines, in_plies) = (audit.long_mates, audit.ply_mates.count);
    if lines < FEWEST {
        let why = format!("only {lines} lines of more than a half move end in mate");
        return Finding::unmeasured("mating-lines", "unit", why);
    }
    let share = in_plies as f64 / lines as f64;
    let found = if share > 0.8 { Verdict::Alarm } else { Verdict::Sound };
    let rates = Rates { sound: 0.02, faulty: 0.9 };
    audit
        .ply_mates
        .finding(
            "mating-lines",
            "unit",
            found,
            format!("{lines} lines to mate, none with as many half moves as the distance told"),
            &format!("of {lines} lines to mate have as many half moves as the distance told"),
        )
        .effect("distances told in half moves", 100.0 * share, "%")
        .sure(Sureness::of_failures(in_plies as usize, lines as usize, rates, found == Verdict::Alarm))
        .threshold("more than 80 %: UCI counts moves")
        .samples(lines as usize)
}

fn whole(audit: &LineAudit) -> Finding {
    let mates = audit.mates;
    audit
        .short_mates
        .finding(
            "mating-lines",
            "whole",
            Verdict::Notice,
            format!("{mates} mating lines, all shown to the end"),
            &format!("of {mates} mating lines stop before the mate"),
        )
        .effect("mating lines cut off", 100.0 * audit.short_mates.count as f64 / mates as f64, "%")
        .sure_by_hand(0.98, format!("{mates} lines"))
        .threshold("a notice: hash cutoffs at principal variation nodes shorten lines in many sound engines")
        .samples(mates as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line_audit::Faults;

    fn verdict(audit: &LineAudit, what: &str) -> Verdict {
        let id = format!("mating-lines.{what}");
        judge(audit).into_iter().find(|finding| finding.id == id).expect("made").verdict
    }

    #[test]
    fn lines_that_end_in_a_mere_check_are_no_mates() {
        let said = |wrong| {
            let false_mates = Faults { count: wrong, ..Faults::default() };
            verdict(&LineAudit { mates: 800, false_mates, ..LineAudit::default() }, "mate")
        };
        assert_eq!(
            [0, 2, 3, 14].map(said),
            [Verdict::Sound, Verdict::Sound, Verdict::Notice, Verdict::Alarm]
        );
    }

    #[test]
    fn distances_in_half_moves_are_told_as_that_and_not_as_wrong_lengths() {
        let faults = |count| Faults { count, ..Faults::default() };
        let mut audit = LineAudit { mates: 40, long_mates: 30, ..LineAudit::default() };
        (audit.wrong_mates, audit.ply_mates) = (faults(30), faults(30));
        assert_eq!(
            [verdict(&audit, "unit"), verdict(&audit, "length")],
            [Verdict::Alarm, Verdict::Unmeasured]
        );
        let few = LineAudit { mates: 15, wrong_mates: faults(1), ..LineAudit::default() };
        assert_eq!(verdict(&few, "length"), Verdict::Notice, "one of a few");
        let many = |wrong| LineAudit { mates: 800, wrong_mates: faults(wrong), ..LineAudit::default() };
        assert_eq!([2, 3].map(|wrong| verdict(&many(wrong), "length")), [Verdict::Sound, Verdict::Notice]);
        audit.ply_mates = faults(2);
        assert_eq!([verdict(&audit, "unit"), verdict(&audit, "length")], [Verdict::Sound, Verdict::Alarm]);
    }
}
