//! The engine under examination. All checks talk to it through this one door: it starts the process, starts it again
//! after a crash or a hang, never waits without a limit, and keeps book of everything that was said.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chess::{Game, Position};
use serde::{Deserialize, Serialize};
use uci::client::{Client, ClientError, Identity, Launch};
use uci::client_transcript::{Direction, Spoken};
use uci::info::{Bound, Info, OptionKind, Score, looks_like_move};

use super::line_audit::LineAudit;
use super::process_time;
use super::retrace::Retrace;
use super::talk::{Talk, excerpt};
use arena::game::{append_move, start_command};
use support::shell::split_arguments;

/// Which engine, and how it is set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Its program with its arguments, as one line.
    pub command: String,
    /// Options that the user wants set.
    pub options: Vec<(String, String)>,
}

impl Subject {
    /// Command and options as people read them.
    pub fn told(&self) -> String {
        let options = self.options.iter().map(|(name, value)| format!("; {name} = {value}"));
        std::iter::once(self.command.clone()).chain(options).collect()
    }

    /// The options to set: the user's, and one thread unless the user wants more, so that the same question has the same answer.
    pub fn options_for(&self, identity: &Identity) -> Vec<(String, String)> {
        let is_threads = |name: &str| name.eq_ignore_ascii_case("Threads");
        let chosen = self.options.iter().any(|(name, _)| is_threads(name));
        let one = (!chosen && identity.option("Threads").is_some()).then(|| ("Threads".into(), "1".into()));
        one.into_iter().chain(self.options.iter().cloned()).collect()
    }

    fn launch(&self) -> Launch {
        let mut words = split_arguments(&self.command).into_iter();
        let program = PathBuf::from(words.next().unwrap_or_default());
        Launch { program, arguments: words.collect(), directory: None }
    }
}

/// Why the engine gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trouble {
    /// It could not be started, or did not say `uciok`.
    Start,
    /// It ended by itself.
    Crash,
    /// It did not answer, not even after `stop`.
    Hang,
    /// It broke down so often that it is not started again.
    GivenUp,
    /// The user wants to stop.
    Interrupted,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "the engine does not start",
            Self::Crash => "the engine crashed",
            Self::Hang => "the engine does not answer",
            Self::GivenUp => "the engine broke down too often",
            Self::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for Trouble {}

/// A breakdown, with what led to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Incident {
    /// What happened.
    pub trouble: Trouble,
    /// In the engine's or the system's words.
    pub words: String,
    /// The last lines of the conversation.
    pub transcript: Vec<String>,
    /// Lines to send to see it again.
    pub repro: Vec<String>,
}

/// The question that is answered by `readyok`.
const IS_READY: &str = "isready";

impl Incident {
    /// Whether it was waited for `readyok` in vain, after a sound `uciok`.
    pub fn is_unready(&self) -> bool {
        self.repro.last().is_some_and(|line| line == IS_READY)
    }
}

/// What a search said.
#[derive(Clone, Debug)]
pub struct Thinking {
    /// The position that was searched.
    pub position: Position,
    /// What was sent before the last `ucinewgame`, back to the one before it.
    pub before: Vec<String>,
    /// The commands that asked for it.
    pub asked: Vec<String>,
    /// The answer; `None` when the engine said that there is no move, or nothing that has the form of one.
    pub best: Option<String>,
    /// What it said in the place of the move, where that does not have the form of one.
    pub unreadable: Option<String>,
    /// All lines with a score or a line of play, in order.
    pub lines: Vec<Info>,
    /// Time from `go` to `bestmove`.
    pub elapsed: Duration,
    /// Computing time, where the system tells it.
    pub cpu: Option<Duration>,
    /// It had to be told to stop.
    pub cut_short: bool,
}

impl Thinking {
    /// The last line of the first rank with an exact score; a bound where there is nothing else.
    pub fn last(&self) -> Option<&Info> {
        let scored = || self.lines.iter().rev().filter(|info| info.score.is_some() && is_first(info));
        scored().find(|info| info.bound == Bound::Exact).or_else(|| scored().next())
    }

