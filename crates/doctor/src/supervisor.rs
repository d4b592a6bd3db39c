//! The engine's process: started, restarted after a crash or a hang, never waited for without a limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use uci::client::{Client, ClientError, Direction, Identity, Tap, TranscriptLine};
use uci::{EngineLine, InfoLog, OptionKind};

use super::check::stretch;
use super::incident::{EngineError, IS_READY, Incident};
use super::process_time;
use super::repro_log::ReproLog;
use super::stream_audit::excerpt;
use super::subject::Subject;

/// Crashes and hangs after which the engine is not restarted; hangs take long.
const MAX_INCIDENTS: usize = 30;
const MAX_HANGS: usize = 8;

/// The same for an engine that has not answered a single search.
const MAX_WITHOUT_ANSWER: usize = 4;

/// Incidents with a transcript in the report.
const KEPT_INCIDENTS: usize = 8;

/// Lines of the protocol log in an incident.
const KEPT_LINES: usize = 16;

const START_TIMEOUT: Duration = Duration::from_secs(45);

/// A start gets this long, and more on a busy system, even where the time budget is shorter.
const MIN_START_TIMEOUT: Duration = Duration::from_secs(5);
pub const READY_TIMEOUT: Duration = Duration::from_secs(45);

/// Time to answer `stop`: CPU time, where the system reports it, and wall time.
const STOP_CPU: Duration = Duration::from_secs(4);
const STOP_WALL: Duration = Duration::from_secs(12);
const STOP_MAX: Duration = Duration::from_mins(1);

/// A supervised engine process.
pub struct Supervisor {
    subject: Subject,
    interrupt: Arc<AtomicBool>,
    client: Option<Client>,
    identity: Identity,
    /// Options in addition to the user's, set until the check ends.
    settings: Vec<(String, String)>,
    incidents: Vec<Incident>,
    /// All crashes and hangs, in order.
    errors: Vec<EngineError>,
    starts: u32,
    /// Searches sent, and those that were answered.
    pub searches: u64,
    pub answers: u64,
    /// When the first start has to end, where the time budget says so.
    start_deadline: Option<Instant>,
}

impl Supervisor {
    pub fn new(subject: Subject, interrupt: Arc<AtomicBool>) -> Self {
        Self {
            subject,
            interrupt,
            client: None,
            identity: Identity::default(),
            settings: Vec::new(),
            incidents: Vec::new(),
            errors: Vec::new(),
            starts: 0,
            searches: 0,
            answers: 0,
            start_deadline: None,
        }
    }

    /// Limits the first start to a time budget.
    pub fn limit_first_start(&mut self, budget: Duration) {
        let least = MIN_START_TIMEOUT.mul_f64(stretch(process_time::load()));
        self.start_deadline = Instant::now().checked_add(budget.max(least));
    }

    /// How long to wait for `uciok` or `readyok`.
    fn start_timeout(&self) -> Duration {
        let rest = |end: Instant| end.saturating_duration_since(Instant::now());
        self.start_deadline.map_or(START_TIMEOUT, rest).min(START_TIMEOUT)
    }

    /// Whether the first start was given up because the time budget had ended.
    pub fn is_out_of_time(&self) -> bool {
        self.start_deadline.is_some_and(|end| end <= Instant::now())
    }

    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    pub fn starts(&self) -> u32 {
        self.starts
    }

    /// The first crashes and hangs.
    pub fn incidents(&self) -> &[Incident] {
        &self.incidents
    }

    pub fn incident_count(&self) -> usize {
        self.errors.len()
    }

    pub fn hangs(&self) -> usize {
        self.errors.iter().filter(|&&error| error == EngineError::Hang).count()
    }

