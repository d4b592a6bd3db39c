//! Every command that Vedette handles, declared once in [`COMMANDS`]: its name, its arguments, its line in `help`,
//! and how it is parsed. [`parse`] is total: no line fails, what is wrong with it becomes warnings.

use std::fmt;

use crate::tokens::{Tokens, saturating_number};
use crate::{BenchCommand, GenFens, Go, PositionCommand, SpeedTest, Warning};

/// One command of the GUI or the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: report name, author and options.
    Uci,
    /// `debug on|off`.
    Debug(bool),
    /// `isready`: answer when all earlier commands are done.
    IsReady,
    /// `setoption name … [value …]`.
    SetOption {
        /// The option's name, whitespace normalised.
        name: String,
        /// The rest of the line after `value`.
        value: Option<String>,
    },
    /// `register …`: nothing to register.
    Register,
    /// `ucinewgame`: the next position is from another game.
    UciNewGame,
    /// `position …`.
    Position(PositionCommand),
    /// `go …`.
    Go(Go),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `go perft DEPTH`: count leaves instead of searching.
    Perft(u32),
    /// `bench …`: search fixed positions.
    Bench(BenchCommand),
    /// `speedtest …`: measure the speed on many threads.
    SpeedTest(SpeedTest),
    /// `genfens …`: generate openings.
    GenFens(GenFens),
    /// `export_net [FILE]`: write the network to a file.
    ExportNetwork(Option<String>),
    /// `d`: show the position.
    Display,
    /// `eval`: show the evaluation's terms.
    Evaluate,
    /// `flip`: the same position with colours exchanged.
    Flip,
    /// `compiler`: what built this.
    Compiler,
    /// `license`.
    License,
    /// `help`.
    Help,
}

/// A parsed line: at most one command, and warnings about the line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The command; none for a blank line, a comment, or an invalid command.
    pub command: Option<Command>,
    /// What was ignored, repaired or refused.
    pub warnings: Vec<Warning>,
}

/// The declaration of a command.
pub struct CommandSpec {
    /// The token that it begins with.
    pub name: &'static str,
    /// Its arguments, for `help`.
    pub arguments: &'static str,
    /// One line for `help`.
    pub help: &'static str,
    /// Whether it is part of UCI; the others are extensions.
    pub standard: bool,
    read: fn(Tokens, &mut Vec<Warning>) -> Option<Command>,
}

const fn standard(
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    read: fn(Tokens, &mut Vec<Warning>) -> Option<Command>,
) -> CommandSpec {
    CommandSpec { name, arguments, help, standard: true, read }
}

const fn extension(
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    read: fn(Tokens, &mut Vec<Warning>) -> Option<Command>,
) -> CommandSpec {
    CommandSpec { name, arguments, help, standard: false, read }
}

/// All commands, in the order in which `help` shows them.
pub static COMMANDS: [CommandSpec; 21] = [
    standard("uci", "", "print name, author and options", |_, _| Some(Command::Uci)),
    standard("isready", "", "print 'readyok' once all earlier commands are done", |_, _| {
        Some(Command::IsReady)
    }),
    standard("setoption", "name NAME [value VALUE]", "set an option", read_option),
    standard("ucinewgame", "", "start a new game", |_, _| Some(Command::UciNewGame)),
    standard("position", "startpos|fen FEN [moves MOVE...]", "set up a position", |tokens, warnings| {
        PositionCommand::parse(tokens, warnings).map(Command::Position)
    }),
    standard(
        "go",
        "[depth|nodes|mate|movetime|wtime|btime|winc|binc|movestogo N] [infinite] [ponder] [searchmoves MOVE...]",
        "search; 'go perft DEPTH' counts leaf nodes",
        read_go,
    ),
    standard("stop", "", "stop the search and print the best move", |_, _| Some(Command::Stop)),
    standard("ponderhit", "", "the expected move was played", |_, _| Some(Command::PonderHit)),
    standard("debug", "on|off", "also report commands without effect", read_debug),
    standard("register", "", "accepted, does nothing", |_, _| Some(Command::Register)),
    standard("quit", "", "quit the program", |_, _| Some(Command::Quit)),
    extension("d", "", "show the position", |_, _| Some(Command::Display)),
    extension("eval", "", "show every term of the evaluation", |_, _| Some(Command::Evaluate)),
    extension("flip", "", "flip the colours", |_, _| Some(Command::Flip)),
    extension(
        "bench",
        "[HASH] [THREADS] [LIMIT] [FILE] [TYPE]",
        "search fixed positions, count nodes",
        |tokens, warnings| BenchCommand::parse(tokens, warnings).map(Command::Bench),
    ),
    extension(
        "speedtest",
        "[THREADS] [HASH] [SECONDS]",
        "measure the speed on all threads",
        |tokens, warnings| SpeedTest::parse(tokens, warnings).map(Command::SpeedTest),
    ),
    extension(
        "genfens",
        "N seed SEED book None|FILE [plies N|MIN-MAX] [nodes N] [score CP] [dfrc]",
        "print N balanced openings, as OpenBench asks for them",
        |tokens, warnings| GenFens::parse(tokens, warnings).map(Command::GenFens),
    ),
    extension("export_net", "[FILE]", "write the network to a file", |tokens, _| {
        Some(Command::ExportNetwork(Some(tokens.rest().to_owned()).filter(|path| !path.is_empty())))
    }),
    extension("compiler", "", "show what built this program", |_, _| Some(Command::Compiler)),
    extension("license", "", "show the licence", |_, _| Some(Command::License)),
    extension("help", "", "show this list", |_, _| Some(Command::Help)),
];