    /// The last score.
    pub fn score(&self) -> Option<Score> {
        self.last().and_then(|info| info.score)
    }

    /// The last score in words.
    pub fn score_text(&self) -> String {
        match self.score() {
            None => "no score".to_owned(),
            Some(Score::Centipawns(score)) => format!("{score} cp"),
            Some(Score::Mate(moves)) => format!("mate {moves}"),
        }
    }

    /// The last score as a number; mates are beyond all evaluations.
    pub fn centipawns(&self) -> Option<i32> {
        self.score().map(Score::centipawns)
    }

    /// The greatest depth told.
    pub fn depth(&self) -> u32 {
        self.lines.iter().filter_map(|info| info.depth).max().unwrap_or(0)
    }

    /// The greatest number of nodes told.
    pub fn nodes(&self) -> u64 {
        self.lines.iter().filter_map(|info| info.nodes).max().unwrap_or(0)
    }

    /// Whether it tells at least as many nodes from its first line on as a search before told in the end.
    pub fn counts_on_from(&self, before: u64) -> bool {
        let told = self.lines.iter().filter_map(|info| info.nodes).min();
        told.is_some_and(|fewest| fewest >= before)
    }

    /// Takes the nodes of the search before off, where they are among those told.
    fn take_off(&mut self, before: u64) {
        if self.counts_on_from(before) {
            for nodes in self.lines.iter_mut().filter_map(|info| info.nodes.as_mut()) {
                *nodes -= before;
            }
        }
    }

    /// Whether the search went as deep as it was asked to: it ended by itself, or was ended beyond that depth. One that was
    /// cut short before says how fast the engine is, and nothing of what it sees at that depth.
    pub fn has_finished(&self, depth: u32) -> bool {
        !self.cut_short || self.depth() > depth
    }

    /// Whether more nodes were told than were asked for: beyond what an engine searches that looks at its counter now and then.
    pub fn is_beyond(&self, wanted: u64) -> bool {
        self.nodes() > wanted + wanted / 5 + 10_000
    }

    /// Whether so few nodes were told, for a number asked for, that not even an unfinished iteration explains it: those
    /// multiply the tree far less.
    pub fn is_idle(&self, wanted: u64) -> bool {
        (1..wanted / 20).contains(&self.nodes()) && !matches!(self.score(), Some(Score::Mate(_)))
    }

    /// Whether the last score is a mate told as a number of centipawns that no evaluation reaches.
    pub fn tells_mate_as_centipawns(&self) -> bool {
        matches!(self.score(), Some(Score::Centipawns(score)) if score.abs() > GREATEST_EVALUATION)
    }

    /// The last exact line of a depth.
    pub fn at_depth(&self, depth: u32) -> Option<&Info> {
        let fits = |info: &&Info| info.depth == Some(depth) && info.score.is_some() && is_first(info);
        self.lines.iter().rev().filter(fits).find(|info| info.bound == Bound::Exact)
    }

    /// The time for which an engine can be blamed: computing time, where it is less than the time on the wall because
    /// the machine was busy.
    pub fn effort(&self) -> Duration {
        self.cpu.map_or(self.elapsed, |cpu| cpu.min(self.elapsed))
    }

    /// A search of which only the times matter, in milliseconds.
    #[cfg(test)]
    pub fn of_times(elapsed: u64, computed: u64) -> Self {
        Self {
            position: Position::startpos(),
            before: Vec::new(),
            asked: Vec::new(),
            best: None,
            unreadable: None,
            lines: Vec::new(),
            elapsed: Duration::from_millis(elapsed),
            cpu: Some(Duration::from_millis(computed)),
            cut_short: false,
        }
    }

    /// A search with one line: a depth, a score, and nodes.
    #[cfg(test)]
    pub fn of_line(depth: u32, score: Score, nodes: u64, cut_short: bool) -> Self {
        let line = Info { depth: Some(depth), score: Some(score), nodes: Some(nodes), ..Info::default() };
        Self { lines: vec![line], cut_short, ..Self::of_times(1000, 1000) }
    }

