//! Legality over the whole examination: every answer and every line of every search.

use crate::doctor::finding::{Finding, Verdict, alarm_if};
use crate::doctor::patient::{Patient, Trouble};

/// Findings at the end of an examination.
pub fn findings(patient: &Patient) -> Vec<Finding> {
    let audit = patient.audit();
    if audit.answers == 0 {
        return Vec::new();
    }
    let answers = audit.answers as usize;
    let illegal = &audit.illegal_answers;
    let summary = if illegal.count == 0 {
        format!("{answers} best moves, all legal")
    } else {
        format!("{} of {answers} best moves are illegal: {}", illegal.count, illegal.example)
    };
    let best = Finding::new("legality", "answers", alarm_if(illegal.count > 0), summary)
        .effect("illegal best moves", illegal.count as f64, "")
        .confidence(0.999, format!("{answers} answers judged by the rules"))
        .threshold("any illegal move: it loses the game")
        .samples(answers)
        .repro(illegal.repro.clone());
    let lines = &audit.illegal_lines;
    let moves = audit.line_moves;
    let summary = if lines.count == 0 {
        format!("{moves} moves of principal variations, all legal")
    } else {
        format!("{} lines with an illegal move among {moves} moves: {}", lines.count, lines.example)
    };
    let line = Finding::new("legality", "lines", alarm_if(lines.count > 0), summary)
        .effect("lines with an illegal move", lines.count as f64, "")
        .confidence(0.999, format!("{moves} moves judged by the rules"))
        .threshold("any illegal move in a line")
        .samples(moves as usize)
        .repro(lines.repro.clone());
    let other = &audit.other_answers;
    let verdict = if other.count == 0 { Verdict::Sound } else { Verdict::Notice };
    let summary = if other.count == 0 {
        format!("the best move is the first of its line in all {answers} searches")
    } else {
        format!(
            "{} of {answers} answers are not the first move of the last line: {}",
            other.count, other.example
        )
    };
    let agree = Finding::new("legality", "agreement", verdict, summary)
        .effect("answers that are not the first of their line", other.count as f64, "")
        .confidence(0.95, format!("{answers} searches"))
        .threshold("a notice: the line shown is not the one played")
        .samples(answers)
        .repro(other.repro.clone());
    vec![best, line, agree, stability(patient)]
}

fn stability(patient: &Patient) -> Finding {
    let (breakdowns, searches) = (patient.breakdowns(), patient.searches() as usize);
    let first = patient.incidents().first();
    let summary = match first {
        None => format!("no crash and no hang in {searches} searches and {} processes", patient.starts()),
        Some(incident) => {
            let crashes = patient.incidents().iter().filter(|i| i.trouble == Trouble::Crash).count();
            format!(
                "{breakdowns} breakdowns in {searches} searches ({crashes} of the first {} were crashes): {}",
                patient.incidents().len(),
                incident.words
            )
        }
    };
    Finding::new("legality", "stability", alarm_if(breakdowns > 0), summary)
        .effect("crashes and hangs", breakdowns as f64, "")
        .confidence(0.999, format!("{searches} searches"))
        .threshold("any crash or hang")
        .samples(searches)
        .repro(first.map(|incident| incident.repro.clone()).unwrap_or_default())
}
