//! Runs one case against a fresh process.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::pattern::{Bindings, Pattern};
use super::process::{Process, Reading, Setting};
use super::rules::Watcher;
use super::script::{Case, Step};

/// The timeout of everything. Generous: the machine may be busy.
fn patience() -> Duration {
    let seconds = std::env::var("UCI_PATIENCE").ok().and_then(|text| text.parse().ok());
    seconds.map_or(Duration::from_mins(2), Duration::from_secs)
}

/// Longer lines are cut in the report.
const SHOWN_CHARS: usize = 160;

/// A failure and the session before it.
pub struct Failure {
    /// The line of the transcript.
    pub line: usize,
    /// What went wrong.
    pub reason: String,
    /// The session, one entry per line.
    pub conversation: String,
}

struct Player {
    process: Process,
    watcher: Watcher,
    /// Written since the last newline.
    unfinished: Vec<u8>,
    bindings: Bindings,
    absent: Vec<Pattern>,
    /// The deadline of the current instruction.
    patience: Duration,
    /// Whether `within` is checked.
    timed: bool,
    conversation: String,
    ended: bool,
}

/// Runs `case` against `program`; `timed` checks `within` as well.
pub fn play(program: &str, case: &Case, timed: bool) -> Result<(), Failure> {
    let mut setting = Setting::default();
    let mut watcher = Watcher::new();
    for (_, step) in &case.steps {
        match step {
            Step::Start(arguments) => setting.arguments.clone_from(arguments),
            Step::LimitStack(kib) => setting.stack = Some(*kib),
            Step::LimitMemory(kib) => setting.memory = Some(*kib),
            Step::Directory(path) => setting.directory = Some(path.clone()),
            Step::Plain => watcher.plain = true,
            _ => {}
        }
    }
    // A script on the command line is input like any other.
    setting.arguments.iter().for_each(|argument| watcher.sent(argument));
    let started = Process::start(program, &setting);
    let process = started.map_err(|error| Failure {
        line: case.line,
        reason: format!("cannot start: {error}"),
        conversation: String::new(),
    })?;
    let mut player = Player {
        process,
        watcher,
        unfinished: Vec::new(),
        bindings: Bindings::new(),
        absent: Vec::new(),
        patience: patience(),
        timed,
        conversation: String::new(),
        ended: false,
    };
    let outcome = player.play_all(case);
    let Player { process, mut conversation, .. } = player;
    let stderr = process.end();
    if !stderr.is_empty() {
        let _ = writeln!(conversation, "  on standard error: {stderr}");
    }
    outcome
        .and_then(|()| check_stderr(case, &stderr).map_err(|reason| (case.line, reason)))
        .map_err(|(line, reason)| Failure { line, reason, conversation })
}

/// What the case expects is on stderr; if it expects nothing, nothing is.
fn check_stderr(case: &Case, stderr: &str) -> Result<(), String> {
    let steps = case.steps.iter().map(|(_, step)| step);
    let expected: Vec<&Pattern> = steps
        .filter_map(|step| if let Step::Stderr(pattern) = step { Some(pattern) } else { None })
        .collect();
    if expected.is_empty() && !stderr.is_empty() {
        return Err("output on stderr".to_owned());
    }
    let is_there = |pattern: &Pattern| stderr.lines().any(|line| pattern.matches(line, &mut Bindings::new()));
    match expected.into_iter().find(|pattern| !is_there(pattern)) {
        Some(missing) => Err(format!("{missing} is not on stderr")),
        None => Ok(()),
    }
}

type Located = (usize, String);

