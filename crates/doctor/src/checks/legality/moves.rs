//! Legality of every best move and PV of the run, and crashes and hangs.

use crate::catalogue::{FindingId, Measure};
use crate::engine_under_test::EngineUnderTest;
use crate::finding::{Finding, Verdict};
use crate::stream_audit::SearchAudit;

pub fn findings(engine: &EngineUnderTest) -> Vec<Finding> {
    let audit = engine.audit().searches();
    if audit.answers == 0 {
        return if engine.incident_count() > 0 { vec![stability(engine)] } else { Vec::new() };
    }
    let (answers, moves) = (audit.answers as usize, audit.pv_moves);
    let missing = audit
        .missing_answers
        .finding(
            FindingId::LegalityMissing,
            Verdict::Fail,
            format!("all {answers} searches ended with a best move"),
            &format!("of {answers} searches ended without a best move"),
        )
        .effect(audit.missing_answers.count as f64)
        .fixed_confidence(0.999, format!("{answers} searches"))
        .threshold("any search without a best move")
        .samples(answers);
    let pvs = audit
        .illegal_pvs
        .finding(
            FindingId::LegalityLines,
            Verdict::Fail,
            format!("all {moves} PV moves are legal"),
            &format!("PVs contain an illegal move ({moves} moves checked)"),
        )
        .effect(audit.illegal_pvs.count as f64)
        .fixed_confidence(0.999, format!("{moves} moves"))
        .threshold("any illegal PV move")
        .samples(moves as usize);
    vec![best(audit), missing, pvs, agreement(audit), stability(engine)]
}

/// Missing and malformed moves have findings of their own.
fn best(audit: &SearchAudit) -> Finding {
    let moves = audit.answers - audit.missing_answers.count - audit.malformed_answers.count;
    if moves == 0 {
        return Finding::skipped(FindingId::LegalityAnswers, "no best moves");
    }
    audit
        .illegal_answers
        .finding(
            FindingId::LegalityAnswers,
            Verdict::Fail,
            format!("all {moves} best moves are legal"),
            &format!("of {moves} best moves are illegal"),
        )
        .effect(audit.illegal_answers.count as f64)
        .fixed_confidence(0.999, format!("{moves} moves"))
        .threshold("any illegal best move")
        .samples(moves as usize)
}

/// Best moves that differ from the PV: minimum number, and minimum share (one in this many), of a failure. Sound engines,
/// which sometimes change the move after the last PV, have at most one in sixty.
const MIN_OTHER: u64 = 10;
const OTHER_SHARE: u64 = 10;

fn agreement(audit: &SearchAudit) -> Finding {
    let compared = audit.compared_answers;
    if compared == 0 {
        let why = "no finished search with an exact PV";
        return Finding::skipped(FindingId::LegalityAgreement, why);
    }
    let others = audit.other_answers.count;
    let is_fault = others >= MIN_OTHER && others * OTHER_SHARE > compared;
    audit
        .other_answers
        .finding(
            FindingId::LegalityAgreement,
            if is_fault { Verdict::Fail } else { Verdict::Warning },
            format!("bestmove is the first PV move in all {compared} finished searches"),
            &format!("of {compared} best moves are not the first move of the last PV"),
        )
        .effect(100.0 * others as f64 / compared as f64)
        .fixed_confidence(0.95, format!("{compared} searches"))
        .threshold(format!(
            "{MIN_OTHER} best moves and more than {} %; fewer are a warning",
            100 / OTHER_SHARE
        ))
        .samples(compared as usize)
}

fn stability(engine: &EngineUnderTest) -> Finding {
    let process = engine.process();
    let (count, hangs, searches) = (process.incident_count(), process.hangs(), process.searches as usize);
    let first = process.incidents().first();
    let summary = match first {
        None => format!("no crashes or hangs in {searches} searches and {} processes", process.starts()),
        Some(incident) => {
            let kinds = match (count - hangs, hangs) {
                (crashes, 0) => format!("{crashes} crashes"),
                (0, hangs) => format!("{hangs} hangs"),
                (crashes, hangs) => format!("{crashes} crashes and {hangs} hangs"),
            };
            format!("{kinds} in {searches} searches: {}", incident.message)
        }
    };
    Finding::new(FindingId::LegalityStability, Verdict::fail_if(count > 0), summary)
        .effect(count as f64)
        .fixed_confidence(0.999, format!("{searches} searches"))
        .threshold("any crash or hang")
        .samples(searches)
        .measure(Measure::Hangs, hangs as f64)
        .repro(first.map(|incident| incident.repro.clone()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream_audit::Faults;

    #[test]
    fn only_legal_notation_is_checked() {
        let faults = |count| Faults { count, ..Faults::default() };
        let mut audit = SearchAudit { answers: 9, malformed_answers: faults(5), ..SearchAudit::default() };
        audit.missing_answers = faults(1);
        assert!(best(&audit).summary.starts_with("all 3 best moves"), "{}", best(&audit).summary);
        assert_eq!(agreement(&audit).verdict, Verdict::Skipped);
        audit.compared_answers = 2;
        assert!(agreement(&audit).summary.contains("in all 2 finished"), "{}", agreement(&audit).summary);
        (audit.compared_answers, audit.other_answers) = (1000, faults(20));
        assert_eq!(agreement(&audit).verdict, Verdict::Warning);
        let share = agreement(&audit).effect.expect("has an effect");
        assert!((share.value - 2.0).abs() < 1e-9 && share.unit == "%", "{share:?}");
        audit.other_answers = faults(300);
        assert_eq!(agreement(&audit).verdict, Verdict::Fail);
        audit.malformed_answers = faults(8);
        assert_eq!(best(&audit).verdict, Verdict::Skipped);
    }
}
