//! The report as SARIF 2.1.0, which code hosts show as alerts.

use serde_json::{Value, json};

use crate::catalogue::CheckId;
use crate::finding::{Finding, Verdict};
use crate::report::Report;
use support::text::printable;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Failures are errors and warnings are warnings; `source` is the file that alerts are shown at, relative to the root of
/// the repository.
pub fn sarif(report: &Report, source: &str) -> Value {
    let shown: Vec<&Finding> =
        report.with_verdict(Verdict::Fail).chain(report.with_verdict(Verdict::Warning)).collect();
    let results: Vec<Value> = shown.iter().map(|finding| result(finding, source)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "vedette doctor",
                "version": report.doctor,
                "rules": shown.iter().map(|finding| rule(finding)).collect::<Vec<_>>(),
            }},
            "automationDetails": {"id": format!("vedette-doctor/{}", printable(&report.engine))},
            "invocations": [{"executionSuccessful": !report.interrupted}],
            "results": results,
        }],
    })
}

fn rule(finding: &Finding) -> Value {
    let title = finding.known().map_or(finding.id.as_str(), |id| id.spec().title);
    let page = CheckId::parse(&finding.check).map(CheckId::page).unwrap_or_default();
    json!({
        "id": finding.id,
        "shortDescription": {"text": title},
        "help": {"text": page, "markdown": page},
    })
}

fn result(finding: &Finding, source: &str) -> Value {
    let level = if finding.verdict == Verdict::Fail { "error" } else { "warning" };
    let text = printable(&finding.summary);
    json!({
        "ruleId": finding.id,
        "level": level,
        "message": {"text": text},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": source}}}],
        // The same fault of another version is the same alert, whatever its numbers are.
        "partialFingerprints": {"finding/v1": finding.id},
        "properties": {"confidence": finding.confidence.level, "repro": finding.repro},
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::tests::report;

    #[test]
    fn failures_are_errors() {
        let data = sarif(&report("engine\u{1b}[31m", vec!["go depth 3".to_owned()]), "src/main.c");
        let run = &data["runs"][0];
        let results = run["results"].as_array().expect("a list");
        assert_eq!(results.len(), 1, "passes and skipped findings are no alerts: {data}");
        assert_eq!(results[0]["ruleId"], "draws.fifty");
        assert_eq!(results[0]["level"], "error");
        assert_eq!(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "src/main.c");
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "draws.fifty");
        assert_eq!(run["automationDetails"]["id"], "vedette-doctor/engine\u{fffd}[31m");
    }
}
