//! The report as text.

use std::fmt::Write;

use crate::catalogue::CheckId;
use crate::checks;
use crate::compare::{Change, Comparison};
use crate::finding::{Finding, Verdict};
use crate::report::Report;
use crate::same_tree::SameTree;
use support::text::{counted, printable};

/// Columns.
const WIDTH: usize = 110;

/// Causes and warnings in the summary.
pub(super) const MAX_CAUSES: usize = 5;
const MAX_WARNINGS: usize = 3;

/// Columns of a proof and of a next step in the summary.
const MAX_TEXT: usize = 150;

/// The verdict and what to fix first, on one screen.
pub fn summary(report: &Report) -> String {
    let mut text = heading(report);
    let diagnosis = &report.diagnosis;
    if !diagnosis.explanations.is_empty() {
        let _ = writeln!(text, "\nWhat to fix first");
    }
    for (index, ranked) in diagnosis.explanations.iter().take(MAX_CAUSES).enumerate() {
        let price = ranked.price.map(|price| format!(" ({})", price.text())).unwrap_or_default();
        write_wrapped(&mut text, &format!("{}. ", index + 1), &format!("{}{price}", ranked.cause));
        if let Some(evidence) = ranked.supported_by.first() {
            let proof = shortened(&evidence.summary, MAX_TEXT - evidence.finding.len());
            write_wrapped(&mut text, &format!("   proof    {}: ", evidence.finding), &proof);
        }
        write_wrapped(&mut text, "   next     ", &shortened(&ranked.advice, MAX_TEXT));
    }
    let unexplained = diagnosis.unexplained(&report.findings);
    if !unexplained.is_empty() {
        let more = unexplained.len().saturating_sub(MAX_CAUSES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = &unexplained[..unexplained.len().min(MAX_CAUSES)];
        write_wrapped(&mut text, "\nOther failures: ", &format!("{}{more}", named.join(", ")));
    }
    let warnings: Vec<&Finding> = report.with_verdict(Verdict::Warning).collect();
    // Faults first: the counts mention the warnings.
    let warnings = if report.is_healthy() { warnings } else { Vec::new() };
    if !warnings.is_empty() {
        let _ = writeln!(text, "\nWarnings");
    }
    for finding in warnings.iter().take(MAX_WARNINGS) {
        write_wrapped(&mut text, &format!("  {:<25}", finding.id), &finding.summary);
    }
    if warnings.len() > MAX_WARNINGS {
        let _ = writeln!(text, "  and {} more", warnings.len() - MAX_WARNINGS);
    }
    let _ = writeln!(text, "\n{}. --verbose lists all.", super::counts(report));
    printable(&text).into_owned()
}

/// As many whole words as fit.
fn shortened(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    for word in text.split_whitespace() {
        if short.chars().count() + word.chars().count() + 3 > columns {
            break;
        }
        short += word;
        short.push(' ');
    }
    format!("{}…", short.trim_end_matches([' ', ',', ';', ':', '.']))
}

/// All causes and findings.
pub fn details(report: &Report) -> String {
    let mut text = heading(report);
    write_explanations(&mut text, report);
    write_findings(&mut text, report);
    write_excluded(&mut text, report);
    printable(&text).into_owned()
}

/// The run and the headline.
fn heading(report: &Report) -> String {
    let mut text = String::new();
    let depth = report.thoroughness.name();
    let _ = writeln!(
        text,
        "{}: {depth} run, {:.0} s, {}, {}{}",
        report.engine,
        report.seconds,
        counted(report.searches as usize, "search", "searches"),
        counted(report.starts as usize, "process", "processes"),
        if report.interrupted { " (interrupted)" } else { "" }
    );
    let _ = writeln!(text, "Command: {}", report.subject.description());
    if let Some(load) = report.load.iter().copied().reduce(f64::max).filter(|&load| load > 1.1) {
        let _ = writeln!(
            text,
            "System load was {load:.1} per CPU: late moves are measured in CPU time where the system reports it."
        );
    }
    let _ = writeln!(text, "\n{}", report.diagnosis.headline);
    text
}

fn write_explanations(text: &mut String, report: &Report) {
    if report.diagnosis.explanations.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nLikely causes");
    for (index, ranked) in report.diagnosis.explanations.iter().enumerate() {
        let _ =
            writeln!(text, "{}. {} (weight {:+.1}; {})", index + 1, ranked.cause, ranked.weight, ranked.id);
        if let Some(price) = &ranked.price {
            let _ = writeln!(text, "   price    {}", price.text());
        }
        for evidence in &ranked.supported_by {
            write_wrapped(text, &format!("   for      {}: ", evidence.finding), &evidence.summary);
        }
        for evidence in &ranked.contradicted_by {
            write_wrapped(text, &format!("   against  {}: ", evidence.finding), &evidence.summary);
        }
        write_wrapped(text, "   next     ", &ranked.advice);
    }
    let unexplained = report.diagnosis.unexplained(&report.findings);
    if !unexplained.is_empty() {
        write_wrapped(text, "not explained by these causes: ", &unexplained.join(", "));
    }
}

fn write_findings(text: &mut String, report: &Report) {
    let mut order: Vec<&Finding> = report.findings.iter().collect();
    order.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
    for verdict in [Verdict::Fail, Verdict::Warning, Verdict::Pass, Verdict::Skipped] {
        let list: Vec<&&Finding> = order.iter().filter(|finding| finding.verdict == verdict).collect();
        if list.is_empty() {
            continue;
        }
        let title = match verdict {
            Verdict::Fail => "Failed",
            Verdict::Warning => "Warnings",
            Verdict::Pass => "Passed",
            Verdict::Skipped => "Skipped",
        };
        let _ = writeln!(text, "\n{title} ({})", list.len());
        for finding in list {
            write_wrapped(text, &format!("  {:<25}", finding.id), &finding.summary);
            if verdict == Verdict::Fail {
                let (percent, basis) = (finding.confidence.percent(), &finding.confidence.basis);
                write_wrapped(text, &format!("  {:25}confidence ", ""), &format!("{percent} ({basis})"));
                write_wrapped(text, &format!("  {:25}fails if: ", ""), &finding.threshold);
                let path = CheckId::parse(&finding.check).map(CheckId::path).unwrap_or_default();
                let _ = writeln!(text, "  {:25}see {path}; reproduce with --repro {}", "", finding.id);
            }
        }
    }
}

fn write_excluded(text: &mut String, report: &Report) {
    if report.diagnosis.excluded.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nRuled out");
    for excluded in &report.diagnosis.excluded {
        write_wrapped(text, &format!("  \"{}\": ", excluded.claim), &excluded.because.join("; "));
    }
}

/// Wraps a paragraph with a hanging indent.
fn write_wrapped(text: &mut String, head: &str, paragraph: &str) {
    let indent = head.chars().count().min(27);
    let mut line = head.to_owned();
    let mut fresh = true;
    for word in paragraph.split_whitespace() {
        if !fresh && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(text, "{}", line.trim_end());
            line = " ".repeat(indent);
            fresh = true;
        }
        if !fresh {
            line.push(' ');
        }
        line.push_str(word);
        fresh = false;
    }
    let _ = writeln!(text, "{}", line.trim_end());
}

