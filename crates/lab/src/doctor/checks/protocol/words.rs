//! What the whole examination heard by the way: the form of info lines, and whether depth, nodes and time only grow.

use crate::doctor::finding::{Finding, Verdict, alarm_if};
use crate::doctor::patient::Patient;

/// Findings at the end of an examination.
pub fn findings(patient: &Patient) -> Vec<Finding> {
    let audit = patient.audit();
    if audit.answers == 0 {
        return Vec::new();
    }
    let lines = patient.talk().info_lines();
    let oddities = patient.talk().oddities();
    let odd: u64 = oddities.iter().map(|(_, count, _)| count).sum();
    let summary = match oddities.first() {
        None => format!("{lines} info lines, all well-formed"),
        Some((kind, _, example)) => format!("{odd} of {lines} info lines are malformed: {kind}: '{example}'"),
    };
    let form = Finding::new("info", "form", alarm_if(odd > 0), summary)
        .effect("malformed lines", odd as f64, "")
        .confidence(0.99, format!("{lines} lines read"))
        .threshold("any malformed line")
        .samples(lines as usize);
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
        .confidence(0.99, format!("{answers} searches"))
        .threshold("a notice: GUIs show nonsense then")
        .samples(answers as usize);
    let share = audit.silent.count as f64 / answers as f64;
    let found = if share > 0.05 { Verdict::Alarm } else { Verdict::Sound };
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
        .confidence(0.99, format!("{answers} searches"))
        .threshold("more than 5 %: match runners adjudicate by scores")
        .samples(answers as usize);
    vec![form, order, score]
}
