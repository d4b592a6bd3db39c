//! Two reports side by side: what a change did.

use std::collections::BTreeSet;

use serde::Serialize;

use super::checks::is_by_the_way;
use super::finding::{DEPTH, ERROR, Finding, Verdict};
use super::names::check_of;
use super::report::Report;

/// A finding that is not the same in two reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Its name; of several that are told together, how many.
    pub finding: String,
    /// What it was.
    pub before: Option<Verdict>,
    /// What it is.
    pub after: Option<Verdict>,
    /// The number that matters, before and after, with its unit; none where the two are of different depths.
    pub effect: Option<(f64, f64, String)>,
    /// The errors of 95 % of both numbers, where both reports tell them.
    pub errors: Option<(f64, f64)>,
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
    /// Other verdicts that changed, and findings of only one report; those of checks that only one of them made are one entry.
    pub other: Vec<Change>,
    /// The same verdict with a number that moved: by more than a tenth, and by more than the error of the difference (the root of
    /// the sum of both squares) where there are errors.
    pub moved: Vec<Change>,
}

/// Compares two reports.
pub fn compare(before: &Report, after: &Report) -> Comparison {
    let mut comparison = Comparison::default();
    let mut one_sided: Vec<&Finding> = Vec::new();
    let ids =
        before.findings.iter().chain(after.findings.iter().filter(|new| before.finding(&new.id).is_none()));
    for id in ids.map(|finding| finding.id.as_str()) {
        let (old, new) = (before.finding(id), after.finding(id));
        let change = change(id, old, new);
        match (old.map(|f| f.verdict), new.map(|f| f.verdict)) {
            (Some(old), Some(new)) if old == new => {
                if change.has_moved() {
                    comparison.moved.push(change);
                }
            }
            (_, Some(Verdict::Alarm)) => comparison.worse.push(change),
            (Some(_), None) if !makes(after, id) => one_sided.extend(old),
            (None, Some(_)) if !makes(before, id) => one_sided.extend(new),
            (Some(Verdict::Alarm), Some(Verdict::Sound | Verdict::Notice)) => comparison.better.push(change),
            _ => comparison.other.push(change),
        }
    }
    comparison.other.extend(told_together(&one_sided));
    comparison
}

/// Whether the check of this finding was made for a report.
fn makes(report: &Report, finding: &str) -> bool {
    let check = check_of(finding);
    if is_by_the_way(check) {
        return report.findings.iter().any(|finding| finding.check == check);
    }
    report.checks.iter().any(|made| made == check)
}

/// Findings that have nothing to be compared with, because the other examination did not look.
fn told_together(findings: &[&Finding]) -> Option<Change> {
    if findings.is_empty() {
        return None;
    }
    let checks: BTreeSet<&str> = findings.iter().map(|finding| finding.check.as_str()).collect();
    let names: Vec<&str> = checks.into_iter().collect();
    let summary = format!("of checks that only one of the examinations made: {}", names.join(", "));
    let finding = format!("{} finding{}", findings.len(), if findings.len() == 1 { "" } else { "s" });
    Some(Change { finding, before: None, after: None, effect: None, errors: None, summary })
}

fn change(id: &str, old: Option<&Finding>, new: Option<&Finding>) -> Change {
    let number = |finding: Option<&Finding>| finding.and_then(|finding| finding.effect.clone());
    let measure =
        |finding: Option<&Finding>, name| finding.and_then(|finding| finding.measures.get(name).copied());
    let comparable = measure(old, DEPTH) == measure(new, DEPTH);
    let effect = number(old).zip(number(new)).filter(|_| comparable);
    let effect = effect.map(|(old, new)| (old.value, new.value, new.unit));
    let error = |finding| measure(finding, ERROR);
    let summary = new.or(old).map(|finding| finding.summary.clone()).unwrap_or_default();
    Change {
        finding: id.to_owned(),
        before: old.map(|f| f.verdict),
        after: new.map(|f| f.verdict),
        effect,
        errors: error(old).zip(error(new)),
        summary,
    }
}

impl Change {
    /// Whether the number is another one. What is measured with a clock or by games is never twice the same.
    fn has_moved(&self) -> bool {
        let Some((old, new, _)) = &self.effect else { return false };
        let (step, tenth) = ((new - old).abs(), 0.1 * old.abs().max(new.abs()));
        let noise = self.errors.map_or(0.0, |(old, new)| old.hypot(new));
        step > tenth.max(noise).max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::Thoroughness;
    use super::super::diagnosis::diagnose;
    use super::super::patient::Subject;
    use super::super::report::SCHEMA;
    use super::*;

    fn report(findings: Vec<Finding>) -> Report {
        let checks: BTreeSet<String> = findings.iter().map(|finding| finding.check.clone()).collect();
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
            checks: checks.into_iter().collect(),
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
    fn what_only_one_examination_looked_at_is_told_in_one_line() {
        let clock = || Finding::new("clock", "share", Verdict::Sound, "");
        let mirror = |what: &str, verdict| Finding::new("mirror", what, verdict, "");
        let by_the_way = Finding::new("legality", "lines", Verdict::Sound, "");
        let whole =
            vec![clock(), mirror("nodes", Verdict::Sound), mirror("search", Verdict::Alarm), by_the_way];
        let (whole, part) = (report(whole), report(vec![clock()]));
        let names = |list: &[Change]| list.iter().map(|change| change.finding.clone()).collect::<Vec<_>>();
        let fewer = compare(&whole, &part);
        assert_eq!(names(&fewer.other), ["3 findings"]);
        assert!(fewer.better.is_empty(), "an alarm is not gone because nobody looked");
        assert!(fewer.other[0].summary.ends_with("made: legality, mirror"), "{fewer:?}");
        let more = compare(&part, &whole);
        assert_eq!(names(&more.worse), ["mirror.search"], "an alarm is never left out");
        assert_eq!(names(&more.other), ["2 findings"]);
    }

    #[test]
    fn noise_is_not_told_as_a_change() {
        let finding = |value: f64, error: f64| {
            let finding =
                Finding::new("clock", "increment", Verdict::Sound, "").effect("ratio", value, "times");
            report(vec![if error > 0.0 { finding.error(error) } else { finding }])
        };
        let moved = |old: (f64, f64), new: (f64, f64)| {
            let comparison = compare(&finding(old.0, old.1), &finding(new.0, new.1));
            !comparison.moved.is_empty()
        };
        assert!(!moved((13.1, 4.0), (17.7, 4.0)));
        assert!(moved((13.1, 1.0), (17.7, 1.0)));
        assert!(!moved((13.1, 0.01), (13.3, 0.01)), "less than a tenth");
        assert!(moved((13.1, 0.0), (17.7, 0.0)));
    }

    #[test]
    fn trees_of_different_depths_are_not_compared() {
        let tree = |depth: f64, value: f64| {
            let finding = Finding::new("growth", "size", Verdict::Sound, "").effect("nodes", value, "times");
            report(vec![finding.measure(DEPTH, depth)])
        };
        assert_eq!(compare(&tree(10.0, 0.1), &tree(10.0, 0.4)).moved.len(), 1);
        assert!(compare(&tree(10.0, 0.1), &tree(8.0, 0.4)).moved.is_empty());
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