    /// The lines to send to see it again.
    pub fn repro(&self) -> Vec<String> {
        self.asked.clone()
    }

    /// Those of this search alone, without what led to it.
    pub fn own_lines(&self) -> &[String] {
        let start = self.asked.iter().rposition(|line| line.starts_with("position"));
        &self.asked[start.unwrap_or_default()..]
    }

    /// What was said to `go`.
    pub fn go(&self) -> &str {
        self.asked.iter().rfind(|line| line.starts_with("go")).map_or("", String::as_str)
    }
}

fn hangs_among(troubles: &[Trouble]) -> usize {
    troubles.iter().filter(|&&trouble| trouble == Trouble::Hang).count()
}

fn is_first(info: &Info) -> bool {
    info.multipv.is_none_or(|rank| rank == 1)
}

/// No evaluation is greater than this; wins by tablebases, which some engines tell so, are not either.
const GREATEST_EVALUATION: i32 = 20_000;

/// Breakdowns after which the engine is not started again.
const MOST_INCIDENTS: usize = 30;

/// Hangs after which it is not started again: each takes long.
const MOST_HANGS: usize = 8;

/// Breakdowns after which an engine that has not answered a single search is not started again.
const MOST_WITHOUT_ANSWER: usize = 4;

/// Breakdowns that the report describes.
const KEPT_INCIDENTS: usize = 8;

/// Patience for `uciok` and `readyok`.
const START: Duration = Duration::from_secs(45);
const READY: Duration = Duration::from_secs(45);

/// Patience for the answer to `stop`: so much computing, where the system tells it, and so much on the wall. An engine that
/// looks at its input now and then needs long on a busy machine.
const STOP_COMPUTING: Duration = Duration::from_secs(4);
const STOP_WAITING: Duration = Duration::from_secs(12);
const STOP_AT_MOST: Duration = Duration::from_mins(1);

/// The engine under examination.
pub struct Patient {
    subject: Subject,
    interrupt: Arc<AtomicBool>,
    client: Option<Client>,
    identity: Identity,
    /// Options that stay set until the check is over, beyond the user's.
    settings: Vec<(String, String)>,
    /// What led to the present state of the engine.
    retrace: Retrace,
    talk: Talk,
    audit: LineAudit,
    incidents: Vec<Incident>,
    /// Crashes and hangs, in order.
    troubles: Vec<Trouble>,
    answers: u64,
    starts: u32,
    handshake: Duration,
    searches: u64,
    /// Nodes that the last search of this process told in the end, as they were told.
    last_nodes: u64,
    /// Whether the engine goes on counting from search to search, so that what it told before has to be taken off.
    keeps_counting: bool,
}

impl Patient {
    /// Starts the engine for the first time.
    ///
    /// # Errors
    /// It does not start or does not answer: what happened; `None` when the user wants to stop.
    pub fn admit(subject: Subject, interrupt: Arc<AtomicBool>) -> Result<Self, Option<Incident>> {
        let mut patient = Self::unstarted(subject, interrupt);
        let started = Instant::now();
        match patient.wake() {
            Ok(()) => {
                patient.handshake = started.elapsed();
                Ok(patient)
            }
            Err(_) => Err(patient.incidents.first().cloned()),
        }
    }

    fn unstarted(subject: Subject, interrupt: Arc<AtomicBool>) -> Self {
        Self {
            subject,
            interrupt,
            client: None,
            identity: Identity::default(),
            settings: Vec::new(),
            retrace: Retrace::default(),
            talk: Talk::default(),
            audit: LineAudit::default(),
            incidents: Vec::new(),
            troubles: Vec::new(),
            answers: 0,
            starts: 0,
            handshake: Duration::ZERO,
            searches: 0,
            last_nodes: 0,
            keeps_counting: false,
        }
    }

    /// What the engine said of itself.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Who is examined.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Whether the engine offers an option.
    pub fn offers(&self, option: &str) -> bool {
        self.identity.option(option).is_some()
    }

