//! A client for UCI engines: starts the process, sends commands, and never waits without a deadline. Matches, suites and
//! the doctor play through it.
//!
//! Engines are untrusted: reading and writing time out however much or little the engine prints, memory is bounded in
//! bytes, text is sanitised as it is read, and the engine is killed with its owner, together with its child processes.

mod process;
mod reader;
#[cfg(target_os = "linux")]
mod tag;
mod transcript;
mod writer;

pub use transcript::{Direction, Tap, Transcript, TranscriptLine};

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crate::{BestMove, Bound, EngineLine, Info, OptionDeclaration, OptionKind, parse_engine_line};
use process::{Pipes, Process};
use reader::{Inbox, Received, read_lines};
use writer::{WriteError, Writer};

/// Write timeout, unless [`Client::limit_writes`] sets another.
const WRITE_LIMIT: Duration = Duration::from_secs(10);

/// Bytes of option declarations that are kept of an engine.
const MAX_OPTION_BYTES: usize = 1024 * 1024;

/// The stack of a thread that reads lines: small, because a match may have hundreds of them.
const READER_STACK: usize = 256 * 1024;

/// How to start an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program: a path, or a name in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The directory it starts in.
    pub directory: Option<PathBuf>,
}

impl Launch {
    /// The program as it is started. A relative path with a folder in it is relative to the current
    /// directory, not to `directory`, unless it exists only there.
    pub fn path(&self) -> PathBuf {
        let program = &self.program;
        let bare_name = program.components().count() == 1 && !program.starts_with(".");
        let here = std::path::absolute(program).unwrap_or_else(|_| program.clone());
        if program.is_absolute() {
            return program.clone();
        }
        if !bare_name && here.is_file() {
            return here;
        }
        if let Some(directory) = &self.directory {
            let there = directory.join(program);
            if there.is_file() {
                return std::path::absolute(&there).unwrap_or(there);
            }
        }
        // A bare name: a file in the current directory, as in cutechess-cli and fastchess; otherwise PATH is
        // searched.
        if here.is_file() { here } else { program.clone() }
    }
}

/// What can go wrong with an engine.
#[derive(Debug)]
pub enum ClientError {
    /// The program could not be started.
    Start(PathBuf, std::io::Error),
    /// The engine exited or closed its output; its exit status, where known.
    Disconnected(Option<ExitStatus>),
    /// The engine did not answer in time.
    Timeout {
        /// The expected token.
        awaited: &'static str,
        /// How long.
        waited: Duration,
    },
    /// The engine did not read its input for this long.
    NotReading(Duration),
    /// The interrupt flag was set.
    Interrupted,
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(program, error) => write!(f, "cannot start {}: {error}", program.display()),
            Self::Disconnected(Some(status)) => write!(f, "engine exited ({status})"),
            Self::Disconnected(None) => f.write_str("engine closed its output"),
            Self::Timeout { awaited, waited } => {
                write!(f, "no '{awaited}' within {} ms", waited.as_millis())
            }
            Self::NotReading(waited) => {
                write!(f, "engine did not read its input for {} ms", waited.as_millis())
            }
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for ClientError {}

/// What the engine reports about itself after `uci`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// `id name`; empty when not given.
    pub name: String,
    /// `id author`; empty when not given.
    pub author: String,
    /// The options it offers.
    pub options: Vec<OptionDeclaration>,
}

impl Identity {
    /// The declaration of an option; case does not matter.
    pub fn option(&self, name: &str) -> Option<&OptionDeclaration> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }
}

/// A finished search.
#[derive(Clone, Debug)]
pub struct SearchOutcome {
    /// The move.
    pub best: BestMove,
    /// From the moment `go` was sent to the moment `bestmove` was read.
    pub elapsed: Duration,
    /// The last line with a score (of the best of several lines); an exact score wins over a bound of the same depth.
    pub last_info: Option<Info>,
}

/// A running engine. Dropping it kills the process, and on Unix its child processes.
#[derive(Debug)]
pub struct Client {
    process: Process,
    stdin: Option<Writer>,
    stderr: Option<JoinHandle<()>>,
    inbox: Inbox,
    transcript: Transcript,
    identity: Identity,
    interrupt: Option<Arc<AtomicBool>>,
    write_limit: Duration,
}

impl Client {
    /// Starts the process and the threads that read its output.
    ///
    /// # Errors
    /// The program cannot be started, or the system has no threads left.
    pub fn start(launch: &Launch) -> Result<Self, ClientError> {
        Self::start_with_tap(launch, None)
    }

