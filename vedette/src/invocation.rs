//! Parses the command line.

use std::error::Error;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::commands::{self, Command};

/// UCI chess engine, match runner, engine doctor and network trainer.
///
/// Without a command Vedette runs as a UCI engine on stdin and stdout.
/// UCI commands can be given as arguments and run in order:
/// vedette "position startpos" "go depth 9"
/// vedette go depth 9
#[derive(Parser)]
#[command(name = "vedette", version, verbatim_doc_comment)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
}

#[expect(clippy::large_enum_variant, reason = "there is one, on the stack of main")]
pub enum Invocation {
    Command(Command),
    /// UCI commands given as arguments.
    Script(Vec<String>),
}

/// Parses the arguments. Errors exit here, with usage and exit code 2.
pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Invocation {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let commands: Vec<String> =
        arguments.iter().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    if is_script(&commands) {
        return Invocation::Script(script(commands));
    }
    Invocation::Command(CommandLine::parse_from(arguments).command.unwrap_or_default())
}

/// Whether the arguments are UCI commands: the first starts with one, and is not a command of the command line. `uci` is both,
/// and counts as a UCI command when more arguments follow.
fn is_script(arguments: &[String]) -> bool {
    let Some(first) = arguments.first().map(String::as_str) else { return false };
    if CommandLine::command().find_subcommand(first).is_some() || first == "help" {
        return first == "uci" && arguments.len() > 1 && !arguments[1].starts_with('-');
    }
    first.split_ascii_whitespace().next().is_some_and(|token| uci::command::find_command(token).is_some())
}

/// The UCI commands of a script. Each argument is one, unless they are the words of a single command, as in
/// `vedette go depth 9`: then the first is a name alone, and what follows it is no command.
fn script(arguments: Vec<String>) -> Vec<String> {
    let is_command = |argument: &str| {
        let name = argument.split_ascii_whitespace().next().unwrap_or_default();
        uci::command::find_command(name).is_some()
    };
    match arguments.as_slice() {
        [first, second, ..] if uci::command::find_command(first).is_some() && !is_command(second) => {
            vec![arguments.join(" ")]
        }
        _ => arguments,
    }
}

impl Invocation {
    /// The exit code of a failure.
    pub fn exit_code_of_failure(&self) -> ExitCode {
        match self {
            Invocation::Command(Command::Doctor(_)) => commands::doctor::NOT_DONE.into(),
            _ => ExitCode::FAILURE,
        }
    }

    /// Whether a panic ends only what caused it: a request to the studio. Everywhere else it ends the program.
    pub fn contains_panics(&self) -> bool {
        matches!(self, Invocation::Command(Command::Studio(_)))
    }

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

    fn arguments(arguments: &[&str]) -> Vec<String> {
        arguments.iter().map(|&argument| argument.to_owned()).collect()
    }

    #[test]
    fn command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn help_describes_every_command() {
        let help = CommandLine::command().render_long_help().to_string();
        for command in CommandLine::command().get_subcommands() {
            let listed = help.lines().find(|line| line.split_whitespace().next() == Some(command.get_name()));
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(!about.is_empty() && listed.is_some_and(|line| line.ends_with(&about)), "{command}");
        }
    }

    #[test]
    fn uci_commands_make_a_script() {
        assert!(is_script(&arguments(&["position startpos", "go depth 1", "quit"])));
        assert!(is_script(&arguments(&["d"])));
        assert!(is_script(&arguments(&["bench 5", "quit"])));
        assert!(is_script(&arguments(&["uci", "quit"])));
    }

    #[test]
    fn words_of_one_command_are_joined() {
        for (given, commands) in [
            (vec!["go", "depth", "12"], vec!["go depth 12"]),
            (vec!["go", "perft", "5"], vec!["go perft 5"]),
            (vec!["position", "startpos", "moves", "e2e4"], vec!["position startpos moves e2e4"]),
            (
                vec!["position startpos", "go depth 3", "quit"],
                vec!["position startpos", "go depth 3", "quit"],
            ),
            (vec!["uci", "quit"], vec!["uci", "quit"]),
            (vec!["go infinite", "nonsense"], vec!["go infinite", "nonsense"]),
            (vec!["eval"], vec!["eval"]),
            (vec!["export_net", "/a folder/net"], vec!["export_net /a folder/net"]),
        ] {
            assert!(is_script(&arguments(&given)), "{given:?}");
            assert_eq!(script(arguments(&given)), arguments(&commands), "{given:?}");
        }
    }

    #[test]
    fn command_names_come_first() {
        assert!(!is_script(&arguments(&["uci"])));
        assert!(!is_script(&arguments(&["bench", "5"])));
        assert!(!is_script(&arguments(&["perft", "5"])));
        assert!(!is_script(&arguments(&["help"])));
        assert!(!is_script(&arguments(&["--help"])));
        assert!(!is_script(&arguments(&["nonsense"])));
    }
}
