//! A UCI session: one owner of the engine, the game and the output. Other threads (standard input, signals,
//! the search, long errands) only send messages to it, so nothing here needs a lock, and every accepted `go`
//! is answered by exactly one `bestmove`.
//!
//! While the engine thinks, `stop`, `ponderhit`, `isready`, `quit` and the commands that only show something
//! are obeyed at once. What would change the game or the engine waits until the search has answered. A second
//! `go` is refused, unless `stop` was given: then the GUI is merely ahead of us, and it waits as well.

mod board;
mod messages;
mod output;

use std::collections::VecDeque;
use std::error::Error;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender};
use std::thread;
use std::time::Instant;

use chess::{Game, Position};
use engine::{Engine, Event};
use uci::options::{self, Setting};
use uci::print::{self, Style};
use uci::{Command, Go, Line, PositionCommand, Remark};

use self::messages::Message;
use self::output::Output;
use crate::{errand, identity};

/// Where commands come from.
pub enum Input {
    /// Standard input, until its end.
    Stdin,
    /// These, one after the other; each search that ends by itself ends before the next command.
    Script(Vec<String>),
}

/// Obeys commands until `quit`, the end of input, a signal, or nobody listens any more.
pub fn run(input: Input) -> Result<(), Box<dyn Error>> {
    let (sender, receiver) = messages::channel();
    messages::forward_signals(sender.clone())?;
    let script = match input {
        Input::Stdin => {
            messages::forward_stdin(sender.clone())?;
            None
        }
        Input::Script(commands) => Some(commands.into()),
    };
    let mut session = Session::new(sender);
    match session.converse(&receiver, script) {
        End::Quit => session.finish(&receiver),
        End::OutputClosed => session.engine.stop(),
    }
    Ok(())
}

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Somebody said so, or there is nothing left to do.
    Quit,
    /// Nobody listens any more.
    OutputClosed,
}

/// What the engine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    /// Searching on its own time; `ends_by_itself` when no `stop` is needed.
    Thinking {
        ends_by_itself: bool,
    },
    /// Searching on the opponent's time.
    Pondering {
        ends_by_itself_after_hit: bool,
    },
    /// Told to stop; `bestmove` is on its way.
    Stopping,
    /// Busy with `bench` or `go perft`.
    Counting,
}

/// A command that waits for the search to answer, and when it came.
struct Waiting {
    command: Command,
    received: Instant,
}

struct Session {
    engine: Engine,
    game: Game,
    style: Style,
    debug: bool,
    phase: Phase,
    waiting: VecDeque<Waiting>,
    input_ended: bool,
    messages: SyncSender<Message>,
    output: Output,
}

impl Session {
    fn new(messages: SyncSender<Message>) -> Session {
        Session {
            engine: Engine::new(),
            game: Game::new(Position::startpos()),
            style: Style::default(),
            debug: false,
            phase: Phase::Idle,
            waiting: VecDeque::new(),
            input_ended: false,
            messages,
            output: Output::default(),
        }
    }

    fn converse(&mut self, receiver: &Receiver<Message>, mut script: Option<VecDeque<String>>) -> End {
        loop {
            let message = match script.as_mut().filter(|_| self.takes_scripted_command()) {
                Some(script) => match script.pop_front() {
                    Some(text) => Message::Line { line: Line::Text(text), received: Instant::now() },
                    None => Message::EndOfInput,
                },
                // The session itself holds a sender, so the channel cannot be closed.
                None => match receiver.recv() {
                    Ok(message) => message,
                    Err(_) => return End::Quit,
                },
            };
            if let Err(end) = self.handle(message) {
                return end;
            }
        }
    }

    /// Whether the next command of a script is due: nothing is going on that ends by itself.
    fn takes_scripted_command(&self) -> bool {
        let endless = matches!(
            self.phase,
            Phase::Thinking { ends_by_itself: false } | Phase::Pondering { ends_by_itself_after_hit: _ }
        );
        !self.input_ended && (self.phase == Phase::Idle || endless)
    }

