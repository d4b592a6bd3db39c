//! The report as one HTML file: no script, no file beside it, nothing from the network.

use std::fmt::Write;

use super::markdown;
use super::plot::{escape, svg};
use crate::checks;
use crate::finding::{Finding, Group, Verdict};
use crate::pages;
use crate::report::Report;

const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1b1b1b;--paper:#fff;--soft:#f3f3f1;--line:#d8d8d4;--alarm:#b3261e;--notice:#8a5a00;--sound:#2b6a3a}
@media(prefers-color-scheme:dark){:root{--ink:#e8e8e4;--paper:#161616;--soft:#222;--line:#3a3a3a;--alarm:#ff8a80;--notice:#ffcc66;--sound:#8fd19e}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{margin-top:2.2rem;border-bottom:1px solid var(--line)}
.finding,.cause{border:1px solid var(--line);border-radius:8px;padding:.6rem 1rem;margin:.7rem 0;background:var(--soft)}
.alarm{border-left:6px solid var(--alarm)}.notice{border-left:6px solid var(--notice)}.sound{border-left:6px solid var(--sound)}
.unmeasured{opacity:.75}.id{font-family:ui-monospace,monospace;font-size:.85rem;opacity:.8}
.meta{font-size:.85rem;opacity:.8}pre{overflow:auto;background:var(--paper);border:1px solid var(--line);padding:.5rem;border-radius:6px}
svg{width:100%;height:auto;margin-top:.5rem;background:var(--paper);border-radius:6px}svg text{fill:currentColor}
.title{font-size:13px;font-weight:600}.tick{font-size:10px}.grid{stroke:var(--line)}
table{border-collapse:collapse}td,th{padding:.15rem .7rem .15rem 0;text-align:left;vertical-align:top}td:first-child{overflow-wrap:normal}summary{cursor:pointer}
";

/// The whole report.
pub fn html(report: &Report) -> String {
    let mut out = String::new();
    let engine = escape(&report.engine);
    let _ = write!(
        out,
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>Doctor: {engine}</title><style>{STYLE}</style>"
    );
    let depth = report.thoroughness.name();
    let _ = write!(
        out,
        "<h1>{engine}</h1><p class=\"meta\">{depth} examination by {} in {:.0} s{}: {} searches, {} processes, {} programs \
         for each processor. Command: <code>{}</code></p>",
        escape(&report.doctor),
        report.seconds,
        if report.interrupted { " (interrupted)" } else { "" },
        report.searches,
        report.starts,
        report.load.iter().map(|load| format!("{load:.1}")).collect::<Vec<_>>().join(" to "),
        escape(&report.subject.told())
    );
    let count = |verdict| report.with_verdict(verdict).count();
    let named = |verdict| {
        let links: Vec<String> = report.with_verdict(verdict).map(|finding| link(&finding.id)).collect();
        if links.is_empty() { "0".to_owned() } else { format!("{}: {}", links.len(), links.join(", ")) }
    };
    let _ = write!(
        out,
        "<p><strong>{}</strong></p><table><tr><td>alarms</td><td>{}</td></tr><tr><td>worth knowing</td><td>{}</td></tr>\
         <tr><td>sound</td><td>{}</td></tr><tr><td>not measured</td><td>{}</td></tr></table>",
        escape(&report.diagnosis.headline),
        named(Verdict::Alarm),
        named(Verdict::Notice),
        count(Verdict::Sound),
        count(Verdict::Unmeasured)
    );
    write_explanations(&mut out, report);
    write_excluded(&mut out, report);
    write_groups(&mut out, report);
    write_incidents(&mut out, report);
    out.push_str("</html>\n");
    out
}

/// A link to a finding on the same page.
fn link(finding: &str) -> String {
    format!("<a href=\"#{0}\" class=\"id\">{0}</a>", escape(finding))
}

fn write_explanations(out: &mut String, report: &Report) {
    if report.diagnosis.explanations.is_empty() {
        return;
    }
    out.push_str("<h2>Explanations, the likeliest first</h2>");
    for ranked in &report.diagnosis.explanations {
        let _ = write!(
            out,
            "<div class=\"cause\"><strong>{}</strong> <span class=\"meta\">weight {:+.1}</span><p>{}</p><ul>",
            escape(&ranked.cause),
            ranked.weight,
            escape(&ranked.advice)
        );
        for (word, list) in [("for", &ranked.supported_by), ("against", &ranked.contradicted_by)] {
            for evidence in list {
                let _ =
                    write!(out, "<li>{word}: {} {}</li>", link(&evidence.finding), escape(&evidence.summary));
            }
        }
        out.push_str("</ul></div>");
    }
    let unexplained = report.diagnosis.unexplained(&report.findings);
    if !unexplained.is_empty() {
        let links: Vec<String> = unexplained.into_iter().map(link).collect();
        let _ = write!(out, "<p>Not explained by them: {}</p>", links.join(", "));
    }
}

fn write_excluded(out: &mut String, report: &Report) {
    if report.diagnosis.excluded.is_empty() {
        return;
    }
    out.push_str("<h2>Tested and excluded</h2><table>");
    for excluded in &report.diagnosis.excluded {
        let because = excluded.because.join("; ");
        let _ = write!(out, "<tr><td>“{}”</td><td>{}</td></tr>", escape(&excluded.claim), escape(&because));
    }
    out.push_str("</table>");
}

fn write_groups(out: &mut String, report: &Report) {
    let mut groups: Vec<Group> =
        report.findings.iter().map(|finding| checks::group_and_title(&finding.check).0).collect();
    groups.sort_unstable();
    groups.dedup();
    for group in groups {
        let _ = write!(out, "<h2>{}</h2>", group.name());
        for finding in
            report.findings.iter().filter(|finding| checks::group_and_title(&finding.check).0 == group)
        {
            write_finding(out, finding);
        }
    }
}

fn write_finding(out: &mut String, finding: &Finding) {
    let class = match finding.verdict {
        Verdict::Alarm => "alarm",
        Verdict::Notice => "notice",
        Verdict::Sound => "sound",
        Verdict::Unmeasured => "unmeasured",
    };
    let _ = write!(
        out,
        "<div class=\"finding {class}\" id=\"{0}\"><span class=\"id\">{0}</span> <strong>{1}</strong><p>{2}</p>",
        escape(&finding.id),
        finding.verdict.name(),
        escape(&finding.summary)
    );
    if finding.verdict != Verdict::Unmeasured {
        let _ = write!(
            out,
            "<p class=\"meta\">confidence {} ({}); {} samples; alarm: {}</p>",
            finding.confidence.told(),
            escape(&finding.confidence.basis),
            finding.samples,
            escape(&finding.threshold)
        );
    }
    for plot in &finding.plots {
        out.push_str(&svg(plot));
    }
    if !finding.repro.is_empty() {
        let _ = write!(
            out,
            "<details><summary>lines that show it</summary><pre>{}</pre></details>",
            escape(&finding.repro.join("\n"))
        );
    }
    if let Some(page) = pages::page(&finding.check) {
        let _ = write!(
            out,
            "<details><summary>what it means ({})</summary>{}</details>",
            pages::path(&finding.check),
            markdown::html(page)
        );
    }
    out.push_str("</div>");
}

fn write_incidents(out: &mut String, report: &Report) {
    if report.incidents.is_empty() {
        return;
    }
    out.push_str("<h2>Breakdowns</h2>");
    for incident in &report.incidents {
        let _ = write!(
            out,
            "<div class=\"finding alarm\"><strong>{}</strong> {}<pre>{}</pre></div>",
            escape(&incident.trouble.to_string()),
            escape(&incident.words),
            escape(&incident.transcript.join("\n"))
        );
    }
}
