//! The engine under test. All checks go through it: it combines the supervised process, the log of commands that
//! reproduces a finding, and the audit of everything the engine sends.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use arena::game::{game_command, start_command};
use chess::{Game, Position};
use uci::client::{Client, ClientError, Identity};
use uci::{Info, InfoLog, OptionKind, looks_like_move};

use super::incident::{EngineError, Incident};
use super::process_time;
use super::repro_log::ReproLog;
use super::search_output::SearchOutput;
use super::stream_audit::{StreamAudit, excerpt};
use super::subject::Subject;
use super::supervisor::{READY_TIMEOUT, Supervisor, stop_search};

/// Why there was no first start.
pub enum StartError {
    /// No `uciok` or no `readyok`.
    Failed {
        incident: Incident,
        /// The time budget ended before the usual time for a start.
        out_of_time: bool,
    },
    /// Ctrl-C.
    Interrupted,
}

pub struct EngineUnderTest {
    process: Supervisor,
    repro: ReproLog,
    audit: StreamAudit,
    handshake: Duration,
    /// Final node count of the last search of this process.
    last_nodes: u64,
    subtracts_nodes: bool,
}

impl EngineUnderTest {
    /// Starts the engine for the first time, within a time budget if there is one.
    ///
    /// # Errors
    /// What happened.
    pub fn start(
        subject: Subject,
        interrupt: Arc<AtomicBool>,
        budget: Option<Duration>,
    ) -> Result<Self, StartError> {
        let mut engine = Self {
            process: Supervisor::new(subject, interrupt),
            repro: ReproLog::default(),
            audit: StreamAudit::default(),
            handshake: Duration::ZERO,
            last_nodes: 0,
            subtracts_nodes: false,
        };
        if let Some(budget) = budget {
            engine.process.limit_first_start(budget);
        }
        let started = Instant::now();
        match engine.ensure_running() {
            Ok(()) => {
                engine.handshake = started.elapsed();
                Ok(engine)
            }
            Err(_) => Err(match engine.process.incidents().first() {
                Some(incident) => StartError::Failed {
                    incident: incident.clone(),
                    out_of_time: incident.error == EngineError::Hang && engine.process.is_out_of_time(),
                },
                None => StartError::Interrupted,
            }),
        }
    }

    pub fn process(&self) -> &Supervisor {
        &self.process
    }

    pub fn audit(&self) -> &StreamAudit {
        &self.audit
    }

    pub fn subject(&self) -> &Subject {
        self.process.subject()
    }

    pub fn identity(&self) -> &Identity {
        self.process.identity()
    }

    pub fn has_option(&self, option: &str) -> bool {
        self.identity().option(option).is_some()
    }

    /// The range of a spin option.
    pub fn range(&self, option: &str) -> Option<(i64, i64)> {
        match self.identity().option(option)?.kind {
            OptionKind::Spin { min, max, .. } => Some((min, max)),
            _ => None,
        }
    }

    /// Time from the start of the process to `readyok`.
    pub fn handshake_time(&self) -> Duration {
        self.handshake
    }

    pub fn is_interrupted(&self) -> bool {
        self.process.is_interrupted()
    }

    pub fn incident_count(&self) -> usize {
        self.process.incident_count()
    }

    /// Discards crashes and hangs that were provoked by input that no GUI sends.
    pub fn discard_incidents_after(&mut self, count: usize) {
        self.process.discard_incidents_after(count);
    }

    /// From now on the nodes of the search before are subtracted: the engine does not reset its counter.
    pub fn subtract_previous_nodes(&mut self) {
        self.subtracts_nodes = true;
    }

    /// Ends the process; the next command starts another.
    pub fn quit(&mut self) {
        self.process.quit();
    }

    /// A new process with the user's options only.
    ///
    /// # Errors
    /// It does not start.
    pub fn restart(&mut self) -> Result<(), EngineError> {
        self.process.quit();
        self.process.clear_settings();
        self.ensure_running()
    }

    fn ensure_running(&mut self) -> Result<(), EngineError> {
        if self.process.ensure_running(self.audit.tap(), &mut self.repro)? {
            self.last_nodes = 0;
        }
        Ok(())
    }

    /// Sets an option until [`Self::restart`] or [`Self::unset`]; unknown options are ignored.
    ///
    /// # Errors
    /// The engine crashed or hung.
    pub fn set(&mut self, option: &str, value: &str) -> Result<(), EngineError> {
        if !self.has_option(option) {
            return Ok(());
        }
        self.process.add_setting(option, value);
        self.with_client(|client| {
            client.set_option(option, value).and_then(|()| client.ready(READY_TIMEOUT))
        })?;
        self.repro.push(self.process.option_line(option, value));
        Ok(())
    }

    /// Sets an option back to the user's value, or to its default.
    ///
    /// # Errors
    /// The engine crashed or hung.
    pub fn unset(&mut self, option: &str) -> Result<(), EngineError> {
        let Some(value) = self.process.original_value(option) else { return Ok(()) };
        self.set(option, &value)?;
        self.process.remove_setting(option);
        Ok(())
    }