    /// The range of a numeric option.
    pub fn range(&self, option: &str) -> Option<(i64, i64)> {
        match self.identity.option(option)?.kind {
            OptionKind::Spin { min, max, .. } => Some((min, max)),
            _ => None,
        }
    }

    /// Time from the start of the process to `readyok`.
    pub fn handshake_time(&self) -> Duration {
        self.handshake
    }

    /// Processes started.
    pub fn starts(&self) -> u32 {
        self.starts
    }

    /// Searches asked for.
    pub fn searches(&self) -> u64 {
        self.searches
    }

    /// Crashes and hangs, the first ones described.
    pub fn incidents(&self) -> &[Incident] {
        &self.incidents
    }

    /// Number of crashes and hangs.
    pub fn breakdowns(&self) -> usize {
        self.troubles.len()
    }

    /// How many of them were hangs.
    pub fn hangs(&self) -> usize {
        hangs_among(&self.troubles)
    }

    /// Forgets the breakdowns beyond the first `count`: they were provoked by input that no GUI sends.
    pub fn forgive_beyond(&mut self, count: usize) {
        self.troubles.truncate(count);
        self.incidents.truncate(count);
    }

    /// What was wrong with the lines so far.
    pub fn audit(&self) -> &LineAudit {
        &self.audit
    }

    /// What was wrong with the words of the lines so far.
    pub fn talk(&self) -> &Talk {
        &self.talk
    }

    /// From now on the nodes of a search are those told beyond the ones of the search before.
    pub fn takes_off_earlier_nodes(&mut self) {
        self.keeps_counting = true;
    }

    /// Whether the user wants to stop.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// The last lines of the conversation.
    pub fn transcript(&self) -> Vec<String> {
        let quote = |mut spoken: Spoken| {
            if spoken.direction != Direction::ToEngine {
                spoken.text = excerpt(&spoken.text);
            }
            spoken.to_string()
        };
        let tell = |client: &Client| client.transcript().last(16).into_iter().map(quote).collect();
        self.client.as_ref().map(tell).unwrap_or_default()
    }

    /// What the engine said first on its error output after our last words: assertions and panics speak there.
    fn complaint(&self) -> Option<String> {
        let lines = self.client.as_ref()?.transcript().last(16);
        let after = lines.iter().rposition(|line| line.direction == Direction::ToEngine).map_or(0, |i| i + 1);
        let said = lines[after..].iter().find(|line| line.direction == Direction::Stderr)?;
        Some(excerpt(said.text.trim()))
    }

    /// Ends the process; the next question starts another.
    pub fn rest(&mut self) {
        if let Some(mut client) = self.client.take() {
            client.quit(Duration::from_secs(1));
        }
    }

    /// A new process with nothing but the user's options set: no memory of what came before.
    ///
    /// # Errors
    /// It does not start.
    pub fn restart(&mut self) -> Result<(), Trouble> {
        self.rest();
        self.settings.clear();
        self.wake()
    }

    /// Sets an option until [`Patient::restart`] or [`Patient::unset`]; one that is not offered is left alone.
    ///
    /// # Errors
    /// The engine broke down.
    pub fn set(&mut self, option: &str, value: &str) -> Result<(), Trouble> {
        if !self.offers(option) {
            return Ok(());
        }
        self.settings.retain(|(name, _)| !name.eq_ignore_ascii_case(option));
        self.settings.push((option.to_owned(), value.to_owned()));
        self.wake()?;
        self.attempt(|client| client.set_option(option, value).and_then(|()| client.ready(READY)))?;
        self.retrace.note(self.option_line(option, value));
        Ok(())
    }

    /// Sets an option back to what the user wants, or to its default.
    ///
    /// # Errors
    /// The engine broke down.
    pub fn unset(&mut self, option: &str) -> Result<(), Trouble> {
        let wanted = self.subject.options.iter().find(|(name, _)| name.eq_ignore_ascii_case(option));
        let default = || match &self.identity.option(option)?.kind {
            OptionKind::Spin { default, .. } => Some(default.to_string()),
            OptionKind::Check { default } => Some(default.to_string()),
            OptionKind::Combo { default, .. } | OptionKind::String { default } => Some(default.clone()),
            OptionKind::Button => None,
        };
        let Some(value) = wanted.map(|(_, value)| value.clone()).or_else(default) else { return Ok(()) };
        self.set(option, &value)?;
        self.settings.retain(|(name, _)| !name.eq_ignore_ascii_case(option));
        Ok(())
    }

