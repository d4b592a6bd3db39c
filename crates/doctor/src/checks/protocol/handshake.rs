//! `uci`, `id` and `option` lines.

use std::collections::HashSet;

use support::text::counted;
use uci::OptionKind;

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::stream_audit::excerpt;

pub const CHECK: Check = Check {
    id: CheckId::Handshake,
    method: "Sends uci and isready to a new process, checks the id and option lines, and measures the time to readyok.",
    seconds: (5, 5),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let identity = exam.engine.identity().clone();
    let mut problems = Vec::new();
    if identity.name.is_empty() {
        problems.push("no 'id name'".to_owned());
    }
    if identity.author.is_empty() {
        problems.push("no 'id author'".to_owned());
    }
    let mut names = HashSet::new();
    for option in &identity.options {
        let name = excerpt(&option.name);
        if !names.insert(option.name.to_lowercase()) {
            problems.push(format!("option '{name}' is declared twice"));
        }
        match &option.kind {
            OptionKind::Spin { default, min, max } if !(min..=max).contains(&default) => {
                problems.push(format!("option '{name}': default {default} is outside {min}..{max}"));
            }
            OptionKind::Combo { default, choices } if !choices.contains(default) => {
                problems.push(format!(
                    "option '{name}': default '{}' is not one of the choices",
                    excerpt(default)
                ));
            }
            _ => {}
        }
    }
    let has_hash = exam.engine.has_option("Hash");
    if !has_hash {
        problems.push("no option 'Hash'".to_owned());
    }
    let seconds = exam.engine.handshake_time().as_secs_f64();
    let verdict = if problems.is_empty() { Verdict::Pass } else { Verdict::Warning };
    let summary = if problems.is_empty() {
        let options = counted(identity.options.len(), "well-formed option", "well-formed options");
        format!("{options}; readyok after {seconds:.2} s")
    } else {
        format!("{}; readyok after {seconds:.2} s", first_of(&problems))
    };
    let finding = Finding::new(FindingId::HandshakeIdentity, verdict, summary)
        .effect(problems.len() as f64)
        .fixed_confidence(1.0, "from the option lines")
        .threshold("any problem is a warning")
        .samples(identity.options.len() + 2)
        .measure(Measure::SecondsToReady, seconds)
        .measure_fact(Measure::HasHash, has_hash)
        .repro(["uci".to_owned(), "isready".to_owned()]);
    Ok(vec![finding])
}

/// The first problems and the number of the others.
fn first_of(problems: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = problems[..problems.len().min(SHOWN)].join("; ");
    match problems.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        let problems = |count| vec!["option 'A' is declared twice".to_owned(); count];
        assert_eq!(first_of(&problems(5)).matches("declared").count(), 5);
        let many = first_of(&problems(900));
        assert!(many.matches("declared").count() == 5 && many.ends_with("; and 895 more"), "{many}");
    }
}
