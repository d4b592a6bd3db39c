//! The session's state and its loop over messages.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Instant;

use chess::{Game, Position};
use engine::Engine;
use uci::{Command, Line, Warning, info_string};

use super::End;
use super::messages::Message;
use super::output::Output;
use super::phase::Phase;

/// A command that waits for the search to answer.
pub struct Deferred {
    pub command: Command,
    pub received: Instant,
}

/// How the GUI wants lines to be printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Castling as king takes rook.
    pub chess960: bool,
    /// WDL beside the score.
    pub show_wdl: bool,
}

/// A session and everything that it owns.
pub struct Session {
    pub(super) engine: Engine,
    pub(super) game: Game,
    pub(super) style: Style,
    /// Report commands without effect, too.
    pub(super) debug: bool,
    pub(super) phase: Phase,
    pub(super) deferred: VecDeque<Deferred>,
    /// For threads that report to the session.
    pub(super) messages: SyncSender<Message>,
    pub(super) output: Output,
    input_ended: bool,
}

impl Session {
    /// A session before its first command.
    pub fn new(messages: SyncSender<Message>) -> Session {
        Session {
            engine: Engine::new(),
            game: Game::new(Position::startpos()),
            style: Style::default(),
            debug: false,
            phase: Phase::Idle,
            deferred: VecDeque::new(),
            input_ended: false,
            messages,
            output: Output::default(),
        }
    }

    /// Handles messages, or the commands of a script, until there is a reason to end.
    pub fn run(&mut self, receiver: &Receiver<Message>, mut script: Option<VecDeque<String>>) -> End {
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
            if let Err(end) = self.handle_message(message) {
                return end;
            }
        }
    }

    /// Whether the next command of a script is due: nothing is running that ends by itself.
    fn takes_scripted_command(&self) -> bool {
        !self.input_ended && (self.phase == Phase::Idle || self.phase.is_endless())
    }

    fn handle_message(&mut self, message: Message) -> Result<(), End> {
        match message {
            Message::Line { line, received } => self.handle_line(&line, received)?,
            Message::EndOfInput => self.input_ended = true,
            Message::Interrupted => return Err(End::Quit),
            Message::Report { text, last } => {
                self.output.print(&text)?;
                if last {
                    self.become_idle()?;
                }
            }
        }
        if self.input_ended { self.shut_down() } else { Ok(()) }
    }

    /// Handles a line of input, after warnings about it.
    pub fn handle_line(&mut self, line: &Line, received: Instant) -> Result<(), End> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => return self.info(&Warning::LineTooLong),
            Line::NotText => return self.info(&Warning::LineNotText),
        };
        self.output.log_input(text);
        let parsed = uci::parse(text);
        self.warn(&parsed.warnings)?;
        parsed.command.map_or(Ok(()), |command| self.handle(command, received))
    }

    /// Without further input: end when idle, stop what would not end by itself.
    fn shut_down(&mut self) -> Result<(), End> {
        if self.phase == Phase::Idle {
            return Err(End::Quit);
        }
        if self.phase.is_endless() {
            self.stop();
        }
        Ok(())
    }

    /// The search or job has ended: handle what has been deferred.
    fn become_idle(&mut self) -> Result<(), End> {
        self.engine.wait();
        self.phase = Phase::Idle;
        for Deferred { command, received } in std::mem::take(&mut self.deferred) {
            self.handle(command, received)?;
        }
        Ok(())
    }

    /// Stops a running search and prints its answer.
    pub fn finish(&mut self, receiver: &Receiver<Message>) {
        if !self.phase.is_search() {
            return;
        }
        self.engine.stop();
        for message in receiver {
            if let Message::Report { text, last } = message
                && (self.output.print(&text).is_err() || last)
            {
                return;
            }
        }
    }

    /// Prints an `info string`.
    pub fn info(&mut self, text: &dyn std::fmt::Display) -> Result<(), End> {
        self.output.print(&info_string(text))
    }

    pub fn warn(&mut self, warnings: &[Warning]) -> Result<(), End> {
        warnings.iter().try_for_each(|warning| self.info(warning))
    }

    /// An `info string` about something harmless that GUIs do every day.
    pub fn debug_info(&mut self, text: &str) -> Result<(), End> {
        if self.debug { self.info(&text) } else { Ok(()) }
    }
}