/// The UCI commands that reproduce a finding, or all findings of a check; `None` when there are none.
pub fn repro(report: &Report, name: &str) -> Option<String> {
    let wanted = |finding: &&Finding| finding.id == name || finding.check == name;
    let shown: Vec<&Finding> =
        report.findings.iter().filter(wanted).filter(|finding| !finding.repro.is_empty()).collect();
    if shown.is_empty() {
        return None;
    }
    let mut text = String::new();
    for finding in shown {
        let _ = writeln!(text, "# {} ({}): {}", finding.id, finding.verdict.name(), finding.summary);
        for line in &finding.repro {
            let _ = writeln!(text, "{line}");
        }
    }
    Some(printable(&text).into_owned())
}

pub fn comparison(before: &Report, after: &Report, changes: &Comparison) -> String {
    let mut text = String::new();
    for (when, report) in [("before:", before), ("after:", after)] {
        let Report { engine, seconds, findings, .. } = report;
        let depth = report.thoroughness.name();
        let _ =
            writeln!(text, "{when:<7} {engine}: {depth} run, {seconds:.0} s, {} findings", findings.len());
    }
    for note in notes(before, after) {
        write_wrapped(&mut text, "Note: ", &note);
    }
    for (title, list) in [
        ("New failures", &changes.worse),
        ("Fixed", &changes.better),
        ("Other changes", &changes.other),
        ("Changed numbers", &changes.moved),
    ] {
        if list.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{title} ({})", list.len());
        for change in list {
            let numbers = numbers(change);
            let colon = if numbers.is_empty() { "" } else { ": " };
            write_wrapped(&mut text, &format!("  {:<25} {numbers}{colon}", change.finding), &change.summary);
        }
    }
    if let Some(same) = &changes.same_tree {
        let _ = writeln!(text, "\nNodes");
        write_wrapped(&mut text, "  ", &same.text());
    }
    let is_new = |finding: &Finding| changes.worse.iter().any(|change| change.finding == finding.id);
    let remaining: Vec<&str> =
        after.with_verdict(Verdict::Fail).filter(|f| !is_new(f)).map(|f| f.id.as_str()).collect();
    if !remaining.is_empty() {
        let _ = writeln!(text, "\nStill failing ({})", remaining.len());
        write_wrapped(&mut text, "  ", &remaining.join(", "));
    }
    let has_same_nodes = changes.same_tree.as_ref().is_none_or(SameTree::is_identical);
    let lists = [&changes.worse, &changes.better, &changes.other, &changes.moved];
    if has_same_nodes && lists.iter().all(|list| list.is_empty()) {
        let _ = writeln!(text, "\nNo changes.");
    }
    let (old, new) = (&before.diagnosis.headline, &after.diagnosis.headline);
    if old != new {
        let _ = writeln!(text, "\nDiagnosis before: {old}\nDiagnosis after:  {new}");
    }
    printable(&text).into_owned()
}

