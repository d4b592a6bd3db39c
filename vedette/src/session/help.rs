//! What `help` shows.

use uci::command::{VERBS, Verb};

/// Where the explanations begin.
const COLUMN: usize = 36;

/// The commands, each with what it does.
pub fn help() -> String {
    VERBS.iter().map(describe).collect::<Vec<_>>().join("\n")
}

fn describe(verb: &Verb) -> String {
    let usage = format!("{} {}", verb.word, verb.arguments);
    let usage = usage.trim_end();
    if usage.len() < COLUMN {
        format!("{usage:COLUMN$}{}", verb.help)
    } else {
        format!("{usage}\n{:COLUMN$}{}", "", verb.help)
    }
}
