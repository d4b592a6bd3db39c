//! The syntax of transcripts, one instruction per line:
//!
//! ```text
//! # a comment
//! case 72, 74: what is shown here       a new case, with a fresh process; `case: …` if it has no number
//! start "position startpos" quit        command-line arguments
//! limit stack 64                        KiB of stack (or of address space: limit memory 200000)
//! directory /proc                       where the process starts
//! plain                                 the output of this case need not be UCI
//! send go depth 3                       one line to stdin
//! send 10 times isready                 the same line, several times in one write
//! write "go infinite\nstop\n"           bytes: \n \r \t \0 \\ \" \xHH
//! write 1000000 times "x"               the same bytes, many times
//! expect bestmove *                     reads until a line matches
//! expect 10 times readyok               the same, several times
//! next readyok                          the next line matches
//! absent info string *                  no line skipped by the next `expect` matches
//! silent 300 bestmove *                 no line matches for 300 milliseconds
//! within 200 exit 0                     the instruction takes at most this many milliseconds
//! remember position fen 8/... w - -     the position to check the output against from now on
//! close stdin                           (or stdout)
//! signal TERM                           (or INT)
//! exit 0                                the process exits with this code
//! stderr Nodes searched *               a line on stderr matches; without it nothing may be there
//! ```
//!
//! `within` is checked only in `make proof`, on an idle machine, where its cases run one at a time.
//!
//! A case without `exit` is ended by the runner: `isready`, `readyok`, `quit`, exit code 0.
//! An unexpected `bestmove` fails the case, and so does output that breaks the
//! rules in [`super::rules`].

use std::collections::BTreeSet;

use super::pattern::Pattern;

#[derive(Debug)]
pub struct Case {
    /// Its numbers in `tests/uci/README.md`.
    pub numbers: BTreeSet<u32>,
    pub title: String,
    /// Its line in the file.
    pub line: usize,
    /// Its instructions, with line numbers.
    pub steps: Vec<(usize, Step)>,
}

impl Case {
    /// Whether it has a time limit.
    pub fn is_timed(&self) -> bool {
        self.steps.iter().any(|(_, step)| matches!(step, Step::Within(..)))
    }

    /// Whether it limits the memory of the process.
    pub fn is_limited(&self) -> bool {
        self.steps.iter().any(|(_, step)| matches!(step, Step::LimitMemory(_) | Step::LimitStack(_)))
    }
}

#[derive(Debug)]
pub enum Step {
    Start(Vec<String>),
    /// KiB of stack.
    LimitStack(u64),
    /// KiB of address space.
    LimitMemory(u64),
    /// Where the process starts.
    Directory(String),
    /// The output need not be UCI.
    Plain,
    /// Writes bytes to stdin.
    Write(Vec<u8>),
    /// Reads until a line matches, this many times.
    Expect(usize, Pattern),
    /// The next line matches.
    Next(Pattern),
    /// No line skipped by the next `expect` matches.
    Absent(Pattern),
    /// No line matches for this many milliseconds.
    Silent(u64, Pattern),
    /// The instruction takes at most this many milliseconds.
    Within(u64, Box<Step>),
    /// The position to check the output against.
    Remember(String),
    CloseStdin,
    CloseStdout,
    Signal(String),
    /// The process exits with this code.
    Exit(i32),
    /// A line on stderr matches.
    Stderr(Pattern),
}

/// Reads a whole file.
pub fn parse(text: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at_line = |error: String| format!("line {number}: {error}");
        if let Some(heading) = line.strip_prefix("case") {
            cases.push(parse_heading(heading, number).map_err(at_line)?);
            continue;
        }
        let step = parse_step(line).map_err(at_line)?;
        let case = cases.last_mut().ok_or_else(|| at_line("instruction before the first case".to_owned()))?;
        case.steps.push((number, step));
    }
    Ok(cases)
}

fn parse_heading(heading: &str, line: usize) -> Result<Case, String> {
    let (numbers, title) = heading.split_once(':').ok_or("expected `case NUMBERS: TITLE`")?;
    let numbers = numbers.split(',').map(str::trim).filter(|number| !number.is_empty()).map(str::parse);
    let numbers = numbers.collect::<Result<_, _>>().map_err(|_| "case numbers must be integers")?;
    Ok(Case { numbers, title: title.trim().to_owned(), line, steps: Vec::new() })
}

fn parse_step(line: &str) -> Result<Step, String> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim();
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text:?} is not a number"));
    Ok(match verb {
        "start" => Step::Start(parse_arguments(rest)?),
        "limit" => match rest.split_once(' ') {
            Some(("stack", size)) => Step::LimitStack(number(size)?),
            Some(("memory", size)) => Step::LimitMemory(number(size)?),
            _ => return Err("limit stack|memory KIB".to_owned()),
        },
        "directory" => Step::Directory(rest.to_owned()),
        "plain" => Step::Plain,
        "send" => {
            let (times, text) = parse_times(rest);
            Step::Write(format!("{text}\n").repeat(times).into_bytes())
        }
        "write" => {
            let (times, text) = parse_times(rest);
            Step::Write(parse_bytes(text)?.repeat(times))
        }
        "expect" => {
            let (times, pattern) = parse_times(rest);
            Step::Expect(times, Pattern::new(pattern)?)
        }
        "next" => Step::Next(Pattern::new(rest)?),
        "absent" => Step::Absent(Pattern::new(rest)?),
        "silent" => {
            let (time, pattern) = rest.split_once(' ').ok_or("silent MILLISECONDS PATTERN")?;
            Step::Silent(number(time)?, Pattern::new(pattern)?)
        }
        "within" => {
            let (time, step) = rest.split_once(' ').ok_or("within MILLISECONDS INSTRUCTION")?;
            Step::Within(number(time)?, Box::new(parse_step(step)?))
        }
        "remember" => Step::Remember(rest.to_owned()),
        "close" if rest == "stdin" => Step::CloseStdin,
        "close" if rest == "stdout" => Step::CloseStdout,
        "signal" => Step::Signal(rest.to_owned()),
        "stderr" => Step::Stderr(Pattern::new(rest)?),
        "exit" => Step::Exit(rest.parse().map_err(|_| "exit CODE")?),
        _ => return Err(format!("unknown instruction {line:?}")),
    })
}

/// Strips a leading `N times`.
fn parse_times(text: &str) -> (usize, &str) {
    let parts = text.split_once(" times ").and_then(|(times, rest)| Some((times.parse().ok()?, rest)));
    parts.unwrap_or((1, text))
}

/// Splits at spaces; double quotes keep spaces.
fn parse_arguments(text: &str) -> Result<Vec<String>, String> {
    let mut arguments = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (argument, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or("unclosed quote")?,
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        arguments.push(argument.to_owned());
        rest = after.trim_start();
    }
    Ok(arguments)
}

/// The bytes between double quotes.
fn parse_bytes(text: &str) -> Result<Vec<u8>, String> {
    let text =
        text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).ok_or("bytes must be quoted")?;
    let mut bytes = Vec::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        bytes.push(match chars.next() {
            Some('n') => b'\n',
            Some('r') => b'\r',
            Some('t') => b'\t',
            Some('0') => 0,
            Some('\\') => b'\\',
            Some('"') => b'"',
            Some('x') => {
                let digits: String = chars.by_ref().take(2).collect();
                u8::from_str_radix(&digits, 16).map_err(|_| "\\x needs two hexadecimal digits")?
            }
            other => return Err(format!("unknown escape {other:?}")),
        });
    }
    Ok(bytes)
}
