//! Every command Vedette obeys, declared once in [`VERBS`]: its word, what follows it, what `help` says, and
//! how it is read. [`parse`] is total: no line fails, what is wrong with it becomes remarks.

use std::fmt;

use crate::words::{Words, saturating_number};
use crate::{Go, PositionCommand, Remark};

/// One command of the GUI or the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: introduce yourself.
    Uci,
    /// `debug on|off`.
    Debug(bool),
    /// `isready`: answer when done.
    IsReady,
    /// `setoption name … [value …]`.
    SetOption {
        /// The option's name, blanks normalised.
        name: String,
        /// The rest of the line after `value`.
        value: Option<String>,
    },
    /// `register …`: nothing to register.
    Register,
    /// `ucinewgame`: what comes next has nothing to do with what was.
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
    /// `go perft DEPTH`: count leaves instead of thinking.
    Perft(u32),
    /// `bench [DEPTH]`.
    Bench(Option<u32>),
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

/// What a line says: at most one command, and remarks on what was wrong with the line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The command; none for a blank line, a comment, or one that is refused.
    pub command: Option<Command>,
    /// What the user should hear about.
    pub remarks: Vec<Remark>,
}

/// The first word of a command, and what there is to know about it.
pub struct Verb {
    /// The word.
    pub word: &'static str,
    /// What may follow it.
    pub arguments: &'static str,
    /// One line for `help`.
    pub help: &'static str,
    /// Whether it belongs to UCI; the others are Vedette's own.
    pub standard: bool,
    read: fn(Words, &mut Vec<Remark>) -> Option<Command>,
}

const fn standard(
    word: &'static str,
    arguments: &'static str,
    help: &'static str,
    read: fn(Words, &mut Vec<Remark>) -> Option<Command>,
) -> Verb {
    Verb { word, arguments, help, standard: true, read }
}

const fn own(
    word: &'static str,
    arguments: &'static str,
    help: &'static str,
    read: fn(Words, &mut Vec<Remark>) -> Option<Command>,
) -> Verb {
    Verb { word, arguments, help, standard: false, read }
}

/// All commands, in the order in which `help` shows them.
pub static VERBS: [Verb; 18] = [
    standard("uci", "", "introduce the engine and its options", |_, _| Some(Command::Uci)),
    standard("isready", "", "answer 'readyok' once all earlier commands are done", |_, _| {
        Some(Command::IsReady)
    }),
    standard("setoption", "name NAME [value VALUE]", "set an option", read_option),
    standard("ucinewgame", "", "forget the previous game", |_, _| Some(Command::UciNewGame)),
    standard("position", "startpos|fen FEN [moves MOVE...]", "set up a position", |words, remarks| {
        PositionCommand::parse(words, remarks).map(Command::Position)
    }),
    standard(
        "go",
        "[depth|nodes|mate|movetime|wtime|btime|winc|binc|movestogo N] [infinite] [ponder] [searchmoves MOVE...]",
        "think; 'go perft DEPTH' counts leaves",
        read_go,
    ),
    standard("stop", "", "stop thinking and play the best move", |_, _| Some(Command::Stop)),
    standard("ponderhit", "", "the expected move was played", |_, _| Some(Command::PonderHit)),
    standard("debug", "on|off", "also tell about commands without effect", read_debug),
    standard("register", "", "accepted, does nothing", |_, _| Some(Command::Register)),
    standard("quit", "", "end the program", |_, _| Some(Command::Quit)),
    own("d", "", "show the position", |_, _| Some(Command::Display)),
    own("eval", "", "show every term of the evaluation", |_, _| Some(Command::Evaluate)),
    own("flip", "", "exchange the colours", |_, _| Some(Command::Flip)),
    own("bench", "[DEPTH]", "search fixed positions, count nodes", read_bench),
    own("compiler", "", "show what built this program", |_, _| Some(Command::Compiler)),
    own("license", "", "show the licence", |_, _| Some(Command::License)),
    own("help", "", "show this list", |_, _| Some(Command::Help)),
];

/// The verb that `word` is, if any. Case counts.
pub fn verb(word: &str) -> Option<&'static Verb> {
    VERBS.iter().find(|verb| verb.word == word)
}

/// Reads one line. As UCI asks, unknown words before a command of UCI are skipped; Vedette's own commands must
/// come first, lest a stray `d` in some text be obeyed. Lines that start with `#` are comments.
pub fn parse(line: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let whole = Words::new(line);
    if whole.rest().starts_with('#') {
        return parsed;
    }
    let mut words = whole.clone();
    let mut skipped = Vec::new();
    while let Some(word) = words.next() {
        match verb(word) {
            Some(verb) if verb.standard || skipped.is_empty() => {
                if !skipped.is_empty() {
                    parsed.remarks.push(Remark::SkippedBeforeCommand(skipped.join(" ").as_str().into()));
                }
                parsed.command = (verb.read)(words, &mut parsed.remarks);
                return parsed;
            }
            _ => skipped.push(word),
        }
    }
    if !skipped.is_empty() {
        parsed.remarks.push(Remark::UnknownCommand(whole.rest().into()));
    }
    parsed
}

fn read_option(mut words: Words, remarks: &mut Vec<Remark>) -> Option<Command> {
    let mut name = Vec::new();
    let mut value = None;
    if words.next() == Some("name") {
        while let Some(word) = words.next() {
            if word == "value" {
                value = Some(words.rest().to_owned());
                break;
            }
            name.push(word);
        }
    }
    if name.is_empty() {
        remarks.push(Remark::OptionNeedsName);
        return None;
    }
    Some(Command::SetOption { name: name.join(" "), value })
}

fn read_go(words: Words, remarks: &mut Vec<Remark>) -> Option<Command> {
    let mut rest = words.clone();
    if rest.next() != Some("perft") {
        return Some(Command::Go(Go::parse(words, remarks)));
    }
    read_depth("go perft", rest.next().unwrap_or_default(), remarks).map(Command::Perft)
}

fn read_bench(mut words: Words, remarks: &mut Vec<Remark>) -> Option<Command> {
    match words.next() {
        None => Some(Command::Bench(None)),
        Some(word) => read_depth("bench", word, remarks).map(|depth| Command::Bench(Some(depth))),
    }
}

fn read_depth(command: &'static str, word: &str, remarks: &mut Vec<Remark>) -> Option<u32> {
    let depth = saturating_number(word).filter(|_| !word.starts_with('-'));
    let depth = depth.and_then(|depth| u32::try_from(depth).ok());
    if depth.is_none() {
        remarks.push(Remark::BadDepth { command, word: word.into() });
    }
    depth
}

fn read_debug(mut words: Words, remarks: &mut Vec<Remark>) -> Option<Command> {
    match words.next() {
        Some("on") => Some(Command::Debug(true)),
        Some("off") => Some(Command::Debug(false)),
        _ => {
            remarks.push(Remark::DebugNeedsOnOrOff);
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
            Command::Bench(None) => f.write_str("bench"),
            Command::Bench(Some(depth)) => write!(f, "bench {depth}"),
            Command::Display => f.write_str("d"),
            Command::Evaluate => f.write_str("eval"),
            Command::Flip => f.write_str("flip"),
            Command::Compiler => f.write_str("compiler"),
            Command::License => f.write_str("license"),
            Command::Help => f.write_str("help"),
        }
    }
}
