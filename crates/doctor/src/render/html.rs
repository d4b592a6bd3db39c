//! The report as one HTML file: no script, no other file, no network.

use maud::{Markup, html};
use report::{Chart, Scale, Series, Style, markdown, page};

use crate::checks;
use crate::finding::{Finding, Group, Plot, PlotKind, Verdict};
use crate::pages;
use crate::report::Report;

const STYLE: &str = "
:root{--alarm:#b3261e;--notice:#8a5a00;--sound:#2b6a3a}
@media(prefers-color-scheme:dark){:root{--alarm:#ff8a80;--notice:#ffcc66;--sound:#8fd19e}}
.finding,.cause{border:1px solid var(--line);border-radius:8px;padding:.6rem 1rem;margin:.7rem 0;background:var(--soft)}
.alarm{border-left:6px solid var(--alarm)}.notice{border-left:6px solid var(--notice)}.sound{border-left:6px solid var(--sound)}
.unmeasured{opacity:.75}.id{font-family:ui-monospace,monospace;font-size:.85rem;opacity:.8}
";

pub fn html(report: &Report) -> String {
    let body = html! {
        (summary(report))
        (explanations(report))
        (excluded(report))
        (groups(report))
        (incidents(report))
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
            ": " (report.searches) " searches, " (report.starts) " processes"
            @if !load.is_empty() { ", load per CPU " (load.join(" to ")) }
            ". Command: " code { (report.subject.told()) }
        }
        p { strong { (report.diagnosis.headline) } }
        table {
            @for (name, verdict) in [("failed", Verdict::Alarm), ("warnings", Verdict::Notice)] {
                tr { td { (name) } td {
                    (count(verdict))
                    @for (index, finding) in report.with_verdict(verdict).enumerate() {
                        @if index == 0 { ": " } @else { ", " }
                        (link(&finding.id))
                    }
                } }
            }
            tr { td { "passed" } td { (count(Verdict::Sound)) } }
            tr { td { "skipped" } td { (count(Verdict::Unmeasured)) } }
        }
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
        h2 { "Likely causes" }
        @for ranked in &diagnosis.explanations {
            div.cause {
                strong { (ranked.cause) } " " span.meta { "weight " (format!("{:+.1}", ranked.weight)) }
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
            h2 { "Ruled out" }
            table {
                @for excluded in &report.diagnosis.excluded {
                    tr { td { (excluded.claim) } td { (excluded.because.join("; ")) } }
                }
            }
        }
    }
}

fn groups(report: &Report) -> Markup {
    let group_of = |finding: &Finding| checks::group_and_title(&finding.check).0;
    let mut groups: Vec<Group> = report.findings.iter().map(group_of).collect();
    groups.sort_unstable();
    groups.dedup();
    html! {
        @for group in groups {
            h2 { (group.name()) }
            @for finding in report.findings.iter().filter(|finding| group_of(finding) == group) { (entry(finding)) }
        }
    }
}

fn entry(finding: &Finding) -> Markup {
    let class = match finding.verdict {
        Verdict::Alarm => "alarm",
        Verdict::Notice => "notice",
        Verdict::Sound => "sound",
        Verdict::Unmeasured => "unmeasured",
    };
    html! {
        div class={ "finding " (class) } id=(finding.id) {
            span.id { (finding.id) } " " strong { (finding.verdict.name()) }
            p { (finding.summary) }
            @if finding.verdict != Verdict::Unmeasured {
                p.meta {
                    "confidence " (finding.confidence.told()) " (" (finding.confidence.basis) "); "
                    (finding.samples) " samples; threshold: " (finding.threshold)
                }
            }
            @for plot in &finding.plots { (chart(plot).svg()) }
            @if !finding.repro.is_empty() {
                details { summary { "UCI commands to reproduce" } pre { (finding.repro.join("\n")) } }
            }
            @if let Some(text) = pages::page(&finding.check) {
                details { summary { "About this check (" (pages::path(&finding.check)) ")" } (markdown(text)) }
            }
        }
    }
}

fn chart(plot: &Plot) -> Chart {
    let (style, scale) = match plot.kind {
        PlotKind::Lines => (Style::LineAndDots, Scale::Linear),
        PlotKind::Logarithmic => (Style::LineAndDots, Scale::Logarithmic),
        PlotKind::Bars => (Style::Bars, Scale::Linear),
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
                div class="finding alarm" {
                    strong { (incident.trouble) } " " (incident.words)
                    pre { (incident.transcript.join("\n")) }
                }
            }
        }
    }
}
