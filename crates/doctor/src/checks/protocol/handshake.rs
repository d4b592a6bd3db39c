//! The first words: who is there, with which options.

use std::collections::HashSet;

use uci::info::OptionKind;

use crate::check::{Check, Examination};
use crate::finding::{Finding, Group, OFFERS_HASH, Verdict};
use crate::patient::Trouble;
use crate::talk::excerpt;

/// The check.
pub const CHECK: Check = Check {
    name: "handshake",
    group: Group::Protocol,
    title: "names itself and its options",
    method: "Sends uci and isready to a new process; reads id and option lines, and measures the time to readyok.",
    seconds: (5, 5),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let identity = exam.patient.identity().clone();
    let mut complaints = Vec::new();
    if identity.name.is_empty() {
        complaints.push("no 'id name'".to_owned());
    }
    if identity.author.is_empty() {
        complaints.push("no 'id author'".to_owned());
    }
    let mut names = HashSet::new();
    for option in &identity.options {
        let name = excerpt(&option.name);
        if !names.insert(option.name.to_lowercase()) {
            complaints.push(format!("option '{name}' is declared twice"));
        }
        match &option.kind {
            OptionKind::Spin { default, min, max } if !(min..=max).contains(&default) => {
                complaints.push(format!("option '{name}': default {default} is not in {min}..{max}"));
            }
            OptionKind::Combo { default, choices } if !choices.contains(default) => {
                complaints.push(format!("option '{name}': default '{}' is no choice", excerpt(default)));
            }
            _ => {}
        }
    }
    let offers_hash = exam.patient.offers("Hash");
    if !offers_hash {
        complaints.push("no option 'Hash'".to_owned());
    }
    let seconds = exam.patient.handshake_time().as_secs_f64();
    let verdict = if complaints.is_empty() { Verdict::Sound } else { Verdict::Notice };
    let summary = if complaints.is_empty() {
        format!("{} options, all well-formed; ready after {seconds:.2} s", identity.options.len())
    } else {
        format!("{}; ready after {seconds:.2} s", first_of(&complaints))
    };
    let finding = Finding::new("handshake", "identity", verdict, summary)
        .effect("complaints", complaints.len() as f64, "")
        .sure_by_hand(1.0, "read from the engine's own lines")
        .threshold("any complaint is a notice; no uciok is an alarm")
        .samples(identity.options.len() + 2)
        .measure("seconds to readyok", seconds)
        .measure_fact(OFFERS_HASH, offers_hash)
        .repro(["uci".to_owned(), "isready".to_owned()]);
    Ok(vec![finding])
}

/// The first complaints, and how many more there are: an engine may offer thousands of options.
fn first_of(complaints: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = complaints[..complaints.len().min(SHOWN)].join("; ");
    match complaints.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_many_complaints_are_told_and_the_others_counted() {
        let complaints = |count| vec!["option 'A' is declared twice".to_owned(); count];
        assert_eq!(first_of(&complaints(5)).matches("declared").count(), 5);
        let many = first_of(&complaints(900));
        assert!(many.matches("declared").count() == 5 && many.ends_with("; and 895 more"), "{many}");
    }
}
