//! The session's loop: takes messages in, keeps account of what is going on, and ends when all is said.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Instant;

use chess::{Game, Position};
use engine::Engine;
use uci::print::{self, Style};
use uci::{Command, Line, Remark};

use super::End;
use super::messages::Message;
use super::output::Output;
use super::phase::Phase;

/// A command that waits for the search to answer.
pub struct Waiting {
    /// The command.
    pub command: Command,
    /// When it came.
    pub received: Instant,
}

/// One conversation, and all that it owns.
pub struct Session {
    pub(super) engine: Engine,
    pub(super) game: Game,
    pub(super) style: Style,
    /// Tell about commands without effect, too.
    pub(super) debug: bool,
    pub(super) phase: Phase,
    pub(super) waiting: VecDeque<Waiting>,
    /// For those who report to the session from other threads.
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
            waiting: VecDeque::new(),
            input_ended: false,
            messages,
            output: Output::default(),
        }
    }

    /// Handles messages, or the commands of a script, until there is a reason to end.
    pub fn converse(&mut self, receiver: &Receiver<Message>, mut script: Option<VecDeque<String>>) -> End {
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
        !self.input_ended && (self.phase == Phase::Idle || self.phase.is_endless())
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

    /// Obeys a line of input, after remarks on what is wrong with it.
    pub fn handle_line(&mut self, line: &Line, received: Instant) -> Result<(), End> {
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
        if self.phase == Phase::Idle {
            return Err(End::Quit);
        }
        if self.phase.is_endless() {
            self.stop();
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

    /// Lets a search that is under way answer, and leaves.
    pub fn finish(&mut self, receiver: &Receiver<Message>) {
        if !self.phase.is_search() {
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

    /// Tells the user something in an `info string`.
    pub fn remark(&mut self, remark: &dyn std::fmt::Display) -> Result<(), End> {
        self.output.say(&print::info_string(remark))
    }

    /// The same for several remarks.
    pub fn remark_all(&mut self, remarks: &[Remark]) -> Result<(), End> {
        remarks.iter().try_for_each(|remark| self.remark(remark))
    }

    /// A remark on something harmless that GUIs do every day.
    pub fn remark_in_debug(&mut self, remark: &str) -> Result<(), End> {
        if self.debug { self.remark(&remark) } else { Ok(()) }
    }
}