    /// As [`Client::start`]; `tap` gets every line in both directions.
    ///
    /// # Errors
    /// The program cannot be started, or the system has no threads left.
    pub fn start_with_tap(launch: &Launch, tap: Option<Tap>) -> Result<Self, ClientError> {
        let program = launch.path();
        let failed = |error| ClientError::Start(program.clone(), error);
        let (process, pipes) = Process::start(&program, launch).map_err(failed)?;
        let Pipes { stdin, stdout, stderr } = pipes;
        let transcript = Transcript::new(tap);
        let inbox = Inbox::default();
        if let Some(stdout) = stdout {
            let (inbox, transcript) = (inbox.clone(), transcript.clone());
            let read = move || {
                read_lines(stdout, |line| {
                    transcript.add(Direction::FromEngine, &line);
                    inbox.push(line);
                });
                inbox.close();
            };
            reader_thread("engine stdout", read).map_err(failed)?;
        }
        let read_stderr = |stderr| {
            let transcript = transcript.clone();
            let read = move || read_lines(stderr, |line| transcript.add(Direction::Stderr, &line));
            reader_thread("engine stderr", read)
        };
        let stderr = stderr.map(read_stderr).transpose().map_err(failed)?;
        Ok(Self {
            process,
            stdin: stdin.map(Writer::new),
            stderr,
            inbox,
            transcript,
            identity: Identity::default(),
            interrupt: None,
            write_limit: WRITE_LIMIT,
        })
    }

    /// The process ID.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Closes the engine's stdin, as when a GUI dies, and waits for the process to exit by itself.
    pub fn close_input(&mut self, limit: Duration) -> Option<ExitStatus> {
        self.stdin = None;
        self.process.wait_until(Instant::now() + limit)
    }

    /// Ends all waits when another thread sets `flag`.
    pub fn interrupt_by(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = Some(flag);
    }

    /// How long the engine may leave its input unread before [`Client::send`] fails.
    pub fn limit_writes(&mut self, limit: Duration) {
        self.write_limit = limit;
    }

    /// Sends one line.
    ///
    /// # Errors
    /// The engine is gone, or does not read.
    pub fn send(&mut self, line: &str) -> Result<(), ClientError> {
        self.send_within(line, self.write_limit)
    }

    fn send_within(&mut self, line: &str, limit: Duration) -> Result<(), ClientError> {
        self.transcript.add(Direction::ToEngine, line);
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        // One write for the whole line, so that the engine never sees half a command.
        let interrupt = self.interrupt.as_ref();
        let interrupted = || interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
        let Some(stdin) = &mut self.stdin else { return Err(self.disconnected()) };
        stdin.write(&bytes, limit, interrupted).map_err(|error| match error {
            WriteError::Closed => self.disconnected(),
            WriteError::Timeout => ClientError::NotReading(limit),
            WriteError::Interrupted => ClientError::Interrupted,
        })
    }

    /// `uci` … `uciok`; remembers what the engine reports about itself.
    ///
    /// # Errors
    /// The engine is gone, or silent for `limit`.
    pub fn handshake(&mut self, limit: Duration) -> Result<&Identity, ClientError> {
        self.identity = Identity::default();
        let mut identity = Identity::default();
        let mut option_bytes = 0;
        self.send("uci")?;
        self.wait_for("uciok", limit, |line| {
            match line {
                EngineLine::Name(name) => identity.name = name,
                EngineLine::Author(author) => identity.author = author,
                EngineLine::Option(option) => {
                    option_bytes += option.to_string().len();
                    if option_bytes <= MAX_OPTION_BYTES {
                        identity.options.push(option);
                    }
                }
                EngineLine::UciOk => return true,
                _ => {}
            }
            false
        })?;
        self.identity = identity;
        Ok(&self.identity)
    }