    fn handle(&mut self, message: Message) -> Result<(), End> {
        match message {
            Message::Line { line, received } => self.handle_line(&line, received)?,
            Message::EndOfInput => self.input_ended = true,
            Message::Interrupted => return Err(End::Quit),
            Message::Report { text, last } => {
                self.output.say(&text)?;
                if last {
                    self.become_idle()?;
                }
            }
        }
        if self.input_ended { self.wind_up() } else { Ok(()) }
    }

    fn handle_line(&mut self, line: &Line, received: Instant) -> Result<(), End> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => return self.remark(&Remark::LineTooLong),
            Line::NotText => return self.remark(&Remark::LineNotText),
        };
        self.output.log_input(text);
        let parsed = uci::parse(text);
        self.remark_all(&parsed.remarks)?;
        parsed.command.map_or(Ok(()), |command| self.obey(command, received))
    }

    /// Without further input: end when nothing is going on, stop what would not end by itself.
    fn wind_up(&mut self) -> Result<(), End> {
        match self.phase {
            Phase::Idle => return Err(End::Quit),
            Phase::Thinking { ends_by_itself: false } | Phase::Pondering { .. } => self.stop(),
            Phase::Thinking { ends_by_itself: true } | Phase::Stopping | Phase::Counting => {}
        }
        Ok(())
    }

    /// The search or errand has answered: obey what has been waiting.
    fn become_idle(&mut self) -> Result<(), End> {
        self.engine.wait();
        self.phase = Phase::Idle;
        for Waiting { command, received } in std::mem::take(&mut self.waiting) {
            self.obey(command, received)?;
        }
        Ok(())
    }

    fn obey(&mut self, command: Command, received: Instant) -> Result<(), End> {
        if self.must_wait(&command) {
            self.waiting.push_back(Waiting { command, received });
            return Ok(());
        }
        match command {
            Command::Uci => self.output.say(&print::introduction(identity::NAME, identity::AUTHOR)),
            Command::IsReady => self.output.say("readyok"),
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::Register => self.remark_in_debug("register: nothing to register"),
            Command::SetOption { name, value } => match options::read(&name, value.as_deref()) {
                Ok(setting) => self.apply(setting),
                Err(error) => self.remark(&error),
            },
            Command::UciNewGame => {
                self.engine.new_game();
                self.game = Game::new(Position::startpos());
                Ok(())
            }
            Command::Position(position) => self.set_position(&position),
            Command::Go(go) => self.go(&go, received),
            Command::Stop => match self.phase {
                Phase::Thinking { .. } | Phase::Pondering { .. } => {
                    self.stop();
                    Ok(())
                }
                Phase::Counting => {
                    self.remark(&"stop: bench and perft cannot be stopped, only 'quit' ends them")
                }
                Phase::Idle | Phase::Stopping => self.remark_in_debug("stop: not thinking"),
            },
            Command::PonderHit => match self.phase {
                Phase::Pondering { ends_by_itself_after_hit } => {
                    self.phase = Phase::Thinking { ends_by_itself: ends_by_itself_after_hit };
                    self.engine.ponderhit();
                    Ok(())
                }
                _ => self.remark_in_debug("ponderhit: not pondering"),
            },
            Command::Quit => Err(End::Quit),
            Command::Perft(depth) => {
                let position = *self.game.position();
                let chess960 = self.style.chess960;
                let perft = errand::Perft { depth, divide: true, chess960, threads: 1, hash: 0 };
                self.run_errand("go perft", move |tell| perft.run(&position, tell))
            }
            Command::Bench(depth) => {
                let depth = depth.unwrap_or(engine::BENCH_DEPTH).clamp(1, engine::MAX_DEPTH);
                self.run_errand("bench", move |tell| errand::bench(depth, tell))
            }
            Command::Display => self.output.say(&board::describe(&self.game)),
            Command::Evaluate => {
                let table = self.engine.evaluate(self.game.position()).to_string();
                self.output.say(table.trim_end())
            }
            Command::Flip => {
                self.game = Game::new(self.game.position().color_mirrored());
                Ok(())
            }
            Command::Compiler => self.output.say(&identity::compiler()),
            Command::License => self.output.say(identity::LICENSE),
            Command::Help => self.output.say(&help()),
        }
    }

    /// Whether the command would disturb what is going on.
    fn must_wait(&self, command: &Command) -> bool {
        match command {
            Command::Position(_) | Command::SetOption { .. } | Command::UciNewGame | Command::Flip => {
                self.phase != Phase::Idle
            }
            Command::Go(_) | Command::Perft(_) | Command::Bench(_) => {
                matches!(self.phase, Phase::Stopping | Phase::Counting)
            }
            // Meant for a search that has yet to start.
            Command::Stop | Command::PonderHit => {
                self.waiting.iter().any(|waiting| matches!(waiting.command, Command::Go(_)))
            }
            _ => false,
        }
    }

    fn set_position(&mut self, command: &PositionCommand) -> Result<(), End> {
        let mut remarks = Vec::new();
        if let Some(game) = command.set_up(&mut remarks) {
            self.game = game;
        }
        self.remark_all(&remarks)
    }

    fn go(&mut self, go: &Go, received: Instant) -> Result<(), End> {
        if self.phase != Phase::Idle {
            return self.refuse_while_thinking("go");
        }
        let mut remarks = Vec::new();
        let limits = go.limits(self.game.position(), received, &mut remarks);
        self.remark_all(&remarks)?;
        self.phase = if limits.ponder {
            Phase::Pondering { ends_by_itself_after_hit: !limits.infinite }
        } else {
            Phase::Thinking { ends_by_itself: !limits.infinite }
        };
        let style = self.style;
        let messages = self.messages.clone();
        let listener = move |event: &Event| {
            let last = matches!(event, Event::BestMove { .. });
            // Fails only when the session has ended, and then nobody wants to know.
            let _ = messages.send(Message::Report { text: print::event(event, style), last });
        };
        match self.engine.go(&self.game, limits, listener) {
            Ok(()) => Ok(()),
            Err(busy) => {
                self.phase = Phase::Idle;
                self.remark(&busy)
            }
        }
    }

    fn stop(&mut self) {
        self.engine.stop();
        self.phase = Phase::Stopping;
    }

    /// Runs `work` beside the session, which stays able to answer; its lines come back as reports.
    fn run_errand(
        &mut self,
        name: &str,
        work: impl FnOnce(errand::Tell) -> Result<(), Box<dyn Error>> + Send + 'static,
    ) -> Result<(), End> {
        if self.phase != Phase::Idle {
            return self.refuse_while_thinking(name);
        }
        let messages = self.messages.clone();
        let errand = thread::Builder::new().name("errand".to_owned()).stack_size(crate::STACK_BYTES);
        let spawned = errand.spawn(move || {
            let report = |text, last| {
                messages.send(Message::Report { text, last }).map_err(|_| io::ErrorKind::BrokenPipe.into())
            };
            // One line behind, so that the last one can be marked.
            let mut previous: Option<String> = None;
            let done = work(&mut |text| previous.replace(text).map_or(Ok(()), |text| report(text, false)));
            let last_words = done.err().map(print::info_string);
            let _ = report(previous.into_iter().chain(last_words).collect::<Vec<_>>().join("\n"), true);
        });
        match spawned {
            Ok(_) => {
                self.phase = Phase::Counting;
                Ok(())
            }
            Err(error) => self.remark(&error),
        }
    }

    fn refuse_while_thinking(&mut self, what: &str) -> Result<(), End> {
        self.remark(&format_args!("{what} refused: already thinking, say 'stop' first"))
    }

    fn apply(&mut self, setting: Setting) -> Result<(), End> {
        let done = match setting {
            Setting::Hash(megabytes) => self.engine.set_hash(megabytes),
            Setting::Threads(threads) => self.engine.set_threads(threads),
            Setting::MultiPv(lines) => self.engine.set_multi_pv(lines),
            Setting::MoveOverhead(overhead) => self.engine.set_move_overhead(overhead),
            Setting::ShowPvsStats(on) => self.engine.collect_statistics(on),
            Setting::Chess960(on) => {
                self.style.chess960 = on;
                Ok(())
            }
            Setting::ShowWdl(on) => {
                self.style.show_wdl = on;
                Ok(())
            }
            Setting::ClearHash => {
                self.engine.clear_hash();
                Ok(())
            }
            Setting::Ponder(_) | Setting::AnalyseMode(_) => Ok(()),
            Setting::DebugLogFile(path) => {
                return self.output.log_to(path.as_deref()).or_else(|error| self.remark(&error));
            }
        };
        done.or_else(|error| self.remark(&error))
    }

    /// Lets a search that is under way answer, and leaves.
    fn finish(&mut self, receiver: &Receiver<Message>) {
        if !matches!(self.phase, Phase::Thinking { .. } | Phase::Pondering { .. } | Phase::Stopping) {
            return;
        }
        self.engine.stop();
        for message in receiver {
            if let Message::Report { text, last } = message
                && (self.output.say(&text).is_err() || last)
            {
                return;
            }
        }
    }

    fn remark(&mut self, remark: &dyn std::fmt::Display) -> Result<(), End> {
        self.output.say(&print::info_string(remark))
    }

    fn remark_all(&mut self, remarks: &[Remark]) -> Result<(), End> {
        remarks.iter().try_for_each(|remark| self.remark(remark))
    }

    /// A remark on something harmless that GUIs do every day.
    fn remark_in_debug(&mut self, remark: &str) -> Result<(), End> {
        if self.debug { self.remark(&remark) } else { Ok(()) }
    }
}

