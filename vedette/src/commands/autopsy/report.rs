//! An autopsy as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use autopsy::{Autopsy, Case, Moment};

/// What is printed below the table of causes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ReportDetail {
    Clearest,
    All,
}

/// The causes and the clearest positions, or all games.
pub fn print(autopsy: &Autopsy, columns: ReportDetail) -> String {
    let mut text = format!(
        "{} lost {} of {} games; {} examined with {} ({} per position)\n",
        autopsy.player,
        autopsy.lost,
        autopsy.games,
        autopsy.cases.len(),
        autopsy.reference,
        autopsy.reference_limits
    );
    if autopsy.cases.is_empty() {
        return text;
    }
    let total = autopsy.cases.len() as f64;
    let _ = writeln!(text, "\n{:<15} {:>5} {:>6} {:>10}", "cause", "games", "share", "mean loss");
    for count in &autopsy.causes {
        let share = format!("{:.0} %", 100.0 * f64::from(count.games) / total);
        let loss = count.mean_loss.map_or_else(|| "-".to_owned(), |loss| format!("{loss:.0} %"));
        let (cause, games) = (count.cause, count.games);
        let _ = writeln!(text, "{cause:<15} {games:>5} {share:>6} {loss:>10}  {}", cause.meaning());
    }
    if columns == ReportDetail::All {
        text.push_str("\nAll games\n");
        autopsy.cases.iter().for_each(|case| add_case(&mut text, case, case.moment.as_ref()));
    } else if !autopsy.clearest.is_empty() {
        text.push_str("\nClearest positions\n");
        autopsy.clearest_cases().for_each(|(case, moment)| add_case(&mut text, case, Some(moment)));
    }
    for note in &autopsy.notes {
        let _ = writeln!(text, "Note: {note}");
    }
    text
}

fn add_case(text: &mut String, case: &Case, moment: Option<&Moment>) {
    let place = format!("game {}", case.game);
    match moment {
        Some(moment) => {
            let dots = if case.white { "." } else { "..." };
            let _ = writeln!(
                text,
                "{place:<9} {}{dots} {}, winning chances -{:.0} %, better {}\n          {}",
                moment.number, moment.played, moment.loss, moment.better, moment.fen
            );
        }
        None => {
            let _ = writeln!(text, "{place}");
        }
    }
    let _ = writeln!(text, "          {}: {}", case.cause, case.evidence);
}

/// What was done instead of what was planned, and how well games were repeated.
pub fn notes(cases: &[Case]) -> Vec<String> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for note in cases.iter().flat_map(|case| &case.probes).filter_map(|probe| probe.note.as_deref()) {
        // Numbers differ from search to search.
        let kind = note
            .split_once(" instead of ")
            .map_or(note, |_| "ignores the node limit: limited by time instead");
        *counts.entry(kind).or_default() += 1;
    }
    let mut notes: Vec<String> = counts
        .into_iter()
        .map(|(note, searches)| {
            format!("{note} ({searches} {})", if searches == 1 { "search" } else { "searches" })
        })
        .collect();
    let (same, all) = cases
        .iter()
        .filter_map(|case| case.repeated)
        .fold((0, 0), |sum, (same, all)| (sum.0 + same, sum.1 + all));
    if all > 0 {
        notes.push(format!("replayed games: the engine chose {same} of {all} moves again"));
    }
    notes
}