    /// What the engine reported in the last handshake.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Sets an option; a button takes no value.
    ///
    /// # Errors
    /// The engine is gone.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let declared = self.identity.option(name);
        let name = declared.map_or(name, |option| option.name.as_str()).to_owned();
        match declared.map(|option| &option.kind) {
            Some(OptionKind::Button) => self.send(&format!("setoption name {name}")),
            _ => self.send(&format!("setoption name {name} value {value}")),
        }
    }

    /// `isready` … `readyok`. A `bestmove` of an earlier search that arrives before is counted and discarded.
    ///
    /// # Errors
    /// The engine is gone, or silent for `limit`.
    pub fn ready(&mut self, limit: Duration) -> Result<u32, ClientError> {
        let mut stray_best_moves = 0;
        self.send("isready")?;
        self.wait_for("readyok", limit, |line| {
            stray_best_moves += u32::from(matches!(line, EngineLine::BestMove(_)));
            line == EngineLine::ReadyOk
        })?;
        Ok(stray_best_moves)
    }

    /// Sends `position` and `go`, then waits for the move, at most `limit` from `go` on. `on_info` gets every `info`
    /// line, after the clock has stopped wherever possible.
    ///
    /// # Errors
    /// The engine is gone, or did not answer in time.
    pub fn search(
        &mut self,
        position: &str,
        go: &str,
        limit: Duration,
        on_info: impl FnMut(&Info),
    ) -> Result<SearchOutcome, ClientError> {
        self.send(position)?;
        self.send(go)?;
        self.await_move(limit, on_info)
    }

    /// Ends the pondering that `go ponder` began: the expected move was played. Waits for the move as [`Client::search`]
    /// does, at most `limit` from now on.
    ///
    /// # Errors
    /// The engine is gone, or did not answer in time.
    pub fn ponder_hit(
        &mut self,
        limit: Duration,
        on_info: impl FnMut(&Info),
    ) -> Result<SearchOutcome, ClientError> {
        self.send("ponderhit")?;
        self.await_move(limit, on_info)
    }

    fn await_move(
        &mut self,
        limit: Duration,
        mut on_info: impl FnMut(&Info),
    ) -> Result<SearchOutcome, ClientError> {
        let mut wait = Wait::new("bestmove", limit);
        let mut last: Option<Info> = None;
        loop {
            let mut received = self.next_lines(&mut wait)?;
            while let Some(line) = received.pop_front() {
                match parse_engine_line(&line.text) {
                    EngineLine::Info(info) => {
                        on_info(&info);
                        keep_better(&mut last, *info);
                    }
                    EngineLine::BestMove(best) => {
                        // What came with it is kept: a second `bestmove` is counted before the next search.
                        self.inbox.put_back(received.into_iter());
                        let elapsed = line.at.saturating_duration_since(wait.started);
                        return Ok(SearchOutcome { best, elapsed, last_info: last });
                    }
                    _ => {}
                }
            }
        }
    }

    /// Stops a running search and discards its move. Returns the last line with a score.
    ///
    /// # Errors
    /// The engine is gone, or silent for `limit`.
    pub fn abandon_search(&mut self, limit: Duration) -> Result<Option<Info>, ClientError> {
        let mut last = None;
        self.send("stop")?;
        self.wait_for("bestmove", limit, |line| {
            if let EngineLine::Info(info) = line {
                keep_better(&mut last, *info);
                return false;
            }
            matches!(line, EngineLine::BestMove(_))
        })?;
        Ok(last)
    }

    /// Waits for a line that `accept` returns true for.
    ///
    /// # Errors
    /// The engine is gone, or the time is over.
    pub fn wait_for(
        &mut self,
        awaited: &'static str,
        limit: Duration,
        mut accept: impl FnMut(EngineLine) -> bool,
    ) -> Result<(), ClientError> {
        let mut wait = Wait::new(awaited, limit);
        loop {
            let mut received = self.next_lines(&mut wait)?;
            while let Some(line) = received.pop_front() {
                if accept(parse_engine_line(&line.text)) {
                    self.inbox.put_back(received.into_iter());
                    return Ok(());
                }
            }
        }
    }

    /// The last lines in both directions, oldest first.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Sends `quit`, and kills the process after `grace`. Returns its exit status.
    pub fn quit(&mut self, grace: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + grace;
        let sent = self.send_within("quit", grace);
        self.stdin = None;
        // An engine that does not read will not quit.
        let deadline = if sent.is_ok() { deadline } else { Instant::now() };
        self.process.wait_until(deadline).or_else(|| self.kill())
    }

    /// Kills the process and its child processes, and reaps it.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        self.stdin = None;
        self.process.kill()
    }

    /// The lines received, as soon as one of them is not an `info` line.
    fn next_lines(&mut self, wait: &mut Wait) -> Result<VecDeque<Received>, ClientError> {
        /// How long an interrupt may go unnoticed.
        const SLICE: Duration = Duration::from_millis(100);
        while !wait.is_over {
            if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(ClientError::Interrupted);
            }
            let left = wait.limit.saturating_sub(wait.started.elapsed());
            wait.is_over = left.is_zero();
            match self.inbox.wait(left.min(SLICE)) {
                Some(lines) if lines.is_empty() => return Err(self.disconnected()),
                Some(lines) => return Ok(lines),
                None => {}
            }
        }
        Err(ClientError::Timeout { awaited: wait.awaited, waited: wait.limit })
    }

    /// The error for an engine that is gone, with its exit status if it has exited or exits at once. Its last lines on
    /// stderr are in the transcript then.
    fn disconnected(&mut self) -> ClientError {
        for _ in 0..50 {
            if self.process.has_exited() && self.stderr.as_ref().is_none_or(JoinHandle::is_finished) {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        ClientError::Disconnected(self.process.poll())
    }
}

/// Waiting for a line. It also times out if the engine never stops printing: the lines received by then are checked
/// once.
struct Wait {
    awaited: &'static str,
    started: Instant,
    limit: Duration,
    is_over: bool,
}

impl Wait {
    fn new(awaited: &'static str, limit: Duration) -> Self {
        Self { awaited, started: Instant::now(), limit, is_over: false }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if !self.process.has_exited() {
            self.quit(Duration::from_millis(500));
        }
        self.inbox.abandon();
    }
}

fn reader_thread(name: &str, read: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    Builder::new().name(name.to_owned()).stack_size(READER_STACK).spawn(read)
}

/// Keeps the newest line with a score; a bound does not replace an exact score of the same depth.
fn keep_better(last: &mut Option<Info>, info: Info) {
    if info.score.is_none() || info.multipv.is_some_and(|rank| rank > 1) {
        return;
    }
    let only_bound = info.bound != Bound::Exact
        && last.as_ref().is_some_and(|old| old.bound == Bound::Exact && old.depth == info.depth);
    if !only_bound {
        *last = Some(info);
    }
}