/// Other reasons why two reports may differ.
fn notes(before: &Report, after: &Report) -> Vec<String> {
    let mut notes = Vec::new();
    if before.engine != after.engine {
        notes.push(format!("different engines: '{}' and '{}'", before.engine, after.engine));
    }
    if before.subject.options != after.subject.options {
        notes.push("different engine options".to_owned());
    }
    if before.thoroughness != after.thoroughness {
        notes.push("quick and full runs have different sample sizes".to_owned());
    } else if before.checks != after.checks {
        let (old, new) = (before.checks.len(), after.checks.len());
        notes.push(format!("different checks were run ({old} and {new})"));
    }
    if before.doctor != after.doctor {
        notes.push(format!("reports of different versions: '{}' and '{}'", before.doctor, after.doctor));
    }
    notes
}

fn numbers(change: &Change) -> String {
    let name = |verdict: Option<Verdict>| verdict.map_or("absent", Verdict::name);
    let mut text = if change.before == change.after {
        String::new()
    } else {
        format!("{} -> {} ", name(change.before), name(change.after))
    };
    if let Some((old, new, unit)) = &change.effect {
        let [old_error, new_error] = match change.errors {
            Some((old, new)) => [old, new].map(|error| format!(" ± {}", number(error))),
            None => [String::new(), String::new()],
        };
        let _ = write!(text, "{}{old_error} -> {}{new_error} {unit}", number(*old), number(*new));
    }
    text.trim_end().to_owned()
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 || value.abs() >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

pub fn list() -> String {
    let mut text = format!("{:<14} {:<18} {:>5} {:>6}  (time limit)\n", "check", "group", "quick", "full");
    for check in checks::ALL {
        let [quick, full] = [check.seconds.0, check.seconds.1]
            .map(|seconds| if seconds == 0 { "-".to_owned() } else { format!("{seconds} s") });
        let (name, group, title) = (check.id.name(), check.id.group().name(), check.id.title());
        let _ = writeln!(text, "{name:<14} {group:<18} {quick:>5} {full:>6}  {title}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::FindingId;

    #[test]
    fn paragraphs_are_wrapped() {
        let mut text = String::new();
        write_wrapped(&mut text, "  head: ", &"word ".repeat(60));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() >= 3 && lines.iter().all(|line| line.len() <= WIDTH), "{text}");
        assert!(lines[1].starts_with("        word"), "{text}");
    }

    #[test]
    fn long_texts_end_at_a_word() {
        assert_eq!(shortened("one two, three", 14), "one two, three");
        assert_eq!(shortened("one two, three", 12), "one two…");
    }

    #[test]
    fn summary_of_many_faults_fits_a_screen() {
        let long = "a rather long summary of what was measured ".repeat(12);
        let findings: Vec<Finding> = FindingId::ALL
            .iter()
            .map(|id| Finding::new(*id, Verdict::Fail, long.as_str()).effect(1.0).samples(100))
            .collect();
        let mut report = crate::render::tests::report("engine", Vec::new());
        report.diagnosis = crate::diagnosis::diagnose(&findings);
        report.findings = findings;
        let text = summary(&report);
        assert!(
            text.contains(" Elo and more, estimated)") && text.lines().count() <= 40,
            "{}: {text}",
            text.lines().count()
        );
    }

    #[test]
    fn all_checks_are_listed() {
        assert_eq!(list().lines().count(), 1 + checks::ALL.len());
    }
}