    /// `ucinewgame`, and `Clear Hash` where there is such a button.
    ///
    /// # Errors
    /// The engine crashed or hung.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.ensure_running()?;
        let clear = self.has_option("Clear Hash");
        self.with_client(|client| {
            client.send("ucinewgame")?;
            if clear {
                client.set_option("Clear Hash", "")?;
            }
            client.ready(READY_TIMEOUT)
        })?;
        self.repro.new_game(self.process.opening_lines());
        if clear {
            self.repro.push(self.process.option_line("Clear Hash", ""));
        }
        Ok(())
    }

    /// `ucinewgame` without `Clear Hash`.
    ///
    /// # Errors
    /// The engine crashed or hung.
    pub fn only_new_game(&mut self) -> Result<(), EngineError> {
        self.with_client(|client| client.send("ucinewgame").and_then(|()| client.ready(READY_TIMEOUT)))?;
        self.repro.push("ucinewgame");
        Ok(())
    }

    /// Searches a position; after `cap` the search is stopped.
    ///
    /// # Errors
    /// The engine crashed or hung.
    pub fn search(
        &mut self,
        position: &Position,
        go: &str,
        cap: Duration,
    ) -> Result<SearchOutput, EngineError> {
        let command = start_command(position, self.process.is_chess960());
        self.run_search(&command, *position, go, cap)
    }

    /// Searches the current position of a game.
    ///
    /// # Errors
    /// The engine crashed or hung.
    pub fn search_game(&mut self, game: &Game, go: &str, cap: Duration) -> Result<SearchOutput, EngineError> {
        let command = game_command(game, self.process.is_chess960());
        self.run_search(&command, *game.position(), go, cap)
    }

    /// [`Self::search`] after [`Self::new_game`].
    ///
    /// # Errors
    /// The engine crashed or hung.
    pub fn search_fresh(
        &mut self,
        position: &Position,
        go: &str,
        cap: Duration,
    ) -> Result<SearchOutput, EngineError> {
        self.new_game()?;
        self.search(position, go, cap)
    }

    fn run_search(
        &mut self,
        command: &str,
        position: Position,
        go: &str,
        cap: Duration,
    ) -> Result<SearchOutput, EngineError> {
        self.with_client(|client| client.ready(READY_TIMEOUT))?;
        self.repro.search(command, go);
        self.process.searches += 1;
        let mut result = SearchOutput {
            position,
            before: self.repro.before().to_vec(),
            asked: Vec::new(),
            best: None,
            malformed: None,
            lines: Vec::new(),
            elapsed: Duration::ZERO,
            cpu: None,
            cut_short: false,
        };
        let mut lines = InfoLog::default();
        let Some(client) = self.process.client() else { return Err(EngineError::Start) };
        let process_id = client.process_id();
        let cpu_before = process_time::cpu_time(process_id);
        let started = Instant::now();
        let keep = |info: &Info| {
            if info.score.is_some() || !info.pv.is_empty() || info.nodes.is_some() {
                lines.push(info.clone());
            }
        };
        let answer = match client.search(command, go, cap, keep) {
            Ok(answer) => Ok((answer.best.best, answer.elapsed)),
            Err(ClientError::Timeout { .. }) => {
                result.cut_short = true;
                self.repro.stopped(cap);
                stop_search(client, &mut lines).map(|best| (best, started.elapsed()))
            }
            Err(error) => Err(error),
        };
        let cpu_after = process_time::cpu_time(process_id);
        let (best, elapsed) = answer.map_err(|error| self.fail(&error))?;
        result.lines = lines.into_lines();
        (result.best, result.malformed) = split_malformed(best);
        result.elapsed = elapsed;
        result.cpu = cpu_before.zip(cpu_after).map(|(before, after)| after.saturating_sub(before));
        self.process.answers += 1;
        let before = std::mem::replace(&mut self.last_nodes, result.nodes());
        if self.subtracts_nodes {
            result.subtract_nodes(before);
        }
        self.repro.answered();
        result.asked = self.repro.lines().to_vec();
        self.audit.add(&result);
        Ok(result)
    }

    /// Uses the process directly; an error counts as a crash or a hang.
    ///
    /// # Errors
    /// The engine crashed or hung.
    pub fn with_client<T>(
        &mut self,
        use_client: impl FnOnce(&mut Client) -> Result<T, ClientError>,
    ) -> Result<T, EngineError> {
        self.ensure_running()?;
        let Some(client) = self.process.client() else { return Err(EngineError::Start) };
        match use_client(client) {
            Ok(done) => {
                self.audit.attribute(self.repro.lines());
                Ok(done)
            }
            Err(error) => Err(self.fail(&error)),
        }
    }

    fn fail(&mut self, error: &ClientError) -> EngineError {
        self.audit.attribute(self.repro.lines());
        self.process.fail(error, &mut self.repro)
    }

    /// `uci` and the options of the user and of the check.
    pub fn opening_lines(&self) -> Vec<String> {
        self.process.opening_lines()
    }

    /// Logs a command that a check sends with [`Self::with_client`].
    pub fn log_command(&mut self, line: &str) {
        self.repro.push(line);
    }

    /// The commands that led to the current state of the engine, or to its crash.
    pub fn logged_commands(&self) -> Vec<String> {
        self.repro.lines().to_vec()
    }
}

/// Separates a move from what is not in the notation of one.
fn split_malformed(best: Option<String>) -> (Option<String>, Option<String>) {
    match best {
        Some(text) if !looks_like_move(&text) => (None, Some(excerpt(&text))),
        answer => (answer, None),
    }
}
