//! Parses the command line.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, ValueEnum};

use crate::cli::progress;
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
    /// Print no progress, only results, warnings and errors
    #[arg(long, global = true)]
    quiet: bool,
    /// Colour help, errors and boards; auto: on a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

/// The command line as clap knows it.
pub fn command_line() -> clap::Command {
    CommandLine::command()
}

#[expect(clippy::large_enum_variant, reason = "there is one, on the stack of main")]
pub enum Invocation {
    Command(Command),
    /// UCI commands given as arguments.
    Script(Vec<String>),
}

/// Parses the arguments. Errors exit here, with usage and exit code 2.
pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Invocation {
    let arguments = global_flags_first(with_command_of_name(arguments.into_iter().collect()));
    let commands: Vec<String> =
        arguments.iter().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    if is_script(&commands) {
        return Invocation::Script(script(commands));
    }
    let matches = command_line().color(color(&commands)).get_matches_from(arguments);
    let line = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if line.quiet {
        progress::be_quiet();
    }
    Invocation::Command(line.command.unwrap_or_default())
}

/// Under the name of a match runner, such as a link `fastchess-ob`, the program is `vedette match`: scripts that start the
/// runner, ask it for its version or end it by its name need no change.
fn with_command_of_name(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let name = arguments.first().map(Path::new).and_then(Path::file_stem).and_then(OsStr::to_str);
    let runner: &[&str] = match name.unwrap_or_default() {
        _ if !cfg!(feature = "tools") => &[],
        name if name.starts_with("fastchess") => &["match"],
        name if name.starts_with("cutechess-cli") => &["match", "-output", "format=cutechess"],
        _ => &[],
    };
    if !runner.is_empty() {
        arguments[0] = "vedette".into();
        arguments.splice(1..1, runner.iter().map(OsString::from));
    }
    arguments
}

/// clap takes every word after `help` for a command, also a flag that all commands have.
fn global_flags_first(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_none_or(|first| first != "help") {
        return arguments;
    }
    let mut flags = Vec::new();
    let mut words = arguments.split_off(1).into_iter();
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--color") => flags.extend([word].into_iter().chain(words.next())),
            Some(text) if text == "--quiet" || text.starts_with("--color=") => flags.push(word),
            _ => arguments.push(word),
        }
    }
    arguments.splice(1..1, flags);
    arguments
}

/// The value of `--color`, for commands that colour their output.
#[cfg(feature = "tools")]
pub fn color_choice() -> ColorChoice {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    color(&arguments)
}

/// The value of `--color`. It is needed before the arguments are parsed, because their errors are coloured, too.
fn color(arguments: &[String]) -> ColorChoice {
    let values = arguments.iter().enumerate().filter_map(|(index, argument)| match argument.as_str() {
        "--color" => arguments.get(index + 1).map(String::as_str),
        _ => argument.strip_prefix("--color="),
    });
    values.filter_map(|value| ColorChoice::from_str(value, false).ok()).next_back().unwrap_or_default()
}

