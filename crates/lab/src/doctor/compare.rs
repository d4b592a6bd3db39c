//! Two reports side by side: what a change did.

use serde::Serialize;

use super::finding::{Finding, Verdict};
use super::report::Report;

/// A finding that is not the same in two reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Its name.
    pub finding: String,
    /// What it was.
    pub before: Option<Verdict>,
    /// What it is.
    pub after: Option<Verdict>,
    /// The number that matters, before and after, with its unit.
    pub effect: Option<(f64, f64, String)>,
    /// What the newer report says; the older one's words where it says nothing.
    pub summary: String,
}

/// What changed between two reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// Alarms that are new.
    pub worse: Vec<Change>,
    /// Alarms that are gone.
    pub better: Vec<Change>,
    /// Other verdicts that changed, and findings of only one report.
    pub other: Vec<Change>,
    /// The same verdict with a number that moved by more than a tenth.
    pub moved: Vec<Change>,
}

/// Compares two reports.
pub fn compare(before: &Report, after: &Report) -> Comparison {
    let mut comparison = Comparison::default();
    let ids =
        before.findings.iter().chain(after.findings.iter().filter(|new| before.finding(&new.id).is_none()));
    for id in ids.map(|finding| finding.id.as_str()) {
        let (old, new) = (before.finding(id), after.finding(id));
        let change = change(id, old, new);
        match (old.map(|f| f.verdict), new.map(|f| f.verdict)) {
            (Some(old), Some(new)) if old == new => {
                if change.effect.as_ref().is_some_and(|(old, new, _)| moved(*old, *new)) {
                    comparison.moved.push(change);
                }
            }
            (_, Some(Verdict::Alarm)) => comparison.worse.push(change),
            (Some(Verdict::Alarm), Some(Verdict::Sound | Verdict::Notice)) => comparison.better.push(change),
            _ => comparison.other.push(change),
        }
    }
    comparison
}

fn change(id: &str, old: Option<&Finding>, new: Option<&Finding>) -> Change {
    let number = |finding: Option<&Finding>| finding.and_then(|finding| finding.effect.clone());
    let effect = number(old).zip(number(new)).map(|(old, new)| (old.value, new.value, new.unit));
    let summary = new.or(old).map(|finding| finding.summary.clone()).unwrap_or_default();
    Change {
        finding: id.to_owned(),
        before: old.map(|f| f.verdict),
        after: new.map(|f| f.verdict),
        effect,
        summary,
    }
}

fn moved(old: f64, new: f64) -> bool {
    (new - old).abs() > 0.1 * old.abs().max(new.abs()) && (new - old).abs() > 1e-9
}

#[cfg(test)]
mod tests {
    use super::super::check::Thoroughness;
    use super::super::diagnosis::diagnose;
    use super::super::patient::Subject;
    use super::super::report::SCHEMA;
    use super::*;

    fn report(findings: Vec<Finding>) -> Report {
        Report {
            schema: SCHEMA,
            doctor: "test".to_owned(),
            engine: "engine".to_owned(),
            subject: Subject { command: "engine".to_owned(), options: Vec::new() },
            thoroughness: Thoroughness::Quick,
            seconds: 1.0,
            load: Vec::new(),
            interrupted: false,
            searches: 0,
            starts: 1,
            checks: Vec::new(),
            check_seconds: Vec::new(),
            diagnosis: diagnose(&findings),
            findings,
            incidents: Vec::new(),
        }
    }

    #[test]
    fn changes_are_sorted_by_what_they_mean() {
        let finding =
            |what: &str, verdict, value| Finding::new("clock", what, verdict, what).effect("x", value, "%");
        let before = report(vec![
            finding("share", Verdict::Alarm, 5.0),
            finding("flag", Verdict::Sound, 0.0),
            finding("increment", Verdict::Sound, 2.0),
            finding("low-time", Verdict::Sound, 1.0),
        ]);
        let after = report(vec![
            finding("share", Verdict::Sound, 80.0),
            finding("flag", Verdict::Alarm, 3.0),
            finding("increment", Verdict::Sound, 3.0),
            finding("low-time", Verdict::Sound, 1.0),
            finding("movestogo", Verdict::Notice, 1.0),
        ]);
        let comparison = compare(&before, &after);
        let names = |list: &[Change]| list.iter().map(|change| change.finding.clone()).collect::<Vec<_>>();
        assert_eq!(names(&comparison.better), ["clock.share"]);
        assert_eq!(names(&comparison.worse), ["clock.flag"]);
        assert_eq!(names(&comparison.moved), ["clock.increment"]);
        assert_eq!(names(&comparison.other), ["clock.movestogo"]);
    }

    #[test]
    fn a_report_survives_being_written_and_read() {
        let report =
            report(vec![Finding::new("clock", "share", Verdict::Alarm, "little").effect("x", 1.5, "%")]);
        let text = serde_json::to_string(&report).expect("written");
        let again: Report = serde_json::from_str(&text).expect("read");
        assert_eq!(report, again);
    }
}
