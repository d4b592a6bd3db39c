//! The PV of every mate score of the run: right length, in moves, ending in checkmate.

use crate::catalogue::FindingId;
use crate::confidence::{Confidence, TrialRates};
use crate::engine_under_test::EngineUnderTest;
use crate::failures::too_few;
use crate::finding::{Finding, Verdict};
use crate::stream_audit::SearchAudit;

pub fn findings(engine: &EngineUnderTest) -> Vec<Finding> {
    evaluate(engine.audit().searches())
}

fn evaluate(audit: &SearchAudit) -> Vec<Finding> {
    if audit.mates == 0 {
        return Vec::new();
    }
    let unit = unit(audit);
    let length = if unit.is_failure() {
        Finding::skipped(FindingId::MatingLinesLength, "distances are in plies")
    } else {
        length(audit)
    };
    vec![length, unit, mate(audit), whole(audit)]
}

/// This many are a warning, whatever their share.
const WARN_FROM: u64 = 3;

/// A PV that ends in a check with legal evasions comes from a search that does not search all evasions.
fn mate(audit: &SearchAudit) -> Finding {
    let (mates, wrong) = (audit.mates, audit.false_mates.count);
    let share = wrong as f64 / mates as f64;
    let rates = TrialRates { sound: 0.002, faulty: 0.05 };
    let confidence = |fails| Confidence::of_failures(wrong as usize, mates as usize, rates, fails);
    let found = match wrong >= WARN_FROM {
        true if share > 0.01 && confidence(true).level > 0.99 => Verdict::Fail,
        true => Verdict::Warning,
        false => Verdict::Pass,
    };
    audit
        .false_mates
        .finding(
            FindingId::MatingLinesMate,
            found,
            format!("none of {mates} mate PVs ends in a check with legal evasions"),
            &format!("of {mates} mate PVs end in a check with legal evasions"),
        )
        .effect(100.0 * share)
        .confidence(confidence(found == Verdict::Fail))
        .threshold(format!("{WARN_FROM} PVs, more than 1 %, and p < 0.01 against a rate of 0.2 %"))
        .samples(mates as usize)
}

fn length(audit: &SearchAudit) -> Finding {
    let (mates, wrong) = (audit.mates, audit.wrong_mates.count);
    let share = wrong as f64 / mates as f64;
    // Some sound engines take PV moves from the hash.
    let rates = TrialRates { sound: 0.02, faulty: 0.15 };
    let confidence = |fails| Confidence::of_failures(wrong as usize, mates as usize, rates, fails);
    let found = match share > 0.05 {
        true if confidence(true).level > 0.99 => Verdict::Fail,
        true => Verdict::Warning,
        false if wrong >= WARN_FROM => Verdict::Warning,
        false => Verdict::Pass,
    };
    audit
        .wrong_mates
        .finding(
            FindingId::MatingLinesLength,
            found,
            format!("all {mates} mate PVs match their distance"),
            &format!("of {mates} mate PVs do not match their distance"),
        )
        .effect(100.0 * share)
        .confidence(confidence(found == Verdict::Fail))
        .threshold(format!("more than 5 % and p < 0.01 against a rate of 2 %; {WARN_FROM} PVs are a warning"))
        .samples(mates as usize)
}

/// A PV of more than one ply that ends in mate shows the unit of the distance.
fn unit(audit: &SearchAudit) -> Finding {
    const MIN_PVS: u64 = 5;
    let (pvs, in_plies) = (audit.long_mates, audit.ply_mates.count);
    if pvs < MIN_PVS {
        let why = too_few(pvs as usize, "mate PV", "mate PVs") + " of more than one ply";
        return Finding::skipped(FindingId::MatingLinesUnit, why);
    }
    let share = in_plies as f64 / pvs as f64;
    let found = if share > 0.8 { Verdict::Fail } else { Verdict::Pass };
    let rates = TrialRates { sound: 0.02, faulty: 0.9 };
    audit
        .ply_mates
        .finding(
            FindingId::MatingLinesUnit,
            found,
            format!("mate distances are in moves in all {pvs} PVs"),
            &format!("of {pvs} mate PVs have as many plies as the reported distance"),
        )
        .effect(100.0 * share)
        .confidence(Confidence::of_failures(in_plies as usize, pvs as usize, rates, found == Verdict::Fail))
        .threshold("more than 80 %")
        .samples(pvs as usize)
}

fn whole(audit: &SearchAudit) -> Finding {
    let mates = audit.mates;
    audit
        .short_mates
        .finding(
            FindingId::MatingLinesComplete,
            Verdict::Warning,
            format!("all {mates} mate PVs are complete"),
            &format!("of {mates} mate PVs end before the mate"),
        )
        .effect(100.0 * audit.short_mates.count as f64 / mates as f64)
        .fixed_confidence(0.98, format!("{mates} PVs"))
        .threshold("any is a warning: hash cutoffs at PV nodes truncate PVs in many sound engines")
        .samples(mates as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream_audit::Faults;

    fn verdict(audit: &SearchAudit, what: &str) -> Verdict {
        let id = format!("mating-lines.{what}");
        evaluate(audit).into_iter().find(|finding| finding.id == id).expect("made").verdict
    }

    #[test]
    fn check_with_evasions_is_not_mate() {
        let said = |wrong| {
            let false_mates = Faults { count: wrong, ..Faults::default() };
            verdict(&SearchAudit { mates: 800, false_mates, ..SearchAudit::default() }, "mate")
        };
        assert_eq!([0, 2, 3, 14].map(said), [Verdict::Pass, Verdict::Pass, Verdict::Warning, Verdict::Fail]);
    }

    #[test]
    fn distances_in_plies_are_not_wrong_lengths() {
        let faults = |count| Faults { count, ..Faults::default() };
        let mut audit = SearchAudit { mates: 40, long_mates: 30, ..SearchAudit::default() };
        (audit.wrong_mates, audit.ply_mates) = (faults(30), faults(30));
        assert_eq!([verdict(&audit, "unit"), verdict(&audit, "length")], [Verdict::Fail, Verdict::Skipped]);
        let few = SearchAudit { mates: 15, wrong_mates: faults(1), ..SearchAudit::default() };
        assert_eq!(verdict(&few, "length"), Verdict::Warning, "one of few");
        let many = |wrong| SearchAudit { mates: 800, wrong_mates: faults(wrong), ..SearchAudit::default() };
        assert_eq!([2, 3].map(|wrong| verdict(&many(wrong), "length")), [Verdict::Pass, Verdict::Warning]);
        audit.ply_mates = faults(2);
        assert_eq!([verdict(&audit, "unit"), verdict(&audit, "length")], [Verdict::Pass, Verdict::Fail]);
    }
}
