//! `bench` and `speedtest` with the arguments that Stockfish takes, in its order.

use std::fmt;

use crate::Warning;
use crate::tokens::{Tokens, saturating_number};

/// What limits each search of a bench.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BenchLimit {
    /// Plies.
    #[default]
    Depth,
    /// Nodes.
    Nodes,
    /// Milliseconds.
    MoveTime,
    /// A mate in this many moves.
    Mate,
    /// Leaf nodes of this depth are counted instead.
    Perft,
    /// Positions are evaluated instead.
    Eval,
}

impl BenchLimit {
    /// All of them.
    pub const ALL: [BenchLimit; 6] = [
        BenchLimit::Depth,
        BenchLimit::Nodes,
        BenchLimit::MoveTime,
        BenchLimit::Mate,
        BenchLimit::Perft,
        BenchLimit::Eval,
    ];

    /// Its name as an argument.
    pub const fn name(self) -> &'static str {
        match self {
            BenchLimit::Depth => "depth",
            BenchLimit::Nodes => "nodes",
            BenchLimit::MoveTime => "movetime",
            BenchLimit::Mate => "mate",
            BenchLimit::Perft => "perft",
            BenchLimit::Eval => "eval",
        }
    }
}

/// `bench [HASH] [THREADS] [LIMIT] [FILE] [TYPE]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchCommand {
    /// Hash table in MiB.
    pub hash_mb: usize,
    /// Search threads.
    pub threads: usize,
    /// The limit of each search.
    pub limit: u64,
    /// `default` for the fixed positions, `current` for the current one, or a file with one FEN per line.
    pub file: String,
    /// What the limit counts.
    pub kind: BenchLimit,
}

impl BenchCommand {
    /// The fixed positions.
    pub const DEFAULT_FILE: &'static str = "default";
    /// The current position.
    pub const CURRENT_FILE: &'static str = "current";
}

impl Default for BenchCommand {
    fn default() -> BenchCommand {
        let file = BenchCommand::DEFAULT_FILE.to_owned();
        BenchCommand { hash_mb: 16, threads: 1, limit: 13, file, kind: BenchLimit::Depth }
    }
}

impl BenchCommand {
    /// Parses what follows `bench`. `None`, and a warning, if an argument is invalid.
    pub(crate) fn parse(mut tokens: Tokens, warnings: &mut Vec<Warning>) -> Option<BenchCommand> {
        let mut bench = BenchCommand::default();
        bench.hash_mb = number("bench", "hash", &mut tokens, warnings, bench.hash_mb)?;
        bench.threads = number("bench", "threads", &mut tokens, warnings, bench.threads)?;
        bench.limit = number("bench", "limit", &mut tokens, warnings, bench.limit)?;
        if let Some(file) = tokens.next() {
            file.clone_into(&mut bench.file);
        }
        if let Some(name) = tokens.next() {
            let kind = BenchLimit::ALL.into_iter().find(|kind| kind.name() == name);
            let Some(kind) = kind else {
                let (command, argument) = ("bench", "limit type");
                warnings.push(Warning::BadArgument { command, argument, token: name.into() });
                return None;
            };
            bench.kind = kind;
        }
        ignore_rest("bench", &tokens, warnings);
        Some(bench)
    }
}

impl fmt::Display for BenchCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BenchCommand { hash_mb, threads, limit, file, kind } = self;
        write!(f, "bench {hash_mb} {threads} {limit} {file} {}", kind.name())
    }
}

/// `speedtest [THREADS] [HASH] [SECONDS]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpeedTest {
    /// Search threads; all of the machine if missing.
    pub threads: Option<usize>,
    /// Hash table in MiB; 128 for each thread if missing.
    pub hash_mb: Option<usize>,
    /// Length of the test; two and a half minutes if missing.
    pub seconds: Option<u64>,
}

