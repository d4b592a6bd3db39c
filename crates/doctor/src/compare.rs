//! What changed between two reports.

use std::collections::BTreeSet;

use serde::Serialize;
use support::text::counted;

use super::catalogue::{Measure, check_of};
use super::finding::{Finding, Verdict};
use super::report::Report;
use super::same_tree::{SameTree, same_tree};

/// A finding that differs between two reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Its id, or how many findings are summarized.
    pub finding: String,
    pub before: Option<Verdict>,
    pub after: Option<Verdict>,
    /// Before, after and unit; none where the depths differ.
    pub effect: Option<(f64, f64, String)>,
    /// Margins of error (95 %) of both, where both reports have them.
    pub errors: Option<(f64, f64)>,
    /// The summary of the newer report, else of the older one.
    pub summary: String,
}

/// What changed between two reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// New failures.
    pub worse: Vec<Change>,
    /// Fixed failures.
    pub better: Vec<Change>,
    /// Other verdicts that changed, and findings of only one report; those of checks that only one of them ran are one entry.
    pub other: Vec<Change>,
    /// The same verdict with a number that changed by more than 10 %, and by more than the margin of error of the difference.
    pub moved: Vec<Change>,
    /// Where both search the same tree.
    pub same_tree: Option<SameTree>,
}

pub fn compare(before: &Report, after: &Report) -> Comparison {
    let mut comparison = Comparison { same_tree: same_tree(before, after), ..Comparison::default() };
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
            (_, Some(Verdict::Fail)) => comparison.worse.push(change),
            (Some(_), None) if !ran(after, id) => one_sided.extend(old),
            (None, Some(_)) if !ran(before, id) => one_sided.extend(new),
            (Some(Verdict::Fail), Some(Verdict::Pass | Verdict::Warning)) => comparison.better.push(change),
            _ => comparison.other.push(change),
        }
    }
    comparison.other.extend(summarized(&one_sided));
    comparison
}

/// Whether the check of this finding was run for a report.
fn ran(report: &Report, finding: &str) -> bool {
    match check_of(finding) {
        Some(check) if check.is_passive() => {
            report.findings.iter().any(|finding| finding.check == check.name())
        }
        Some(check) => report.checks.iter().any(|run| run == check.name()),
        None => false,
    }
}

/// Findings of checks that the other run did not include.
fn summarized(findings: &[&Finding]) -> Option<Change> {
    if findings.is_empty() {
        return None;
    }
    let checks: BTreeSet<&str> = findings.iter().map(|finding| finding.check.as_str()).collect();
    let names: Vec<&str> = checks.into_iter().collect();
    let summary = format!("from checks that only one of the runs included: {}", names.join(", "));
    let finding = counted(findings.len(), "finding", "findings");
    Some(Change { finding, before: None, after: None, effect: None, errors: None, summary })
}