/// Whether the arguments are UCI commands: the first starts with one, and is not a command of the command line. `uci` is both,
/// and counts as a UCI command when more arguments follow.
fn is_script(arguments: &[String]) -> bool {
    let Some(first) = arguments.first().map(String::as_str) else { return false };
    if command_line().find_subcommand(first).is_some() || first == "help" {
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
            Invocation::Command(command) => command.exit_code_of_failure(),
            Invocation::Script(_) => ExitCode::FAILURE,
        }
    }

    /// Whether a panic ends only what caused it: a request to the studio. Everywhere else it ends the program.
    pub fn contains_panics(&self) -> bool {
        matches!(self, Invocation::Command(command) if command.contains_panics())
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
    use std::collections::BTreeMap;

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
            assert!(!about.is_empty() && listed.is_some_and(|line| line.contains(&about)), "{command}");
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

    #[test]
    fn name_of_a_match_runner_is_its_command() {
        let read = |words: &[&str]| -> Vec<String> {
            let words = words.iter().map(OsString::from).collect();
            with_command_of_name(words).into_iter().map(|word| word.into_string().expect("text")).collect()
        };
        for name in ["fastchess", "./fastchess-ob", "/opt/x/fastchess-ob.exe"] {
            assert_eq!(read(&[name, "-version"]), ["vedette", "match", "-version"], "{name}");
        }
        let cutechess = read(&["cutechess-cli", "-engine"]);
        assert_eq!(cutechess, ["vedette", "match", "-output", "format=cutechess", "-engine"]);
        for name in ["vedette", "bin/Vedette-0F773B00", "", "/fastchess/vedette"] {
            assert_eq!(read(&[name, "bench"]), [name, "bench"]);
        }
    }

    #[test]
    fn help_takes_the_flags_of_all_commands() {
        let read = |line: &str| -> String {
            let words = global_flags_first(line.split(' ').map(OsString::from).collect());
            words.iter().map(|word| word.to_str().expect("text")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(read("v help --color always bench"), "v --color always help bench");
        assert_eq!(read("v help bench --color=never --quiet"), "v --color=never --quiet help bench");
        assert_eq!(read("v help --color"), "v --color help");
        assert_eq!(read("v bench --color always help"), "v bench --color always help");
    }

    #[test]
    fn color_is_known_before_the_arguments_are_parsed() {
        for (given, choice) in [
            (vec![], ColorChoice::Auto),
            (vec!["bench", "--color", "never"], ColorChoice::Never),
            (vec!["--color=always", "--nonsense"], ColorChoice::Always),
            (vec!["--color"], ColorChoice::Auto),
            (vec!["--color=blue"], ColorChoice::Auto),
        ] {
            assert_eq!(color(&arguments(&given)), choice, "{given:?}");
        }
    }

    /// All arguments of all commands, with the command's name.
    fn all_arguments(command: &clap::Command, name: &str, found: &mut Vec<(String, clap::Arg)>) {
        found.extend(command.get_arguments().map(|argument| (name.to_owned(), argument.clone())));
        for subcommand in command.get_subcommands() {
            all_arguments(subcommand, &format!("{name} {}", subcommand.get_name()), found);
        }
    }

    /// Flags that need a value of another kind in these commands.
    const OTHER_VALUES: [(&str, &str); 11] = [
        // A folder, or a file or a folder, instead of a file.
        ("vedette man", "output"),
        ("vedette train", "output"),
        ("vedette gpu loop", "output"),
        ("vedette selfplay", "output"),
        ("vedette gpu selfplay", "output"),
        // A folder to keep games in instead of games to read.
        ("vedette studio", "data"),
        ("vedette engine", "data"),
        // With a name for the page.
        ("vedette studio", "engine"),
        // It can also choose.
        ("vedette train", "device"),
        // A percentage of games instead of centipawns.
        ("vedette book build", "min-score"),
        // A file of positions instead of a number of them.
        ("vedette net compare", "positions"),
    ];

    /// A flag means the same everywhere: same short form, same kind of value.
    #[test]
    fn flags_are_the_same_in_every_command() {
        let mut found = Vec::new();
        all_arguments(&command_line(), "vedette", &mut found);
        let mut first: BTreeMap<String, (String, clap::Arg)> = BTreeMap::new();
        for (command, argument) in found {
            let Some(long) = argument.get_long().map(str::to_owned) else { continue };
            if OTHER_VALUES.contains(&(command.as_str(), long.as_str())) {
                continue;
            }
            let form =
                |argument: &clap::Arg| (argument.get_short(), argument.get_value_names().map(<[_]>::to_vec));
            let (other, known) =
                first.entry(long.clone()).or_insert_with(|| (command.clone(), argument.clone()));
            assert_eq!(form(&argument), form(known), "--{long} of {command} and of {other}");
        }
    }

    /// Commands whose result is no measurement: what they write is a file, a game or a session. `match` has `-output`.
    const NO_JSON: [&str; 26] = [
        "uci",
        "studio",
        "engine add",
        "engine list",
        "engine remove",
        "play",
        "match",
        "openings",
        "book build",
        "book merge",
        "explorer build",
        "spsa",
        "net export",
        "net import",
        "gpu loop",
        "gpu spsa",
        "data convert",
        "data export",
        "data filter",
        "data head",
        "data rescore",
        "data sample",
        "data shuffle",
        "data split",
        "completions",
        "man",
    ];

    /// Every other command has `--json`, and its schema is in the manual.
    #[test]
    fn commands_that_measure_write_json() {
        fn leaves(command: &clap::Command, name: &str, found: &mut Vec<(String, bool)>) {
            let has_json = command.get_arguments().any(|argument| argument.get_long() == Some("json"));
            if has_json || !command.has_subcommands() {
                found.push((name.to_owned(), has_json));
            }
            for inner in command.get_subcommands() {
                leaves(inner, format!("{name} {}", inner.get_name()).trim(), found);
            }
        }
        let mut found = Vec::new();
        leaves(&command_line(), "", &mut found);
        let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/json.md"));
        for (command, has_json) in found {
            assert_ne!(has_json, NO_JSON.contains(&command.as_str()), "--json of {command}");
            let cell = format!("`{command}`");
            let is_listed = page.lines().any(|line| line.starts_with("| `") && line.contains(&cell));
            assert!(!has_json || is_listed, "{command} is not in docs/json.md");
        }
    }

    /// One thing has one name; old ones stay as hidden aliases.
    #[test]
    fn old_names_still_work() {
        for line in [
            "openings --plies 8 --threads 2 --low -10 --high 10 --give-up 3",
            "selfplay --out a.vd --games 1 -t 2",
            "selfplay --out a.vd --games 1 --threads 2",
            "data filter a.vd --out b.vd --kind chess960 --unique",
            "tune a.txt --write",
            "tune a.txt --write weights.rs --score-share 0.5",
            "analyze a.pgn",
            "gpu perft --most 1000",
            "gpu match a.nnue --json",
        ] {
            let parsed = CommandLine::try_parse_from(["vedette"].into_iter().chain(line.split(' ')));
            assert!(
                parsed.is_ok(),
                "{line}: {}",
                parsed.err().map(|error| error.to_string()).unwrap_or_default()
            );
        }
    }
}
