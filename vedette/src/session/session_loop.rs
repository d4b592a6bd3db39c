//! The session's state and its loop over messages.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use chess::{Game, Position};
use engine::{Engine, OptionError};
use uci::{Line, Warning, info_string};

use super::End;
use super::book::OwnBook;
use super::mailbox::{Mailbox, Message};
use super::output::Output;
use super::phase::Phase;
use super::waiting::{Waiting, WaitingCommands};

/// How the GUI wants lines to be printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputStyle {
    /// Castling as king takes rook.
    pub chess960: bool,
    /// WDL beside the score.
    pub show_wdl: bool,
}

/// A session and everything that it owns.
pub struct Session {
    pub(super) engine: Engine,
    pub(super) game: Game,
    pub(super) style: OutputStyle,
    pub(super) book: OwnBook,
    /// Report commands without effect, too.
    pub(super) debug: bool,
    pub(super) phase: Phase,
    pub(super) waiting: WaitingCommands,
    /// Where messages come from, and where searches and jobs report to.
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) output: Output,
    /// Nothing more will be read.
    pub(super) input_ended: bool,
    /// `quit` has come, behind searches that are answered first.
    pub(super) quitting: bool,
}

impl Session {
    /// A session before its first command.
    ///
    /// # Errors
    /// The system has neither a thread nor memory for an engine.
    pub fn new(mailbox: Arc<Mailbox>, output: Output) -> Result<Session, OptionError> {
        Ok(Session {
            engine: Engine::try_new()?,
            game: Game::new(Position::startpos()),
            style: OutputStyle::default(),
            book: OwnBook::default(),
            debug: false,
            phase: Phase::Idle,
            waiting: WaitingCommands::default(),
            mailbox,
            output,
            input_ended: false,
            quitting: false,
        })
    }

    /// Handles messages, or the commands of a script, until there is a reason to end, and ends what is running.
    pub fn run_to_end(&mut self, script: Option<VecDeque<String>>) {
        match self.run(script) {
            End::Quit => self.finish(),
            End::OutputClosed => self.engine.stop(),
        }
        self.mailbox.close();
    }

    fn run(&mut self, mut script: Option<VecDeque<String>>) -> End {
        loop {
            let message = match script.as_mut().filter(|_| self.takes_scripted_command()) {
                Some(script) => match script.pop_front() {
                    Some(text) => Message::Line { line: Line::Text(text), received: Instant::now() },
                    None => Message::EndOfInput,
                },
                None => self.mailbox.take(!self.input_ended && !self.is_congested()),
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

    /// Whether reading pauses: no more commands may wait, and even a `stop` would have to.
    fn is_congested(&self) -> bool {
        self.waiting.is_full()
            && (self.phase == Phase::Job || self.waiting.has_search() && !self.phase.is_endless())
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
        let Some(command) = parsed.command else { return Ok(()) };
        self.handle(Waiting { command, bytes: text.len(), received: Some(received) })
    }

    /// Without further input: end when idle, stop what would not end by itself. After `quit` the last search is cut
    /// short as well.
    fn shut_down(&mut self) -> Result<(), End> {
        let is_last = self.quitting && self.phase.is_search() && !self.waiting.has_search();
        if self.phase == Phase::Idle || is_last {
            return Err(End::Quit);
        }
        if self.phase.is_endless() {
            self.stop();
        }
        Ok(())
    }

    /// The search or job has ended: handle what has been waiting, up to and including the next search.
    fn become_idle(&mut self) -> Result<(), End> {
        self.engine.wait();
        self.phase = Phase::Idle;
        while let Some(next) = self.waiting.next(self.phase) {
            self.execute(next)?;
        }
        while let Some(signal) = self.waiting.take_signal(self.phase) {
            self.execute(signal)?;
        }
        Ok(())
    }

    /// Stops a running search and prints its answer.
    fn finish(&mut self) {
        if !self.phase.is_search() {
            return;
        }
        self.engine.stop();
        loop {
            if let Message::Report { text, last } = self.mailbox.take(false)
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
