//! The report as Markdown, short enough for an issue or the summary of a CI job.

use std::fmt::Write;

use crate::finding::{Finding, Verdict};
use crate::report::Report;
use support::text::printable;

/// UCI commands of a finding that are shown; the JSON report has all.
const MAX_REPRO: usize = 40;

pub fn markdown(report: &Report) -> String {
    let mut text = String::new();
    let Report { engine, doctor, seconds, searches, .. } = report;
    let _ = writeln!(text, "## Doctor: {}\n", escaped(engine));
    let _ = writeln!(text, "**{}**\n", escaped(&report.diagnosis.headline));
    let _ = writeln!(
        text,
        "{} run by {} in {seconds:.0} s, {searches} searches: {}.\n",
        report.thoroughness.name(),
        escaped(doctor),
        super::counts(report)
    );
    write_causes(&mut text, report);
    write_findings(&mut text, report);
    for finding in report.with_verdict(Verdict::Fail).filter(|finding| !finding.repro.is_empty()) {
        write_repro(&mut text, finding);
    }
    printable(&text).into_owned()
}

fn write_causes(text: &mut String, report: &Report) {
    if report.diagnosis.explanations.is_empty() {
        return;
    }
    let _ = writeln!(text, "### Likely causes\n");
    for ranked in &report.diagnosis.explanations {
        let findings: Vec<String> =
            ranked.supported_by.iter().map(|evidence| format!("`{}`", evidence.finding)).collect();
        let price = ranked.price.map(|price| format!("; {}", price.text())).unwrap_or_default();
        let _ = writeln!(
            text,
            "1. **{}** ({}{price}). {}",
            escaped(&ranked.cause),
            findings.join(", "),
            escaped(&ranked.advice)
        );
    }
    text.push('\n');
}

fn write_findings(text: &mut String, report: &Report) {
    let shown = || report.with_verdict(Verdict::Fail).chain(report.with_verdict(Verdict::Warning));
    if shown().next().is_none() {
        return;
    }
    let _ = writeln!(text, "| verdict | finding | measured | confidence |\n|---|---|---|---|");
    for finding in shown() {
        let Finding { id, verdict, summary, confidence, .. } = finding;
        let _ = writeln!(
            text,
            "| {} | `{}` | {} | {} |",
            verdict.name(),
            id.replace('`', "'"),
            escaped(summary),
            confidence.percent()
        );
    }
    text.push('\n');
}

fn write_repro(text: &mut String, finding: &Finding) {
    let _ = writeln!(
        text,
        "<details><summary>UCI commands that reproduce {}</summary>\n\n~~~text",
        escaped(&finding.id)
    );
    for line in finding.repro.iter().take(MAX_REPRO) {
        // Nothing in it may end the block.
        let _ = writeln!(text, "{}", line.replace("~~~", "~ ~ ~").replace(['\r', '\n'], " "));
    }
    if finding.repro.len() > MAX_REPRO {
        let _ = writeln!(text, "# and {} more lines", finding.repro.len() - MAX_REPRO);
    }
    let _ = writeln!(text, "~~~\n\n</details>\n");
}

/// Text as it is: what the engine printed must not become markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => escaped.push(' '),
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // Also keeps an engine's name from mentioning a user of a forge.
            '@' => escaped.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::tests::report;

    #[test]
    fn text_of_the_engine_is_no_markup() {
        let text = markdown(&report("<b>|`x`\n@someone", vec!["go depth 3\n~~~".to_owned()]));
        assert!(text.starts_with("## Doctor: &lt;b&gt;\\|\\`x\\` &#64;someone\n"), "{text}");
        assert!(text.contains("| FAILED | `draws.fifty` | scored \\[1\\] |"), "{text}");
        assert_eq!(text.matches("~~~").count(), 2, "{text}");
        assert!(text.contains("go depth 3 ~ ~ ~\n"), "{text}");
    }

    #[test]
    fn long_reproductions_are_cut() {
        let lines = (0..MAX_REPRO + 5).map(|number| format!("position {number}")).collect();
        let text = markdown(&report("engine", lines));
        assert!(text.contains("# and 5 more lines") && !text.contains("position 42"), "{text}");
    }
}