impl Player {
    fn play_all(&mut self, case: &Case) -> Result<(), Located> {
        for (line, step) in &case.steps {
            self.step(step).map_err(|reason| (*line, reason))?;
        }
        if !self.ended {
            self.take_leave().map_err(|reason| (case.line, format!("at the end of the case: {reason}")))?;
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Start(_)
            | Step::LimitStack(_)
            | Step::LimitMemory(_)
            | Step::Directory(_)
            | Step::Stderr(_)
            | Step::Plain => {}
            Step::Write(bytes) => self.write(bytes),
            Step::Expect(times, pattern) => (0..*times).try_for_each(|_| self.expect(pattern))?,
            Step::Next(pattern) => match self.read(Instant::now() + self.patience)? {
                Some(line) if pattern.matches(&line, &mut self.bindings) => {}
                Some(line) => return Err(format!("expected {pattern}, got {line}")),
                None => return Err(format!("expected {pattern}, got nothing")),
            },
            Step::Absent(pattern) => self.absent.push(pattern.clone()),
            Step::Silent(milliseconds, pattern) => {
                let deadline = Instant::now() + Duration::from_millis(*milliseconds);
                while let Some(line) = self.read(deadline)? {
                    if pattern.matches(&line, &mut self.bindings) {
                        return Err(format!("{line} came too early"));
                    }
                    forbid_unexpected_best_move(&line)?;
                }
            }
            Step::Within(milliseconds, step) => {
                if self.timed {
                    self.patience = Duration::from_millis(*milliseconds);
                }
                let done = self.step(step);
                self.patience = patience();
                done?;
            }
            Step::Remember(command) => self.watcher.sent(command),
            Step::CloseStdin => self.process.close_stdin(),
            Step::CloseStdout => self.process.close_stdout(),
            Step::Signal(name) => self.process.signal(name),
            Step::Exit(code) => self.expect_exit(*code)?,
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) {
        // A line may be written in several pieces; the watcher sees it when it is whole.
        self.unfinished.extend_from_slice(bytes);
        while let Some(end) = self.unfinished.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.unfinished.drain(..=end).collect();
            self.watcher.sent(String::from_utf8_lossy(&line).trim());
        }
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN_CHARS)]);
        text.lines().for_each(|line| self.note('>', line));
        self.process.write(bytes);
    }

    /// The next line, checked against the rules. `None` when none comes before the deadline, or ever.
    fn read(&mut self, deadline: Instant) -> Result<Option<String>, String> {
        let Reading::Line(line) = self.process.read(deadline) else { return Ok(None) };
        self.note('<', &line);
        self.watcher.came(&line).map_err(|reason| format!("{line}: {reason}"))?;
        Ok(Some(line))
    }

    fn expect(&mut self, pattern: &Pattern) -> Result<(), String> {
        let absent = std::mem::take(&mut self.absent);
        let deadline = Instant::now() + self.patience;
        while let Some(line) = self.read(deadline)? {
            if pattern.matches(&line, &mut self.bindings) {
                return Ok(());
            }
            if let Some(absent) = absent.iter().find(|absent| absent.matches(&line, &mut self.bindings)) {
                return Err(format!("{line} fits {absent}, which should be absent"));
            }
            forbid_unexpected_best_move(&line)?;
        }
        Err(format!("expected {pattern} before the timeout"))
    }

    fn expect_exit(&mut self, expected: i32) -> Result<(), String> {
        let deadline = Instant::now() + self.patience;
        let absent = std::mem::take(&mut self.absent);
        loop {
            match self.process.read(deadline) {
                Reading::Line(line) => {
                    self.note('<', &line);
                    self.watcher.came(&line).map_err(|reason| format!("{line}: {reason}"))?;
                    forbid_unexpected_best_move(&line)?;
                    if absent.iter().any(|absent| absent.matches(&line, &mut self.bindings)) {
                        return Err(format!("{line} should be absent"));
                    }
                }
                Reading::Silence => return Err("the process does not exit".to_owned()),
                Reading::End => break,
            }
        }
        self.ended = true;
        match self.process.exit_code(deadline) {
            Some(code) if code == expected => Ok(()),
            Some(code) => Err(format!("exit code {code} instead of {expected}")),
            None => Err("the process does not exit".to_owned()),
        }
    }

    /// The engine still answers and exits.
    fn take_leave(&mut self) -> Result<(), String> {
        if self.watcher.is_searching() {
            return Err("a search has no bestmove".to_owned());
        }
        self.write(b"isready\n");
        self.expect(&Pattern::new("readyok")?)?;
        self.write(b"quit\n");
        self.expect_exit(0)
    }

    fn note(&mut self, direction: char, line: &str) {
        let shown: String = line.chars().take(SHOWN_CHARS).collect();
        let _ = writeln!(self.conversation, "  {direction} {shown}");
    }
}

fn forbid_unexpected_best_move(line: &str) -> Result<(), String> {
    if line.starts_with("bestmove") { Err(format!("unexpected {line}")) } else { Ok(()) }
}
