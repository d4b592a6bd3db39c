//! What `help` prints.

use uci::command::{COMMANDS, CommandSpec};

/// Column of the descriptions.
const COLUMN: usize = 36;

/// All commands with their arguments and descriptions.
pub fn help() -> String {
    COMMANDS.iter().map(describe).collect::<Vec<_>>().join("\n")
}

fn describe(command: &CommandSpec) -> String {
    let usage = format!("{} {}", command.name, command.arguments);
    let usage = usage.trim_end();
    if usage.len() < COLUMN {
        format!("{usage:COLUMN$}{}", command.help)
    } else {
        format!("{usage}\n{:COLUMN$}{}", "", command.help)
    }
}
