//! Legality over the whole examination: every answer and every line of every search.

use crate::finding::{Finding, HANGS, Verdict, alarm_if};
use crate::line_audit::LineAudit;
use crate::patient::Patient;

/// Findings at the end of an examination.
pub fn findings(patient: &Patient) -> Vec<Finding> {
    let audit = patient.audit();
    if audit.answers == 0 {
        // One that never answers has at least broken down.
        return if patient.breakdowns() > 0 { vec![stability(patient)] } else { Vec::new() };
    }
    let (answers, moves) = (audit.answers as usize, audit.line_moves);
    let missing = audit
        .missing_answers
        .finding(
            "legality",
            "missing",
            Verdict::Alarm,
            format!("{answers} answers, each with a move"),
            &format!("of {answers} answers are without a move where there is one"),
        )
        .effect("answers without a move", audit.missing_answers.count as f64, "")
        .sure_by_hand(0.999, format!("{answers} answers judged by the rules"))
        .threshold("any: no move loses the game")
        .samples(answers);
    let line = audit
        .illegal_lines
        .finding(
            "legality",
            "lines",
            Verdict::Alarm,
            format!("{moves} moves of principal variations, all legal"),
            &format!("lines with an illegal move among {moves} moves"),
        )
        .effect("lines with an illegal move", audit.illegal_lines.count as f64, "")
        .sure_by_hand(0.999, format!("{moves} moves judged by the rules"))
        .threshold("any illegal move in a line")
        .samples(moves as usize);
    vec![best(audit), missing, line, agreement(audit), stability(patient)]
}

/// Only what has the form of a move is legal or not; the other answers have findings of their own.
fn best(audit: &LineAudit) -> Finding {
    let moves = audit.answers - audit.missing_answers.count - audit.unreadable_answers.count;
    if moves == 0 {
        return Finding::unmeasured("legality", "answers", "no answer was a move");
    }
    audit
        .illegal_answers
        .finding(
            "legality",
            "answers",
            Verdict::Alarm,
            format!("{moves} best moves, all legal"),
            &format!("of {moves} best moves are illegal"),
        )
        .effect("illegal best moves", audit.illegal_answers.count as f64, "")
        .sure_by_hand(0.999, format!("{moves} answers judged by the rules"))
        .threshold("any illegal move: it loses the game")
        .samples(moves as usize)
}

/// Answers that differ from their line, at the least, and as a share of one in so many, that are a fault. In sound engines, which
/// now and then change their mind after the last line, it is one in sixty at the most.
const LEAST_OTHER: u64 = 10;
const OTHER_SHARE: u64 = 10;

fn agreement(audit: &LineAudit) -> Finding {
    let compared = audit.compared_answers;
    if compared == 0 {
        let why = "no finished search told an exact line and then a legal move";
        return Finding::unmeasured("legality", "agreement", why);
    }
    let others = audit.other_answers.count;
    let is_fault = others >= LEAST_OTHER && others * OTHER_SHARE > compared;
    audit
        .other_answers
        .finding(
            "legality",
            "agreement",
            if is_fault { Verdict::Alarm } else { Verdict::Notice },
            format!("the best move is the first of its line in all {compared} finished searches with an exact line and a legal move"),
            &format!("of {compared} answers are not the first move of the last line"),
        )
        // A share: how many searches there were differs from examination to examination.
        .effect("answers that are not the first of their line", 100.0 * others as f64 / compared as f64, "%")
        .sure_by_hand(0.95, format!("{compared} searches"))
        .threshold("ten answers and more than 10 %: the line shown is not the one played; fewer are worth knowing")
        .samples(compared as usize)
}

fn stability(patient: &Patient) -> Finding {
    let (breakdowns, searches) = (patient.breakdowns(), patient.searches() as usize);
    let first = patient.incidents().first();
    let summary = match first {
        None => format!("no crash and no hang in {searches} searches and {} processes", patient.starts()),
        Some(incident) => {
            let kinds = match (breakdowns - patient.hangs(), patient.hangs()) {
                (crashes, 0) => format!("{crashes} crashes"),
                (0, hangs) => format!("{hangs} hangs"),
                (crashes, hangs) => format!("{crashes} crashes and {hangs} hangs"),
            };
            format!("{kinds} in {searches} searches: {}", incident.words)
        }
    };
    Finding::new("legality", "stability", alarm_if(breakdowns > 0), summary)
        .effect("crashes and hangs", breakdowns as f64, "")
        .sure_by_hand(0.999, format!("{searches} searches"))
        .threshold("any crash or hang")
        .samples(searches)
        .measure(HANGS, patient.hangs() as f64)
        .repro(first.map(|incident| incident.repro.clone()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line_audit::Faults;

    #[test]
    fn only_moves_are_judged_as_moves() {
        let faults = |count| Faults { count, ..Faults::default() };
        let mut audit = LineAudit { answers: 9, unreadable_answers: faults(5), ..LineAudit::default() };
        audit.missing_answers = faults(1);
        assert!(best(&audit).summary.starts_with("3 best moves"), "{}", best(&audit).summary);
        assert_eq!(agreement(&audit).verdict, Verdict::Unmeasured);
        audit.compared_answers = 2;
        assert!(agreement(&audit).summary.contains("in all 2 finished"), "{}", agreement(&audit).summary);
        (audit.compared_answers, audit.other_answers) = (1000, faults(20));
        assert_eq!(agreement(&audit).verdict, Verdict::Notice);
        let share = agreement(&audit).effect.expect("told");
        assert!((share.value - 2.0).abs() < 1e-9 && share.unit == "%", "{share:?}");
        audit.other_answers = faults(300);
        assert_eq!(agreement(&audit).verdict, Verdict::Alarm);
        audit.unreadable_answers = faults(8);
        assert_eq!(best(&audit).verdict, Verdict::Unmeasured);
    }
}
