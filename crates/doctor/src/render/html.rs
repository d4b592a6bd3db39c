//! The report as one HTML file: no other file, no network. A script of a few lines adds buttons that copy commands; the
//! report is complete without it.

use maud::{Markup, PreEscaped, html};
use report::{Chart, Scale, Series, SeriesStyle, markdown, page};
use support::text::counted;

use crate::catalogue::{CheckId, FindingId};
use crate::finding::{Finding, FindingGroup, Plot, PlotKind, Verdict};
use crate::render::{checks, terminal::MAX_CAUSES};
use crate::report::Report;

const STYLE: &str = "
:root{--fail:#b3261e;--warning:#8a5a00;--pass:#2b6a3a}
@media(prefers-color-scheme:dark){:root{--fail:#ff8a80;--warning:#ffcc66;--pass:#8fd19e}}
.finding,.cause{border:1px solid var(--line);border-radius:8px;padding:.6rem 1rem;margin:.7rem 0;background:var(--soft)}
.fail{border-left:6px solid var(--fail)}.warning{border-left:6px solid var(--warning)}.pass{border-left:6px solid var(--pass)}
.cause{border-left:6px solid var(--fail)}.healthy{border-left:6px solid var(--pass)}
nav.contents{border:1px solid var(--line);border-radius:8px;padding:.4rem 1rem;margin:.7rem 0}
nav.contents ul{margin:.2rem 0;padding-left:1.2rem}
@media(min-width:90rem){nav.contents{position:fixed;top:1rem;left:1rem;width:15rem;max-height:94vh;overflow:auto}}
.dot{display:inline-block;width:.7em;height:.7em;border-radius:50%;margin-right:.4em;background:var(--pass)}
.dot.fail{background:var(--fail);border:0}.dot.warning{background:var(--warning);border:0}
.repro{user-select:all}
button.copy{float:right;font:inherit;cursor:pointer}
.skipped{opacity:.75}.id{font-family:ui-monospace,monospace;font-size:.85rem;opacity:.8}
";

/// Puts a button before each block of commands. It selects the block too, where the clipboard may not be written.
const COPY: &str = "
for(const block of document.querySelectorAll('pre.repro')){
const button=document.createElement('button');
button.type='button';button.className='copy';button.textContent='Copy';
button.onclick=async()=>{
getSelection().selectAllChildren(block);
try{await navigator.clipboard.writeText(block.textContent);button.textContent='Copied'}catch{button.textContent='Selected'}
};
block.before(button)}
";

pub fn html(report: &Report) -> String {
    let body = html! {
        (summary(report))
        (faults(report))
        (contents(report))
        (explanations(report))
        (excluded(report))
        (groups(report))
        (incidents(report))
        script { (PreEscaped(COPY)) }
    };
    page(&format!("Doctor: {}", report.engine), STYLE, &body).into_string()
}

fn summary(report: &Report) -> Markup {
    let load: Vec<String> = report.load.iter().map(|load| format!("{load:.1}")).collect();
    let count = |verdict| report.with_verdict(verdict).count();
    html! {
        h1 { (report.engine) }
        p.meta {
            (report.thoroughness.name()) " run by " (report.doctor) " in " (format!("{:.0}", report.seconds)) " s"
            @if report.interrupted { " (interrupted)" }
            ": " (counted(report.searches as usize, "search", "searches")) ", " (counted(report.starts as usize, "process", "processes"))
            @if !load.is_empty() { ", load per CPU " (load.join(" to ")) }
            ". Command: " code { (report.subject.description()) }
        }
        p { strong { (report.diagnosis.headline) } }
        table {
            @for (name, verdict) in [("failed", Verdict::Fail), ("warnings", Verdict::Warning)] {
                tr { td { (name) } td {
                    (count(verdict))
                    @for (index, finding) in report.with_verdict(verdict).enumerate() {
                        @if index == 0 { ": " } @else { ", " }
                        (link(&finding.id))
                    }
                } }
            }
            tr { td { "passed" } td { (count(Verdict::Pass)) } }
            tr { td { "skipped" } td { (count(Verdict::Skipped)) } }
        }
    }
}

/// What to fix first: the same as in the terminal.
fn faults(report: &Report) -> Markup {
    let explanations = &report.diagnosis.explanations;
    html! {
        @if explanations.is_empty() && report.is_healthy() { div.cause.healthy { strong { "Nothing failed." } } }
        @if !explanations.is_empty() { h2 id="first" { "What to fix first" } }
        @for ranked in explanations.iter().take(MAX_CAUSES) {
            div.cause {
                strong { (ranked.cause) }
                @if let Some(price) = &ranked.price { p { (price.text()) } }
                @if let Some(evidence) = ranked.supported_by.first() {
                    p.meta { "Proof: " (link(&evidence.finding)) " " (evidence.summary) }
                }
                p.meta { "Next: " (ranked.advice) }
            }
        }
    }
}

/// The groups of findings with the worst verdict of each.
fn contents(report: &Report) -> Markup {
    html! {
        nav.contents {
            strong { "Contents" }
            ul {
                @if !report.diagnosis.explanations.is_empty() { li { a href="#causes" { "Likely causes" } } }
                @if !report.diagnosis.excluded.is_empty() { li { a href="#excluded" { "Ruled out" } } }
                @for group in groups_of(report) {
                    li {
                        span class={ "dot " (class(worst(report, group))) } {}
                        a href={ "#" (anchor(group)) } { (group.name()) }
                    }
                }
            }
        }
    }
}

fn group_of(check: &str) -> FindingGroup {
    CheckId::parse(check).map_or(FindingGroup::Protocol, CheckId::group)
}

fn groups_of(report: &Report) -> Vec<FindingGroup> {
    let mut groups: Vec<FindingGroup> = checks(report).into_iter().map(group_of).collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}

fn worst(report: &Report, group: FindingGroup) -> Verdict {
    let of_group = report.findings.iter().filter(|finding| group_of(&finding.check) == group);
    of_group.map(|finding| finding.verdict).max().unwrap_or(Verdict::Pass)
}

fn anchor(group: FindingGroup) -> String {
    group.name().to_lowercase().replace(' ', "-")
}

const fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fail => "fail",
        Verdict::Warning => "warning",
        Verdict::Pass => "pass",
        Verdict::Skipped => "skipped",
    }
}

/// A link to a finding on the same page.
fn link(finding: &str) -> Markup {
    html! { a.id href={ "#" (finding) } { (finding) } }
}

fn explanations(report: &Report) -> Markup {
    let diagnosis = &report.diagnosis;
    if diagnosis.explanations.is_empty() {
        return html! {};
    }
    let unexplained = diagnosis.unexplained(&report.findings);
    html! {
        h2 id="causes" { "Likely causes" }
        @for ranked in &diagnosis.explanations {
            div.cause {
                strong { (ranked.cause) } " " span.meta {
                    "weight " (format!("{:+.1}", ranked.weight))
                    @if let Some(price) = &ranked.price { "; " (price.text()) }
                }
                p { (ranked.advice) }
                ul {
                    @for (word, list) in [("for", &ranked.supported_by), ("against", &ranked.contradicted_by)] {
                        @for evidence in list { li { (word) ": " (link(&evidence.finding)) " " (evidence.summary) } }
                    }
                }
            }
        }
        @if !unexplained.is_empty() {
            p {
                "Not explained by these causes: "
                @for (index, finding) in unexplained.into_iter().enumerate() {
                    @if index > 0 { ", " }
                    (link(finding))
                }
            }
        }
    }
}

fn excluded(report: &Report) -> Markup {
    html! {
        @if !report.diagnosis.excluded.is_empty() {
            h2 id="excluded" { "Ruled out" }
            table {
                @for excluded in &report.diagnosis.excluded {
                    tr { td { (excluded.claim) } td { (excluded.because.join("; ")) } }
                }
            }
        }
    }
}

fn groups(report: &Report) -> Markup {
    html! {
        @for group in groups_of(report) {
            h2 id=(anchor(group)) { (group.name()) }
            @for check in checks(report).into_iter().filter(|check| group_of(check) == group) {
                @for finding in report.findings.iter().filter(|finding| finding.check == check) { (entry(finding)) }
                @if let Some(check) = CheckId::parse(check) {
                    details { summary { "About this check (" (check.path()) ")" } (markdown(check.page())) }
                }
            }
        }
    }
}

fn entry(finding: &Finding) -> Markup {
    html! {
        div class={ "finding " (class(finding.verdict)) } id=(finding.id) {
            span.id { (finding.id) } " " strong { (finding.verdict.name()) }
            @if let Some(id) = FindingId::parse(&finding.id) { " " span.meta { (id.spec().title) } }
            p { (finding.summary) }
            @if finding.verdict != Verdict::Skipped {
                p.meta {
                    "confidence " (finding.confidence.percent()) " (" (finding.confidence.basis) "); "
                    (counted(finding.samples as usize, "sample", "samples")) "; threshold: " (finding.threshold)
                }
            }
            @for plot in &finding.plots { (chart(plot).svg()) }
            @if !finding.repro.is_empty() {
                details { summary { "UCI commands to reproduce" } pre.repro { (finding.repro.join("\n")) } }
            }
        }
    }
}

fn chart(plot: &Plot) -> Chart {
    let (style, scale) = match plot.kind {
        PlotKind::Lines => (SeriesStyle::LineAndDots, Scale::Linear),
        PlotKind::Logarithmic => (SeriesStyle::LineAndDots, Scale::Logarithmic),
        PlotKind::Bars => (SeriesStyle::Bars, Scale::Linear),
    };
    let empty =
        Chart::new(plot.title.as_str()).x_label(plot.x.as_str()).y_label(plot.y.as_str()).scale(scale);
    let series =
        plot.curves.iter().map(|curve| Series::new(style, curve.name.as_str(), curve.points.clone()));
    series.fold(empty, Chart::series)
}

fn incidents(report: &Report) -> Markup {
    html! {
        @if !report.incidents.is_empty() {
            h2 { "Crashes and hangs" }
            @for incident in &report.incidents {
                div class="finding fail" {
                    strong { (incident.error) } " " (incident.message)
                    pre { (incident.transcript.join("\n")) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Finding;
    use crate::render::tests::report;

    #[test]
    fn page_of_a_check_is_printed_once() {
        let mut report = report("engine", Vec::new());
        report.findings.push(Finding::new(FindingId::DrawsRepetition, Verdict::Pass, "scored [0]"));
        let text = html(&report);
        assert_eq!(report.findings.iter().filter(|finding| finding.check == "draws").count(), 2);
        assert_eq!(text.matches("About this check (docs/doctor/draws.md)").count(), 1, "{text}");
        assert_eq!(text.matches("About this check").count(), checks(&report).len(), "{text}");
        for finding in &report.findings {
            assert_eq!(text.matches(&format!("id=\"{}\"", finding.id)).count(), 1, "{}", finding.id);
        }
    }
}
