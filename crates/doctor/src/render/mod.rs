//! The report for people (text, HTML, Markdown) and for CI services (JUnit XML, SARIF).

mod html;
mod junit;
mod markdown;
mod sarif;
mod terminal;

pub use html::html;
pub use junit::junit;
pub use markdown::markdown;
pub use sarif::sarif;
pub use terminal::{comparison, details, list, repro, summary};

use support::text::counted;

use crate::finding::Verdict;
use crate::report::Report;

/// How many findings have which verdict, in words.
fn counts(report: &Report) -> String {
    let count = |verdict| report.with_verdict(verdict).count();
    format!(
        "{} failed, {}, {} passed, {} skipped",
        count(Verdict::Fail),
        counted(count(Verdict::Warning), "warning", "warnings"),
        count(Verdict::Pass),
        count(Verdict::Skipped)
    )
}

/// The checks that have findings, each once, in the order of the report.
fn checks(report: &Report) -> Vec<&str> {
    let mut checks: Vec<&str> = Vec::new();
    for finding in &report.findings {
        if !checks.contains(&finding.check.as_str()) {
            checks.push(&finding.check);
        }
    }
    checks
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::catalogue::FindingId;
    use crate::check::Thoroughness;
    use crate::diagnosis::diagnose;
    use crate::finding::Finding;
    use crate::report::SCHEMA;
    use crate::subject::Subject;

    /// A report with a failure, a pass and a skipped finding.
    pub fn report(engine: &str, repro: Vec<String>) -> Report {
        let findings = vec![
            Finding::new(FindingId::DrawsFifty, Verdict::Fail, "scored [1]").repro(repro),
            Finding::new(FindingId::ClockShare, Verdict::Pass, "80 %"),
            Finding::skipped(FindingId::ClockFlag, "no option"),
        ];
        Report {
            schema: SCHEMA,
            doctor: "Vedette".to_owned(),
            engine: engine.to_owned(),
            subject: Subject { command: "engine".to_owned(), options: Vec::new() },
            thoroughness: Thoroughness::Quick,
            seconds: 1.0,
            load: Vec::new(),
            interrupted: false,
            searches: 9,
            starts: 1,
            checks: vec!["draws".to_owned(), "clock".to_owned()],
            check_seconds: vec![0.5, 0.25],
            diagnosis: diagnose(&findings),
            trees: Vec::new(),
            findings,
            incidents: Vec::new(),
        }
    }

    #[test]
    fn summary_is_one_screen() {
        let report = report("engine", Vec::new());
        let text = summary(&report);
        assert!(
            text.contains("draws.fifty") && text.contains("1 failed, 0 warnings, 1 passed, 1 skipped"),
            "{text}"
        );
        assert!(!text.contains("80 %"), "passes are only counted: {text}");
        assert!(details(&report).contains("80 %"));
        assert!(text.lines().count() <= 40, "{text}");
    }
}