    /// `ucinewgame`, and the hash table cleared where there is a button for it.
    ///
    /// # Errors
    /// The engine broke down.
    pub fn new_game(&mut self) -> Result<(), Trouble> {
        self.wake()?;
        let clear = self.offers("Clear Hash");
        self.attempt(|client| {
            client.send("ucinewgame")?;
            if clear {
                client.set_option("Clear Hash", "")?;
            }
            client.ready(READY)
        })?;
        self.retrace.new_game(self.opening_lines());
        if clear {
            self.retrace.note(self.option_line("Clear Hash", ""));
        }
        Ok(())
    }

    /// `ucinewgame` alone.
    ///
    /// # Errors
    /// The engine broke down.
    pub fn only_new_game(&mut self) -> Result<(), Trouble> {
        self.wake()?;
        self.attempt(|client| client.send("ucinewgame").and_then(|()| client.ready(READY)))?;
        self.retrace.note("ucinewgame");
        Ok(())
    }

    /// Searches a position, at most for `cap`; then it is told to stop.
    ///
    /// # Errors
    /// The engine broke down.
    pub fn search(&mut self, position: &Position, go: &str, cap: Duration) -> Result<Thinking, Trouble> {
        let command = start_command(position, self.is_chess960());
        self.think(&command, *position, go, cap)
    }

    /// Searches the position that a game has reached.
    ///
    /// # Errors
    /// The engine broke down.
    pub fn search_game(&mut self, game: &Game, go: &str, cap: Duration) -> Result<Thinking, Trouble> {
        let chess960 = self.is_chess960();
        let mut command = start_command(game.start(), chess960);
        for mv in game.moves() {
            append_move(&mut command, &mv.uci(chess960).to_string());
        }
        self.think(&command, *game.position(), go, cap)
    }

    /// As [`Patient::search`] from a clean table: `ucinewgame` first.
    ///
    /// # Errors
    /// The engine broke down.
    pub fn search_fresh(
        &mut self,
        position: &Position,
        go: &str,
        cap: Duration,
    ) -> Result<Thinking, Trouble> {
        self.new_game()?;
        self.search(position, go, cap)
    }

    fn is_chess960(&self) -> bool {
        self.settings.iter().any(|(name, value)| name.eq_ignore_ascii_case("UCI_Chess960") && value == "true")
    }

    fn think(
        &mut self,
        command: &str,
        position: Position,
        go: &str,
        cap: Duration,
    ) -> Result<Thinking, Trouble> {
        self.wake()?;
        self.attempt(|client| client.ready(READY))?;
        self.retrace.search(command, go);
        self.searches += 1;
        let mut thinking = Thinking {
            position,
            before: self.retrace.before().to_vec(),
            asked: Vec::new(),
            best: None,
            unreadable: None,
            lines: Vec::new(),
            elapsed: Duration::ZERO,
            cpu: None,
            cut_short: false,
        };
        let lines = &mut thinking.lines;
        let Some(client) = self.client.as_mut() else { return Err(Trouble::Start) };
        let process = client.process_id();
        let cpu_before = process_time::cpu_time(process);
        let started = Instant::now();
        let keep = |info: &Info| {
            if info.score.is_some() || !info.pv.is_empty() || info.nodes.is_some() {
                lines.push(info.clone());
            }
        };
        let answer = match client.search(command, go, cap, keep) {
            Ok(answer) => Ok((answer.best.best, answer.elapsed)),
            Err(ClientError::Timeout { .. }) => {
                thinking.cut_short = true;
                self.retrace.stopped(cap);
                stop_and_listen(client, &mut thinking.lines).map(|best| (best, started.elapsed()))
            }
            Err(error) => Err(error),
        };
        let cpu_after = process_time::cpu_time(process);
        match answer {
            Ok((best, elapsed)) => {
                (thinking.best, thinking.unreadable) = read_answer(best);
                thinking.elapsed = elapsed;
                thinking.cpu = cpu_before.zip(cpu_after).map(|(before, after)| after.saturating_sub(before));
                self.answers += 1;
                let before = std::mem::replace(&mut self.last_nodes, thinking.nodes());
                if self.keeps_counting {
                    thinking.take_off(before);
                }
                self.retrace.answered();
                thinking.asked = self.retrace.lines().to_vec();
                self.talk.came_by(&thinking.asked);
                self.audit.hear(&thinking);
                Ok(thinking)
            }
            Err(error) => Err(self.breakdown(error)),
        }
    }