impl SpeedTest {
    /// Parses what follows `speedtest`. `None`, and a warning, if an argument is invalid.
    pub(crate) fn parse(mut tokens: Tokens, warnings: &mut Vec<Warning>) -> Option<SpeedTest> {
        let mut argument = |name| -> Option<Option<u64>> {
            if tokens.peek().is_none() {
                return Some(None);
            }
            number("speedtest", name, &mut tokens, warnings, 0).map(Some)
        };
        let (threads, hash_mb, seconds) = (argument("threads")?, argument("hash")?, argument("seconds")?);
        ignore_rest("speedtest", &tokens, warnings);
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Some(SpeedTest { threads: threads.map(size), hash_mb: hash_mb.map(size), seconds })
    }
}

impl fmt::Display for SpeedTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("speedtest")?;
        // A missing argument has no place before a given one.
        let arguments = [self.threads.map(|n| n as u64), self.hash_mb.map(|n| n as u64), self.seconds];
        arguments.into_iter().map_while(|argument| argument).try_for_each(|number| write!(f, " {number}"))
    }
}

/// The number in the next place, or the default at the end of the line.
fn number<T: TryFrom<u64>>(
    command: &'static str,
    argument: &'static str,
    tokens: &mut Tokens,
    warnings: &mut Vec<Warning>,
    default: T,
) -> Option<T> {
    let Some(token) = tokens.next() else { return Some(default) };
    let number = saturating_number(token).filter(|&number| number > 0);
    let number = number.and_then(|number| T::try_from(number).ok());
    if number.is_none() {
        warnings.push(Warning::BadArgument { command, argument, token: token.into() });
    }
    number
}

fn ignore_rest(command: &'static str, tokens: &Tokens, warnings: &mut Vec<Warning>) {
    if !tokens.rest().is_empty() {
        warnings.push(Warning::IgnoredTokens { command, tokens: tokens.rest().into() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Command, parse};

    fn bench(line: &str) -> BenchCommand {
        match parse(line).command {
            Some(Command::Bench(bench)) => bench,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn bench_takes_the_arguments_of_stockfish() {
        assert_eq!(bench("bench"), BenchCommand::default());
        let (hash_mb, threads, limit, file) = (128, 4, 9, "positions.epd".to_owned());
        let all = BenchCommand { hash_mb, threads, limit, file, kind: BenchLimit::Nodes };
        assert_eq!(bench("bench 128 4 9 positions.epd nodes"), all);
        assert_eq!(bench("bench 128"), BenchCommand { hash_mb: 128, ..BenchCommand::default() });
        assert_eq!(bench("bench 16 1 13 default depth"), BenchCommand::default());
        for kind in BenchLimit::ALL {
            assert_eq!(bench(&format!("bench 16 1 5 current {}", kind.name())).kind, kind);
        }
    }

    #[test]
    fn bad_argument_is_named() {
        for (line, warning) in [
            ("bench abc", "bench: invalid hash 'abc'"),
            ("bench 0", "bench: invalid hash '0'"),
            ("bench 16 -1", "bench: invalid threads '-1'"),
            ("bench 16 1 x", "bench: invalid limit 'x'"),
            ("bench 16 1 5 default plies", "bench: invalid limit type 'plies'"),
            ("speedtest many", "speedtest: invalid threads 'many'"),
        ] {
            let parsed = parse(line);
            assert_eq!(parsed.command, None, "{line}");
            let warnings: Vec<String> = parsed.warnings.iter().map(ToString::to_string).collect();
            assert!(warnings.len() == 1 && warnings[0].starts_with(warning), "{warnings:?}");
        }
        assert_eq!(parse("bench 16 1 5 default depth more").warnings.len(), 1);
    }

    #[test]
    fn speed_test_takes_threads_hash_and_seconds() {
        let test =
            |threads, hash_mb, seconds| Some(Command::SpeedTest(SpeedTest { threads, hash_mb, seconds }));
        assert_eq!(parse("speedtest").command, test(None, None, None));
        assert_eq!(parse("speedtest 4").command, test(Some(4), None, None));
        assert_eq!(parse("speedtest 4 64 10").command, test(Some(4), Some(64), Some(10)));
    }
}