fn change(id: &str, old: Option<&Finding>, new: Option<&Finding>) -> Change {
    let number = |finding: Option<&Finding>| finding.and_then(|finding| finding.effect.clone());
    let measure = |finding: Option<&Finding>, name: Measure| {
        finding.and_then(|finding| finding.measures.get(&name).copied())
    };
    let comparable = measure(old, Measure::Depth) == measure(new, Measure::Depth);
    let effect = number(old).zip(number(new)).filter(|_| comparable);
    let effect = effect.map(|(old, new)| (old.value, new.value, new.unit));
    let error = |finding| measure(finding, Measure::MarginOfError);
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
    /// Above noise: times and game results are never the same twice.
    fn has_moved(&self) -> bool {
        let Some((old, new, _)) = &self.effect else { return false };
        let (step, tenth) = ((new - old).abs(), 0.1 * old.abs().max(new.abs()));
        let noise = self.errors.map_or(0.0, |(old, new)| old.hypot(new));
        step > tenth.max(noise).max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::FindingId;
    use super::super::check::Thoroughness;
    use super::super::diagnosis::diagnose;
    use super::super::report::SCHEMA;
    use super::super::subject::Subject;
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
            trees: Vec::new(),
            findings,
            incidents: Vec::new(),
        }
    }

    #[test]
    fn changes_are_classified() {
        let finding = |id: FindingId, verdict, value| Finding::new(id, verdict, "").effect(value);
        let before = report(vec![
            finding(FindingId::ClockShare, Verdict::Fail, 5.0),
            finding(FindingId::ClockFlag, Verdict::Pass, 0.0),
            finding(FindingId::ClockIncrement, Verdict::Pass, 2.0),
            finding(FindingId::ClockLowTime, Verdict::Pass, 1.0),
        ]);
        let after = report(vec![
            finding(FindingId::ClockShare, Verdict::Pass, 80.0),
            finding(FindingId::ClockFlag, Verdict::Fail, 3.0),
            finding(FindingId::ClockIncrement, Verdict::Pass, 3.0),
            finding(FindingId::ClockLowTime, Verdict::Pass, 1.0),
            finding(FindingId::ClockMovestogo, Verdict::Warning, 1.0),
        ]);
        let comparison = compare(&before, &after);
        let names = |list: &[Change]| list.iter().map(|change| change.finding.clone()).collect::<Vec<_>>();
        assert_eq!(names(&comparison.better), ["clock.share"]);
        assert_eq!(names(&comparison.worse), ["clock.flag"]);
        assert_eq!(names(&comparison.moved), ["clock.increment"]);
        assert_eq!(names(&comparison.other), ["clock.movestogo"]);
    }

    #[test]
    fn one_sided_findings_are_summarized() {
        let clock = || Finding::new(FindingId::ClockShare, Verdict::Pass, "");
        let mirror = |id, verdict| Finding::new(id, verdict, "");
        let passive = Finding::new(FindingId::LegalityLines, Verdict::Pass, "");
        let whole = vec![
            clock(),
            mirror(FindingId::MirrorNodes, Verdict::Pass),
            mirror(FindingId::MirrorSearch, Verdict::Fail),
            passive,
        ];
        let (whole, part) = (report(whole), report(vec![clock()]));
        let names = |list: &[Change]| list.iter().map(|change| change.finding.clone()).collect::<Vec<_>>();
        let fewer = compare(&whole, &part);
        assert_eq!(names(&fewer.other), ["3 findings"]);
        assert!(fewer.better.is_empty(), "not fixed, only not run");
        assert!(fewer.other[0].summary.ends_with("included: legality, mirror"), "{fewer:?}");
        let more = compare(&part, &whole);
        assert_eq!(names(&more.worse), ["mirror.search"], "a failure is never summarized");
        assert_eq!(names(&more.other), ["2 findings"]);
    }

    #[test]
    fn noise_is_not_a_change() {
        let finding = |value: f64, error: f64| {
            let finding = Finding::new(FindingId::ClockIncrement, Verdict::Pass, "").effect(value);
            report(vec![if error > 0.0 { finding.error(error) } else { finding }])
        };
        let moved = |old: (f64, f64), new: (f64, f64)| {
            let comparison = compare(&finding(old.0, old.1), &finding(new.0, new.1));
            !comparison.moved.is_empty()
        };
        assert!(!moved((13.1, 4.0), (17.7, 4.0)));
        assert!(moved((13.1, 1.0), (17.7, 1.0)));
        assert!(!moved((13.1, 0.01), (13.3, 0.01)), "less than 10 %");
        assert!(moved((13.1, 0.0), (17.7, 0.0)));
    }

    #[test]
    fn different_depths_are_not_compared() {
        let tree = |depth: f64, value: f64| {
            let finding = Finding::new(FindingId::GrowthSize, Verdict::Pass, "").effect(value);
            report(vec![finding.measure(Measure::Depth, depth)])
        };
        assert_eq!(compare(&tree(10.0, 0.1), &tree(10.0, 0.4)).moved.len(), 1);
        assert!(compare(&tree(10.0, 0.1), &tree(8.0, 0.4)).moved.is_empty());
    }

    #[test]
    fn json_round_trip() {
        let report = report(vec![Finding::new(FindingId::ClockShare, Verdict::Fail, "little").effect(1.5)]);
        let text = serde_json::to_string(&report).expect("written");
        let again: Report = serde_json::from_str(&text).expect("read");
        assert_eq!(report, again);
    }
}