    /// Talks to the process directly; a failure is a breakdown.
    ///
    /// # Errors
    /// The engine broke down.
    pub fn attempt<T>(
        &mut self,
        talk: impl FnOnce(&mut Client) -> Result<T, ClientError>,
    ) -> Result<T, Trouble> {
        self.wake()?;
        let Some(client) = self.client.as_mut() else { return Err(Trouble::Start) };
        match talk(client) {
            Ok(done) => {
                self.talk.came_by(self.retrace.lines());
                Ok(done)
            }
            Err(error) => Err(self.breakdown(error)),
        }
    }

    /// The lines that opened the present conversation: the options of the user and of the check.
    pub fn opening_lines(&self) -> Vec<String> {
        let options = self.subject.options_for(&self.identity).into_iter().chain(self.settings.clone());
        let lines = options.map(|(name, value)| self.option_line(&name, &value));
        std::iter::once("uci".to_owned()).chain(lines).collect()
    }

    /// An option as it is sent.
    fn option_line(&self, name: &str, value: &str) -> String {
        match self.identity.option(name).map(|option| &option.kind) {
            Some(OptionKind::Button) => format!("setoption name {name}"),
            _ => format!("setoption name {name} value {value}"),
        }
    }

    /// Remembers a line that a check sends by itself, by [`Patient::attempt`].
    pub fn note(&mut self, line: &str) {
        self.retrace.note(line);
    }

    /// What led to where the engine is now, or broke down.
    pub fn last_lines(&self) -> Vec<String> {
        self.retrace.lines().to_vec()
    }

    #[allow(clippy::needless_pass_by_value, reason = "whoever has an error to report is done with it")]
    fn breakdown(&mut self, error: ClientError) -> Trouble {
        let trouble = match error {
            ClientError::Interrupted => return Trouble::Interrupted,
            ClientError::Start(..) => Trouble::Start,
            ClientError::Disconnected(_) => Trouble::Crash,
            ClientError::Timeout { .. } => Trouble::Hang,
        };
        self.troubles.push(trouble);
        self.talk.came_by(self.retrace.lines());
        let was_stopped = self.retrace.lines().last().is_some_and(|line| line == "stop");
        if trouble == Trouble::Hang && was_stopped {
            self.retrace.note("# no bestmove comes");
        }
        if self.incidents.len() < KEPT_INCIDENTS {
            let repro = self.last_lines();
            let complaint = self.complaint().map_or(String::new(), |words| format!(": {words}"));
            let stop = if was_stopped { " after 'stop'" } else { "" };
            let words = format!("{error}{stop}{complaint}");
            self.incidents.push(Incident { trouble, words, transcript: self.transcript(), repro });
        }
        if let Some(mut client) = self.client.take() {
            client.kill();
        }
        trouble
    }

    /// Whether further starts would only take time.
    fn is_given_up(&self) -> bool {
        let breakdowns = self.breakdowns();
        let never_answered = self.answers == 0 && self.searches > 0 && breakdowns >= MOST_WITHOUT_ANSWER;
        never_answered || self.hangs() >= MOST_HANGS || breakdowns >= MOST_INCIDENTS
    }