    pub fn discard_incidents_after(&mut self, count: usize) {
        self.errors.truncate(count);
        self.incidents.truncate(count);
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// The running process, if there is one.
    pub fn client(&mut self) -> Option<&mut Client> {
        self.client.as_mut()
    }

    pub fn quit(&mut self) {
        if let Some(mut client) = self.client.take() {
            client.quit(Duration::from_secs(1));
        }
    }

    pub fn clear_settings(&mut self) {
        self.settings.clear();
    }

    pub fn remove_setting(&mut self, option: &str) {
        self.settings.retain(|(name, _)| !name.eq_ignore_ascii_case(option));
    }

    pub fn add_setting(&mut self, option: &str, value: &str) {
        self.remove_setting(option);
        self.settings.push((option.to_owned(), value.to_owned()));
    }

    pub fn is_chess960(&self) -> bool {
        self.settings.iter().any(|(name, value)| name.eq_ignore_ascii_case("UCI_Chess960") && value == "true")
    }

    /// The user's value of an option, or its default.
    pub fn original_value(&self, option: &str) -> Option<String> {
        let chosen = self.subject.options.iter().find(|(name, _)| name.eq_ignore_ascii_case(option));
        let default = || match &self.identity.option(option)?.kind {
            OptionKind::Spin { default, .. } => Some(default.to_string()),
            OptionKind::Check { default } => Some(default.to_string()),
            OptionKind::Combo { default, .. } | OptionKind::String { default } => Some(default.clone()),
            OptionKind::Button => None,
        };
        chosen.map(|(_, value)| value.clone()).or_else(default)
    }

    /// `uci` and the options of the user and of the check.
    pub fn opening_lines(&self) -> Vec<String> {
        let options = self.subject.options_for(&self.identity).into_iter().chain(self.settings.clone());
        let lines = options.map(|(name, value)| self.option_line(&name, &value));
        std::iter::once("uci".to_owned()).chain(lines).collect()
    }

    pub fn option_line(&self, name: &str, value: &str) -> String {
        match self.identity.option(name).map(|option| &option.kind) {
            Some(OptionKind::Button) => format!("setoption name {name}"),
            _ => format!("setoption name {name} value {value}"),
        }
    }

    /// Starts the process unless it is running; `true` if it was started. All lines pass the tap.
    ///
    /// # Errors
    /// It cannot be started, or sends no `uciok` or `readyok`.
    pub fn ensure_running(&mut self, tap: Tap, log: &mut ReproLog) -> Result<bool, EngineError> {
        if self.is_interrupted() {
            return Err(EngineError::Interrupted);
        }
        if self.client.is_some() {
            return Ok(false);
        }
        if self.is_given_up() {
            return Err(EngineError::GivenUp);
        }
        self.starts += 1;
        let mut client = match Client::start_with_tap(&self.subject.launch(), Some(tap)) {
            Ok(client) => client,
            Err(error) => return Err(self.fail(&error, log)),
        };
        client.interrupt_by(Arc::clone(&self.interrupt));
        client.limit_writes(READY_TIMEOUT);
        *log = ReproLog::new(vec!["uci".to_owned()]);
        let opened = client.handshake(self.start_timeout()).cloned();
        let ready = opened.and_then(|identity| {
            self.identity = identity;
            *log = ReproLog::new(self.opening_lines());
            for (name, value) in self.subject.options_for(&self.identity).iter().chain(&self.settings) {
                client.set_option(name, value)?;
            }
            client.ready(self.start_timeout()).inspect_err(|_| log.push(IS_READY))
        });
        self.client = Some(client);
        match ready.map_err(|error| self.fail(&error, log)) {
            Ok(_) => {
                self.start_deadline = None;
                Ok(true)
            }
            Err(EngineError::Interrupted) => Err(EngineError::Interrupted),
            Err(_) => Err(EngineError::Start),
        }
    }

    /// Whether a restart would only take time.
    fn is_given_up(&self) -> bool {
        let count = self.incident_count();
        let never_answered = self.answers == 0 && self.searches > 0 && count >= MAX_WITHOUT_ANSWER;
        never_answered || self.hangs() >= MAX_HANGS || count >= MAX_INCIDENTS
    }

    /// Records a crash or a hang and ends the process.
    pub fn fail(&mut self, error: &ClientError, log: &mut ReproLog) -> EngineError {
        let kind = match error {
            ClientError::Interrupted => return EngineError::Interrupted,
            ClientError::Start(..) => EngineError::Start,
            ClientError::Disconnected(_) => EngineError::Crash,
            ClientError::Timeout { .. } | ClientError::NotReading(_) => EngineError::Hang,
        };
        self.errors.push(kind);
        let was_stopped = log.lines().last().is_some_and(|line| line == "stop");
        if kind == EngineError::Hang && was_stopped {
            log.push("# no bestmove");
        }
        if self.incidents.len() < KEPT_INCIDENTS {
            let stderr = self.stderr_line().map_or(String::new(), |line| format!(": {line}"));
            let stop = if was_stopped { " after 'stop'" } else { "" };
            let message = format!("{error}{stop}{stderr}");
            let repro = log.lines().to_vec();
            self.incidents.push(Incident { error: kind, message, transcript: self.transcript(), repro });
        }
        if let Some(mut client) = self.client.take() {
            client.kill();
        }
        kind
    }

    fn transcript(&self) -> Vec<String> {
        let quote = |mut line: TranscriptLine| {
            if line.direction != Direction::ToEngine {
                line.text = excerpt(&line.text);
            }
            line.to_string()
        };
        let lines = |client: &Client| client.transcript().last(KEPT_LINES).into_iter().map(quote).collect();
        self.client.as_ref().map(lines).unwrap_or_default()
    }

    /// The engine's first line on stderr after our last command: assertions and panics are printed there.
    fn stderr_line(&self) -> Option<String> {
        let lines = self.client.as_ref()?.transcript().last(KEPT_LINES);
        let after = lines.iter().rposition(|line| line.direction == Direction::ToEngine).map_or(0, |i| i + 1);
        let line = lines[after..].iter().find(|line| line.direction == Direction::Stderr)?;
        Some(excerpt(line.text.trim()))
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.quit();
    }
}

/// Stops a search that took too long; its last info lines and its move are still used.
pub fn stop_search(client: &mut Client, lines: &mut InfoLog) -> Result<Option<String>, ClientError> {
    let mut best = None;
    client.send("stop")?;
    let started = Instant::now();
    let before = process_time::cpu_time(client.process_id());
    loop {
        let answered = client.wait_for("bestmove", Duration::from_secs(1), |line| match line {
            EngineLine::Info(info) => {
                if info.score.is_some() || !info.pv.is_empty() {
                    lines.push(*info);
                }
                false
            }
            EngineLine::BestMove(answer) => {
                best = answer.best;
                true
            }
            _ => false,
        });
        match answered {
            Ok(()) => return Ok(best),
            Err(ClientError::Timeout { awaited, .. }) => {
                let waited = started.elapsed();
                let after = process_time::cpu_time(client.process_id());
                let cpu = before.zip(after).map(|(before, after)| after.saturating_sub(before));
                let had_enough = cpu.is_none_or(|cpu| cpu > STOP_CPU || waited > STOP_MAX);
                // Without CPU time it will never answer.
                let is_asleep = cpu.is_some_and(|cpu| cpu < waited / 100);
                if waited > STOP_WALL && (had_enough || is_asleep) {
                    return Err(ClientError::Timeout { awaited, waited });
                }
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discarded_hangs_do_not_count() {
        let subject = Subject { command: "nothing".to_owned(), options: Vec::new() };
        let mut supervisor = Supervisor::new(subject, Arc::default());
        supervisor.errors = vec![EngineError::Crash, EngineError::Crash];
        supervisor.errors.extend([EngineError::Hang; MAX_HANGS]);
        assert!(supervisor.is_given_up());
        supervisor.discard_incidents_after(2);
        assert_eq!((supervisor.incident_count(), supervisor.hangs()), (2, 0));
        assert!(!supervisor.is_given_up());
    }
}
