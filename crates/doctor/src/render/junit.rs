//! The report as JUnit XML, which CI services show as test results: a suite for each check, a test for each finding.

use maud::{Markup, PreEscaped, html};

use crate::catalogue::CheckId;
use crate::finding::{Finding, Verdict};
use crate::render::checks;
use crate::report::Report;
use support::text::printable;

pub fn junit(report: &Report) -> String {
    // maud closes every element that is not one of HTML's void elements, so this is XML.
    let count = |verdict| report.with_verdict(verdict).count();
    let document = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        testsuites name={ "doctor: " (shown(&report.engine)) } tests=(report.findings.len())
            failures=(count(Verdict::Fail)) skipped=(count(Verdict::Skipped)) time=(seconds(report.seconds)) {
            @for check in checks(report) { (suite(report, check)) }
        }
    };
    document.into_string()
}

fn suite(report: &Report, check: &str) -> Markup {
    let findings = || report.findings.iter().filter(|finding| finding.check == check);
    let count = |verdict| findings().filter(|finding| finding.verdict == verdict).count();
    let time = report.checks.iter().position(|run| run == check).and_then(|at| report.check_seconds.get(at));
    html! {
        testsuite name=(shown(check)) tests=(findings().count()) failures=(count(Verdict::Fail))
            skipped=(count(Verdict::Skipped)) time=(seconds(time.copied().unwrap_or_default())) {
            @for finding in findings() { (case(finding)) }
        }
    }
}

fn case(finding: &Finding) -> Markup {
    let title = finding.known().map_or(finding.id.as_str(), |id| id.spec().title);
    let page = CheckId::parse(&finding.check).map(CheckId::path).unwrap_or_default();
    html! {
        testcase name={ (shown(&finding.id)) ": " (title) } classname={ "doctor." (shown(&finding.check)) } {
            @match finding.verdict {
                Verdict::Fail => {
                    failure message=(shown(&finding.summary)) {
                        "Confidence " (finding.confidence.percent()) " (" (finding.confidence.basis) "). Fails if: "
                        (shown(&finding.threshold)) ". See " (page) ".\n"
                        (shown(&finding.repro.join("\n")))
                    }
                }
                Verdict::Skipped => skipped message=(shown(&finding.summary)) {},
                Verdict::Warning => system-out { "warning: " (shown(&finding.summary)) },
                Verdict::Pass => system-out { (shown(&finding.summary)) },
            }
        }
    }
}

/// XML allows no control characters, not even escaped ones.
fn shown(text: &str) -> String {
    printable(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

fn seconds(time: f64) -> String {
    format!("{time:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::tests::report;

    #[test]
    fn findings_are_tests() {
        let text = junit(&report("A \"quoted\" <engine>\u{1}", vec!["go depth 3".to_owned()]));
        assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"doctor: A &quot;quoted&quot; &lt;engine&gt;\u{fffd}\""), "{text}");
        assert!(text.contains(" tests=\"3\" failures=\"1\" skipped=\"1\" "), "{text}");
        assert!(
            text.contains("<failure message=\"scored [1]\">") && text.contains("\ngo depth 3</failure>"),
            "{text}"
        );
        assert!(text.contains("<skipped message=\"no option\"></skipped>"), "{text}");
        for element in ["testsuites", "testsuite", "testcase", "failure", "system-out"] {
            let opened =
                text.matches(&format!("<{element} ")).count() + text.matches(&format!("<{element}>")).count();
            assert_eq!(opened, text.matches(&format!("</{element}>")).count(), "{element} in {text}");
        }
    }
}
