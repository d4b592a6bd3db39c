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
    let backwards = &audit.backwards;
    let verdict = if backwards.count == 0 { Verdict::Sound } else { Verdict::Notice };
    let summary = if backwards.count == 0 {
        format!("depth, nodes and time only grow, in {} searches", audit.answers)
    } else {
        format!("{} of {} searches: {}", backwards.count, audit.answers, backwards.example)
    };
    let order = Finding::new("info", "order", verdict, summary)
        .effect("searches in which something went backwards", backwards.count as f64, "")
        .confidence(0.99, format!("{} searches", audit.answers))
        .threshold("a notice: GUIs show nonsense then")
        .samples(audit.answers as usize)
        .repro(backwards.repro.clone());
    let silent = &audit.silent;
    let share = silent.count as f64 / audit.answers as f64;
    let summary = format!("{} of {} searches ended without a score", silent.count, audit.answers);
    let score = Finding::new("info", "score", alarm_if(share > 0.05), summary)
        .effect("searches without a score", 100.0 * share, "%")
        .confidence(0.99, format!("{} searches", audit.answers))
        .threshold("more than 5 %: match runners adjudicate by scores")
        .samples(audit.answers as usize)
        .repro(silent.repro.clone());
    vec![form, order, score]
}
