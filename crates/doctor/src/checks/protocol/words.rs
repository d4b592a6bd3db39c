//! What the whole examination heard by the way: the form of info lines and of answers, whether depth, nodes and time only grow, and
//! whether bounds are kept.

use crate::finding::{Finding, Verdict, alarm_if};
use crate::line_audit::LineAudit;
use crate::patient::Patient;
use crate::sureness::{Rates, Sureness};

/// Findings at the end of an examination.
pub fn findings(patient: &Patient) -> Vec<Finding> {
    let audit = patient.audit();
    if audit.answers == 0 {
        return Vec::new();
    }
    let lines = patient.talk().info_lines();
    let oddities = patient.talk().oddities();
    let odd = patient.talk().odd_lines();
    let summary = match oddities.first() {
        None => format!("{lines} info lines, all well-formed"),
        Some((kind, first)) => {
            format!("{odd} of {lines} info lines are malformed: {kind}: '{}'", first.example)
        }
    };
    let shown = oddities.first().map(|(_, first)| first.repro.clone());
    let form = Finding::new("info", "form", alarm_if(odd > 0), summary)
        .effect("malformed lines", odd as f64, "")
        .sure_by_hand(0.99, format!("{lines} lines read"))
        .threshold("any malformed line")
        .samples(lines as usize)
        .repro(shown.unwrap_or_default());
    let answers = audit.answers;
    let order = audit
        .backwards
        .finding(
            "info",
            "order",
            Verdict::Notice,
            format!("depth, nodes and time only grow, in {answers} searches"),
            &format!("of {answers} searches go wrong"),
        )
        .effect("searches in which something went backwards", audit.backwards.count as f64, "")
        .sure_by_hand(0.99, format!("{answers} searches"))
        .threshold("a notice: GUIs show nonsense then")
        .samples(answers as usize);
    let share = audit.silent.count as f64 / answers as f64;
    let found = if share > 0.05 && audit.silent.count > 1 { Verdict::Alarm } else { Verdict::Sound };
    let score = audit
        .silent
        .finding(
            "info",
            "score",
            found,
            format!("all {answers} searches ended with a score"),
            &format!("of {answers} searches ended without a score"),
        )
        .effect("searches without a score", 100.0 * share, "%")
        .sure(Sureness::of_failures(
            audit.silent.count as usize,
            answers as usize,
            Rates { sound: 0.01, faulty: 0.15 },
            found == Verdict::Alarm,
        ))
        .threshold("two, and more than 5 %: match runners adjudicate by scores")
        .samples(answers as usize);
    vec![form, answer(audit), order, score, bounds(audit)]
}

/// Has what follows `bestmove` the form of a move? That it is legal is asked elsewhere.
fn answer(audit: &LineAudit) -> Finding {
    let answers = audit.answers;
    audit
        .unreadable_answers
        .finding(
            "info",
            "bestmove",
            Verdict::Alarm,
            format!("{answers} answers, each in the form of a move or of none"),
            &format!("of {answers} answers do not have the form of a move"),
        )
        .effect("answers that are no moves", audit.unreadable_answers.count as f64, "")
        .sure_by_hand(0.999, format!("{answers} answers read"))
        .threshold("any: moves are written by their squares, such as e2e4, e1g1, e7e8q")
        .samples(answers as usize)
}

/// Bounds (fail-high and fail-low) against the exact scores that came after them. An unstable search breaks some; one that
/// takes the one kind for the other breaks most.
fn bounds(audit: &LineAudit) -> Finding {
    /// Bounds below which nothing is said.
    const FEWEST: u64 = 20;
    let (told, broken) = (audit.bounds, audit.broken_bounds.count);
    if told < FEWEST {
        let why = format!("only {told} bounds were told that an exact score of the same depth followed");
        return Finding::unmeasured("info", "bounds", why);
    }
    let share = broken as f64 / told as f64;
    let verdict = if share > 0.5 { Verdict::Alarm } else { Verdict::Sound };
    let complaint = format!("of {told} bounds are broken by the exact score of the same depth");
    let all_well =
        format!("{told} bounds (lowerbound and upperbound), none broken by the exact score after them");
    audit
        .broken_bounds
        .finding("info", "bounds", verdict, all_well, &complaint)
        .effect("bounds broken", 100.0 * share, "%")
        .sure(Sureness::of_failures(
            broken as usize,
            told as usize,
            Rates { sound: 0.25, faulty: 0.75 },
            verdict == Verdict::Alarm,
        ))
        .threshold("more than half: lowerbound and upperbound are mixed up")
        .samples(told as usize)
}