    /// Starts the process unless it runs.
    fn wake(&mut self) -> Result<(), Trouble> {
        if self.is_interrupted() {
            return Err(Trouble::Interrupted);
        }
        if self.client.is_some() {
            return Ok(());
        }
        if self.is_given_up() {
            return Err(Trouble::GivenUp);
        }
        self.starts += 1;
        self.last_nodes = 0;
        let mut client = match Client::start_with_tap(&self.subject.launch(), Some(self.talk.ear())) {
            Ok(client) => client,
            Err(error) => return Err(self.breakdown(error)),
        };
        client.interrupt_by(Arc::clone(&self.interrupt));
        self.retrace = Retrace::of_start(vec!["uci".to_owned()]);
        let opened = client.handshake(START).cloned();
        let ready = opened.and_then(|identity| {
            self.identity = identity;
            self.retrace = Retrace::of_start(self.opening_lines());
            for (name, value) in self.subject.options_for(&self.identity).iter().chain(&self.settings) {
                client.set_option(name, value)?;
            }
            client.ready(START).inspect_err(|_| self.retrace.note(IS_READY))
        });
        self.client = Some(client);
        match ready.map_err(|error| self.breakdown(error)) {
            Ok(_) => Ok(()),
            Err(Trouble::Interrupted) => Err(Trouble::Interrupted),
            Err(_) => Err(Trouble::Start),
        }
    }
}

impl Drop for Patient {
    fn drop(&mut self) {
        self.rest();
    }
}

/// An answer sorted into a move and what is none.
fn read_answer(words: Option<String>) -> (Option<String>, Option<String>) {
    match words {
        Some(words) if !looks_like_move(&words) => (None, Some(excerpt(&words))),
        answer => (answer, None),
    }
}

/// Ends a search that took too long; its last lines and its move count all the same.
fn stop_and_listen(client: &mut Client, lines: &mut Vec<Info>) -> Result<Option<String>, ClientError> {
    use uci::info::EngineLine;
    let mut best = None;
    client.send("stop")?;
    let started = Instant::now();
    let before = process_time::cpu_time(client.process_id());
    loop {
        let heard = client.wait_for("bestmove", Duration::from_secs(1), |line| match line {
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
        match heard {
            Ok(()) => return Ok(best),
            Err(ClientError::Timeout { awaited, .. }) => {
                let waited = started.elapsed();
                let after = process_time::cpu_time(client.process_id());
                let computed = before.zip(after).map(|(before, after)| after.saturating_sub(before));
                let enough =
                    computed.is_none_or(|computed| computed > STOP_COMPUTING || waited > STOP_AT_MOST);
                // One that neither computes nor answers sleeps for ever.
                let asleep = computed.is_some_and(|computed| computed < waited / 100);
                if waited > STOP_WAITING && (enough || asleep) {
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
    fn forgiven_hangs_do_not_count_and_crashes_stay_crashes() {
        let subject = Subject { command: "nothing".to_owned(), options: Vec::new() };
        let mut patient = Patient::unstarted(subject, Arc::default());
        patient.troubles = vec![Trouble::Crash, Trouble::Crash];
        patient.troubles.extend([Trouble::Hang; MOST_HANGS]);
        assert!(patient.is_given_up());
        patient.forgive_beyond(2);
        assert_eq!((patient.breakdowns(), patient.hangs()), (2, 0));
        assert!(!patient.is_given_up());
    }

    #[test]
    fn nodes_of_the_search_before_are_taken_off_where_they_are_among_those_told() {
        let told = |nodes, before| {
            let mut thinking = Thinking::of_line(9, Score::Centipawns(0), nodes, false);
            thinking.take_off(before);
            thinking.nodes()
        };
        assert_eq!((told(5000, 3000), told(3000, 3000), told(2000, 3000)), (2000, 0, 2000));
    }

    #[test]
    fn a_search_that_was_cut_short_has_finished_only_what_it_told_to_be_beyond() {
        let score = Score::Centipawns(10);
        assert!(Thinking::of_line(7, score, 1, false).has_finished(8));
        assert!(!Thinking::of_line(8, score, 1, true).has_finished(8));
        assert!(Thinking::of_line(9, score, 1, true).has_finished(8));
    }
}