/// The command of this name; case matters.
pub fn find_command(name: &str) -> Option<&'static CommandSpec> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Parses one line. As UCI requires, unknown tokens before a UCI command are skipped; extensions must come first,
/// so that a stray `d` in a text is not a command. Lines that start with `#` are comments.
pub fn parse(line: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let whole = Tokens::new(line);
    if whole.rest().starts_with('#') {
        return parsed;
    }
    let mut tokens = whole.clone();
    let mut skipped = Vec::new();
    while let Some(token) = tokens.next() {
        match find_command(token) {
            Some(command) if command.standard || skipped.is_empty() => {
                if !skipped.is_empty() {
                    parsed.warnings.push(Warning::SkippedBeforeCommand(skipped.join(" ").as_str().into()));
                }
                parsed.command = (command.read)(tokens, &mut parsed.warnings);
                return parsed;
            }
            _ => skipped.push(token),
        }
    }
    if !skipped.is_empty() {
        parsed.warnings.push(Warning::UnknownCommand(whole.rest().into()));
    }
    parsed
}

fn read_option(mut tokens: Tokens, warnings: &mut Vec<Warning>) -> Option<Command> {
    let mut name = Vec::new();
    let mut value = None;
    if tokens.next() == Some("name") {
        while let Some(token) = tokens.next() {
            if token == "value" {
                value = Some(tokens.rest().to_owned());
                break;
            }
            name.push(token);
        }
    }
    if name.is_empty() {
        warnings.push(Warning::OptionNeedsName);
        return None;
    }
    Some(Command::SetOption { name: name.join(" "), value })
}

fn read_go(tokens: Tokens, warnings: &mut Vec<Warning>) -> Option<Command> {
    let mut rest = tokens.clone();
    if rest.next() != Some("perft") {
        return Some(Command::Go(Go::parse(tokens, warnings)));
    }
    read_depth(rest.next().unwrap_or_default(), warnings).map(Command::Perft)
}

fn read_depth(token: &str, warnings: &mut Vec<Warning>) -> Option<u32> {
    let depth = saturating_number(token).filter(|_| !token.starts_with('-'));
    let depth = depth.and_then(|depth| u32::try_from(depth).ok());
    if depth.is_none() {
        let (command, argument) = ("go perft", "depth");
        warnings.push(Warning::BadArgument { command, argument, token: token.into() });
    }
    depth
}

fn read_debug(mut tokens: Tokens, warnings: &mut Vec<Warning>) -> Option<Command> {
    match tokens.next() {
        Some("on") => Some(Command::Debug(true)),
        Some("off") => Some(Command::Debug(false)),
        _ => {
            warnings.push(Warning::DebugNeedsOnOrOff);
            None
        }
    }
}

impl fmt::Display for Command {
    /// The command as a line that [`parse`] reads back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::Register => f.write_str("register later"),
            Command::UciNewGame => f.write_str("ucinewgame"),
            Command::Position(position) => position.fmt(f),
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Perft(depth) => write!(f, "go perft {depth}"),
            Command::Bench(bench) => bench.fmt(f),
            Command::SpeedTest(test) => test.fmt(f),
            Command::GenFens(genfens) => genfens.fmt(f),
            Command::ExportNetwork(None) => f.write_str("export_net"),
            Command::ExportNetwork(Some(path)) => write!(f, "export_net {path}"),
            Command::Display => f.write_str("d"),
            Command::Evaluate => f.write_str("eval"),
            Command::Flip => f.write_str("flip"),
            Command::Compiler => f.write_str("compiler"),
            Command::License => f.write_str("license"),
            Command::Help => f.write_str("help"),
        }
    }
}
