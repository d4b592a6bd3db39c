//! Legality over the whole examination: every answer and every line of every search.

use crate::doctor::finding::{Finding, HANGS, Verdict, alarm_if};
use crate::doctor::patient::Patient;

/// Findings at the end of an examination.
pub fn findings(patient: &Patient) -> Vec<Finding> {
    let audit = patient.audit();
    if audit.answers == 0 {
        // One that never answers has at least broken down.
        return if patient.breakdowns() > 0 { vec![stability(patient)] } else { Vec::new() };
    }
    let (answers, moves) = (audit.answers as usize, audit.line_moves);
    let best = audit
        .illegal_answers
        .finding(
            "legality",
            "answers",
            Verdict::Alarm,
            format!("{answers} best moves, all legal"),
            &format!("of {answers} best moves are illegal"),
        )
        .effect("illegal best moves", audit.illegal_answers.count as f64, "")
        .sure_by_hand(0.999, format!("{answers} answers judged by the rules"))
        .threshold("any illegal move: it loses the game")
        .samples(answers);
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
    let agree = audit
        .other_answers
        .finding(
            "legality",
            "agreement",
            Verdict::Notice,
            format!("the best move is the first of its line in all {answers} searches"),
            &format!("of {answers} answers are not the first move of the last line"),
        )
        .effect("answers that are not the first of their line", audit.other_answers.count as f64, "")
        .sure_by_hand(0.95, format!("{answers} searches"))
        .threshold("a notice: the line shown is not the one played")
        .samples(answers);
    vec![best, missing, line, agree, stability(patient)]
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
