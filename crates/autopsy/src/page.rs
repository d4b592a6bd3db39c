//! An autopsy as one self-contained HTML page.

use chess::Position;
use maud::{Markup, html};
use report::{PALETTE, stacked_bar};
use review::board;

use crate::case::{Autopsy, Case, Moment};
use crate::probe::Probe;

const STYLE: &str = "table{margin:1rem 0}td,th{padding:.15rem .6rem;text-align:left}\
td.n,th.n{text-align:right}.position{margin:2rem 0}.found{color:#00704a}.lost{color:#b3261e}\
@media(prefers-color-scheme:dark){.found{color:#57c99a}.lost{color:#f2938a}}\
.line{font-size:.9em;opacity:.85}";

/// Plies shown of a better line.
const MAX_PLIES: usize = 8;

/// The page: causes, the clearest positions with all answers, all games.
pub fn page(autopsy: &Autopsy) -> String {
    let title = format!("Autopsy of {}", autopsy.player);
    let body = html! {
        h1 { (title) }
        p {
            (autopsy.player) " lost " (autopsy.lost) " of " (autopsy.games) " games; " (autopsy.cases.len())
            " examined. Engine: " (autopsy.engine) ". Reference: " (autopsy.reference) ", "
            (autopsy.reference_limits) " per position."
        }
        (causes(autopsy))
        @if !autopsy.clearest.is_empty() {
            h2 { "The clearest positions" }
            @for (case, moment) in autopsy.clearest_cases() { (position(case, moment)) }
        }
        h2 { "All games" }
        (all_games(autopsy))
        @if !autopsy.notes.is_empty() || !autopsy.broken.is_empty() {
            h2 { "Notes" }
            ul {
                @for note in &autopsy.notes { li { (note) } }
                @for fault in &autopsy.broken { li { "line " (fault.line) ", game " (fault.game) ": " (fault.what) } }
            }
        }
    };
    report::page(&title, STYLE, &body).into_string()
}

fn causes(autopsy: &Autopsy) -> Markup {
    let total = autopsy.cases.len().max(1) as f64;
    let parts: Vec<(&str, f64, &str)> = autopsy
        .causes
        .iter()
        .enumerate()
        .map(|(index, count)| {
            (count.cause.name(), f64::from(count.games) / total, PALETTE[index % PALETTE.len()])
        })
        .collect();
    html! {
        h2 { "Causes" }
        (stacked_bar(&parts, (800.0, 24.0)))
        table {
            tr { th { "cause" } th.n { "games" } th.n { "share" } th.n { "mean loss" } th { "meaning" } }
            @for count in &autopsy.causes {
                tr {
                    td { (count.cause.name()) }
                    td.n { (count.games) }
                    td.n { (format!("{:.0} %", 100.0 * f64::from(count.games) / total)) }
                    td.n { (count.mean_loss.map_or_else(|| "–".to_owned(), |loss| format!("{loss:.0} %"))) }
                    td { (count.cause.meaning()) }
                }
            }
        }
    }
}

fn position(case: &Case, moment: &Moment) -> Markup {
    let dots = if case.white { "." } else { "..." };
    let line = moment.line.iter().take(MAX_PLIES).map(String::as_str).collect::<Vec<_>>().join(" ");
    html! {
        section.position {
            h3 { "Game " (case.game) ", " (moment.number) (dots) " " (moment.played) ": " (case.cause.name()) }
            @if let Ok(position) = Position::from_fen(&moment.fen) { (board(&position)) }
            p {
                (moment.played) " cost " (format!("{:.0} %", moment.loss)) " of winning chances, from "
                (format!("{:.0} %", moment.before)) " to " (format!("{:.0} %", moment.after)) ". Better: "
                b { (moment.better) } " " span.line { "(" (line) ")" }
            }
            p { (case.evidence) }
            @if !case.probes.is_empty() { (answers(&case.probes)) }
            p { code { (moment.fen) } }
        }
    }
}

fn answers(probes: &[Probe]) -> Markup {
    html! {
        table {
            tr {
                th { "asked again" } th { "command" } th { "answer" } th.n { "score" } th.n { "depth" } th.n { "nodes" }
                th.n { "seconds" } th.n { "chances" } th {}
            }
            @for probe in probes {
                tr {
                    td { (probe.question.text()) }
                    td { code { (probe.go) } }
                    @match (&probe.answer, &probe.fault) {
                        (Some(answer), _) => {
                            td class=[probe.found.map(|found| if found { "found" } else { "lost" })] { (answer) }
                        }
                        (None, fault) => td.lost { (fault.as_deref().unwrap_or("–")) },
                    }
                    td.n { (probe.score.map_or_else(|| "–".to_owned(), |score| score.to_string())) }
                    td.n { (probe.depth) }
                    td.n { (probe.nodes) }
                    td.n { (format!("{:.2}", probe.seconds)) }
                    td.n { (probe.chance.map_or_else(|| "–".to_owned(), |chance| format!("{chance:.0} %"))) }
                    td { (probe.note.as_deref().unwrap_or("")) }
                }
            }
        }
    }
}

fn all_games(autopsy: &Autopsy) -> Markup {
    html! {
        table {
            tr { th.n { "game" } th { "against" } th { "move" } th.n { "loss" } th { "better" } th { "cause" } th { "evidence" } }
            @for case in &autopsy.cases {
                tr {
                    td.n { (case.game) }
                    td { (case.opponent) }
                    @if let Some(moment) = &case.moment {
                        td { (moment.number) (if case.white { ". " } else { "... " }) (moment.played) }
                        td.n { (format!("{:.0} %", moment.loss)) }
                        td { (moment.better) }
                    } @else {
                        td {} td {} td {}
                    }
                    td { (case.cause.name()) }
                    td { (case.evidence) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::tests::{autopsy, case};
    use crate::cause::LossCause;

    #[test]
    fn page_shows_causes_and_positions() {
        let page = page(&autopsy(vec![case(1, LossCause::Horizon, 30.0), case(2, LossCause::Gradual, 0.0)]));
        for part in ["<h3>Game 1, 1. f3: horizon</h3>", "30 %", "found with 2 times the nodes", "<svg"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(page.contains("&lt;b&gt;O") && !page.contains("<b>O"), "names are escaped: {page}");
        assert!(!page.contains("Game 2,"), "nothing to see there");
    }

    #[test]
    fn json_is_read_back() {
        let one = autopsy(vec![case(1, LossCause::Horizon, 30.0)]);
        let text = serde_json::to_string(&one).expect("JSON");
        assert_eq!(serde_json::from_str::<Autopsy>(&text).expect("own format"), one);
    }
}
