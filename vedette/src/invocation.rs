//! What the words on the command line ask for.

use std::error::Error;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::commands::{self, Command};

/// A chess engine, and the laboratory that tells whether an engine is sound.
///
/// Without a command Vedette speaks UCI on standard input and output.
/// Words that are UCI commands themselves are obeyed one after the other:
/// vedette "position startpos" "go depth 9"
#[derive(Parser)]
#[command(name = "vedette", version, verbatim_doc_comment)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
}

/// One way to run the program.
pub enum Invocation {
    /// A command with its arguments.
    Command(Command),
    /// UCI commands given as words.
    Script(Vec<String>),
}

/// Sorts the words out. Wrong ones end the program here, with usage and exit code 2.
pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Invocation {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let words: Vec<String> =
        arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if is_script(&words) {
        return Invocation::Script(words);
    }
    Invocation::Command(CommandLine::parse_from(arguments).command.unwrap_or_default())
}

/// Whether the words are UCI commands: the first of them starts with one, and is not a command of the command
/// line. `uci` is both, and is the former when more words follow.
fn is_script(words: &[String]) -> bool {
    let Some(first) = words.first().map(String::as_str) else { return false };
    if CommandLine::command().find_subcommand(first).is_some() || first == "help" {
        return first == "uci" && words.len() > 1 && !words[1].starts_with('-');
    }
    first.split_ascii_whitespace().next().is_some_and(|word| uci::command::verb(word).is_some())
}

impl Invocation {
    /// The exit code when it cannot be done, whatever the reason.
    pub fn exit_code_of_failure(&self) -> ExitCode {
        match self {
            Invocation::Command(Command::Doctor(_)) => commands::doctor::NOT_DONE.into(),
            _ => ExitCode::FAILURE,
        }
    }

    /// Does what was asked.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        match self {
            Invocation::Command(command) => command.run(),
            Invocation::Script(commands) => commands::uci::run_script(commands),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn help_lists_every_command_with_what_it_does() {
        let help = CommandLine::command().render_long_help().to_string();
        for command in CommandLine::command().get_subcommands() {
            let listed = help.lines().find(|line| line.split_whitespace().next() == Some(command.get_name()));
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(!about.is_empty() && listed.is_some_and(|line| line.ends_with(&about)), "{command}");
        }
    }

    #[test]
    fn uci_commands_as_words_make_a_script() {
        assert!(is_script(&words(&["position startpos", "go depth 1", "quit"])));
        assert!(is_script(&words(&["d"])));
        assert!(is_script(&words(&["bench 5", "quit"])));
        assert!(is_script(&words(&["uci", "quit"])));
    }

    #[test]
    fn commands_of_the_command_line_come_first() {
        assert!(!is_script(&words(&["uci"])));
        assert!(!is_script(&words(&["bench", "5"])));
        assert!(!is_script(&words(&["perft", "5"])));
        assert!(!is_script(&words(&["help"])));
        assert!(!is_script(&words(&["--help"])));
        assert!(!is_script(&words(&["nonsense"])));
    }
}