/// The commands, each with what it does.
fn help() -> String {
    const WIDTH: usize = 36;
    let describe = |verb: &uci::command::Verb| {
        let usage = format!("{} {}", verb.word, verb.arguments);
        let usage = usage.trim_end();
        // A long usage has its line to itself.
        let gap =
            if usage.len() < WIDTH { " ".repeat(WIDTH - usage.len()) } else { format!("\n{:WIDTH$}", "") };
        format!("{usage}{gap}{}", verb.help)
    };
    uci::command::VERBS.iter().map(describe).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::options::{Kind, OPTIONS};

    /// A session, and the messages that it would get.
    fn session() -> (Session, Receiver<Message>) {
        let (sender, receiver) = messages::channel();
        (Session::new(sender), receiver)
    }

    #[test]
    fn a_new_session_has_the_options_that_are_declared() {
        let (session, _receiver) = session();
        assert_eq!(session.engine.options(), &engine::Options::default());
        assert!(!session.style.chess960 && !session.style.show_wdl);
    }

    #[test]
    fn every_default_can_be_set_and_changes_nothing() {
        let (mut session, _receiver) = session();
        for option in OPTIONS.iter() {
            let value = match &option.kind {
                Kind::Check { default, .. } => Some(default.to_string()),
                Kind::Spin { default, .. } => Some(default.to_string()),
                Kind::Text { default, .. } => Some((*default).to_owned()),
                Kind::Button { .. } => None,
            };
            let command = Command::SetOption { name: option.name.to_owned(), value };
            assert_eq!(session.obey(command, Instant::now()), Ok(()));
        }
        assert_eq!(session.engine.options(), &engine::Options::default());
    }

    #[test]
    fn spins_set_what_they_name() {
        let (mut session, _receiver) = session();
        for line in [
            "setoption name Hash value 5",
            "setoption name Threads value 2",
            "setoption name MultiPV value 3",
            "setoption name Move Overhead value 77",
            "setoption name ShowPVSStats value true",
            "setoption name UCI_Chess960 value true",
        ] {
            session.handle_line(&Line::Text(line.to_owned()), Instant::now()).unwrap();
        }
        let options = session.engine.options();
        assert_eq!((options.hash_mb, options.threads, options.multi_pv), (5, 2, 3));
        assert_eq!(options.move_overhead.as_millis(), 77);
        assert!(options.collect_statistics && session.style.chess960);
    }
}
