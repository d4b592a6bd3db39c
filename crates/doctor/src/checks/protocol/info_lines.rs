//! The info and bestmove lines of the whole run.

use crate::catalogue::FindingId;
use crate::confidence::{Confidence, TrialRates};
use crate::engine_under_test::EngineUnderTest;
use crate::failures::too_few;
use crate::finding::{Finding, Verdict};
use crate::stream_audit::{NewLines, SearchAudit};

pub fn findings(engine: &EngineUnderTest) -> Vec<Finding> {
    let stream = engine.audit();
    let audit = stream.searches();
    if audit.answers == 0 {
        return Vec::new();
    }
    let (lines, kinds, count) = (stream.info_lines(), stream.malformed(), stream.malformed_lines());
    let summary = match kinds.first() {
        None => format!("all {lines} info lines are well-formed"),
        Some((kind, first)) => {
            format!("{count} of {lines} info lines are malformed: {kind}: '{}'", first.example)
        }
    };
    let shown = kinds.first().map(|(_, first)| first.repro.clone());
    let form = Finding::new(FindingId::InfoForm, Verdict::fail_if(count > 0), summary)
        .effect(count as f64)
        .fixed_confidence(0.99, format!("{lines} lines"))
        .threshold("any malformed line")
        .samples(lines as usize)
        .repro(shown.unwrap_or_default());
    let answers = audit.answers;
    let order = audit
        .decreasing
        .finding(
            FindingId::InfoOrder,
            Verdict::Warning,
            format!("depth, nodes and time never decrease in {answers} searches"),
            &format!("of {answers} searches"),
        )
        .effect(audit.decreasing.count as f64)
        .fixed_confidence(0.99, format!("{answers} searches"))
        .threshold("any decrease is a warning")
        .samples(answers as usize);
    let share = audit.without_score.count as f64 / answers as f64;
    let found = if share > 0.05 && audit.without_score.count > 1 { Verdict::Fail } else { Verdict::Pass };
    let score = audit
        .without_score
        .finding(
            FindingId::InfoScore,
            found,
            format!("all {answers} searches reported a score"),
            &format!("of {answers} searches reported no score"),
        )
        .effect(100.0 * share)
        .confidence(Confidence::of_failures(
            audit.without_score.count as usize,
            answers as usize,
            TrialRates { sound: 0.01, faulty: 0.15 },
            found == Verdict::Fail,
        ))
        .threshold("2 searches and more than 5 %")
        .samples(answers as usize);
    vec![form, answer(audit), order, score, bounds(audit), new_lines(stream.new_lines())]
}

/// Notation only; legality is another finding.
fn answer(audit: &SearchAudit) -> Finding {
    let answers = audit.answers;
    audit
        .malformed_answers
        .finding(
            FindingId::InfoBestmove,
            Verdict::Fail,
            format!("all {answers} best moves are in UCI notation"),
            &format!("of {answers} best moves are not in UCI notation"),
        )
        .effect(audit.malformed_answers.count as f64)
        .fixed_confidence(0.999, format!("{answers} searches"))
        .threshold("any move that is not in UCI notation (e2e4, e1g1, e7e8q)")
        .samples(answers as usize)
}

/// An unstable search violates some bounds; one with lowerbound and upperbound swapped most of them.
fn bounds(audit: &SearchAudit) -> Finding {
    const MIN_BOUNDS: u64 = 20;
    let (count, broken) = (audit.bounds, audit.broken_bounds.count);
    if count < MIN_BOUNDS {
        let bounds = too_few(count as usize, "bound", "bounds");
        let why = format!("{bounds} with an exact score of the same depth");
        return Finding::skipped(FindingId::InfoBounds, why);
    }
    let share = broken as f64 / count as f64;
    let verdict = if share > 0.5 { Verdict::Fail } else { Verdict::Pass };
    let failed = format!("of {count} bounds are violated by the exact score of the same depth");
    let passed = format!("all {count} lowerbound and upperbound scores hold");
    audit
        .broken_bounds
        .finding(FindingId::InfoBounds, verdict, passed, &failed)
        .effect(100.0 * share)
        .confidence(Confidence::of_failures(
            broken as usize,
            count as usize,
            TrialRates { sound: 0.25, faulty: 0.75 },
            verdict == Verdict::Fail,
        ))
        .threshold("more than half of the bounds")
        .samples(count as usize)
}

/// New best moves whose PV has at most two moves: up to a fifth in sound engines, nearly all without the full-window search.
const NEW_LINES: TrialRates = TrialRates { sound: 0.25, faulty: 0.7 };

/// Moves that failed high in a zero window need another search.
fn new_lines(lines: &NewLines) -> Finding {
    const ID: FindingId = FindingId::InfoNewLines;
    const MIN_LINES: u64 = 8;
    let (count, short) = (lines.count, lines.short.count);
    if count < MIN_LINES {
        return Finding::skipped(
            ID,
            too_few(count as usize, "iteration", "iterations") + " with a new best move",
        );
    }
    let confidence = |fails| Confidence::of_failures(short as usize, count as usize, NEW_LINES, fails);
    let fails = confidence(true).level > 0.99;
    let passed = format!("all {count} new best moves have a PV of more than two moves");
    let failed = format!("of {count} new best moves have a PV of at most two moves");
    lines
        .short
        .finding(ID, Verdict::fail_if(fails), passed, &failed)
        .effect(100.0 * short as f64 / count as f64)
        .confidence(confidence(fails))
        .threshold(format!("p < 0.01 against a rate of {:.0} %", 100.0 * NEW_LINES.sound))
        .samples(count as usize)
}
