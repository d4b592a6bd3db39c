//! Commands that wait until what is running has ended.

use std::collections::VecDeque;
use std::time::Instant;

use uci::{Command, PositionCommand};

use super::phase::Phase;

/// Commands that may wait: more than any GUI sends during a search.
const MAX_COMMANDS: usize = 256;
/// Bytes of their lines: four of the longest ones.
const MAX_BYTES: usize = 4 * uci::MAX_LINE;

/// A command that waits for its turn.
#[derive(Debug)]
pub struct Waiting {
    pub command: Command,
    /// Length of the line it came in.
    pub bytes: usize,
    /// From when its time counts; from its turn on if there is none.
    pub received: Option<Instant>,
}

/// The commands that wait, in order.
#[derive(Debug, Default)]
pub struct WaitingCommands {
    commands: VecDeque<Waiting>,
    bytes: usize,
}

impl WaitingCommands {
    /// Whether no further command may wait.
    pub fn is_full(&self) -> bool {
        self.commands.len() >= MAX_COMMANDS || self.bytes >= MAX_BYTES
    }

    /// How many wait, and the bytes of their lines.
    #[cfg(test)]
    pub fn size(&self) -> (usize, usize) {
        (self.commands.len(), self.bytes)
    }

    /// The one that waits last.
    #[cfg(test)]
    pub fn last(&self) -> Option<&Waiting> {
        self.commands.back()
    }

    /// Whether a search, `bench` or `go perft` waits: what comes behind it may be meant for it.
    pub fn has_search(&self) -> bool {
        self.commands.iter().any(|waiting| starts_something(&waiting.command))
    }

    pub fn push(&mut self, waiting: Waiting) {
        self.bytes += waiting.bytes;
        self.commands.push_back(waiting);
    }

    /// The `position` that waits last, if nothing waits behind it. It is taken: only the one that replaces it matters.
    pub fn take_last_position(&mut self) -> Option<PositionCommand> {
        let last = self.commands.pop_back_if(|last| matches!(last.command, Command::Position(_)))?;
        self.bytes -= last.bytes;
        match last.command {
            Command::Position(position) => Some(position),
            _ => None,
        }
    }

    /// The next command, if its turn has come: nothing is running, or it is meant for what is running.
    pub fn next(&mut self, phase: Phase) -> Option<Waiting> {
        let is_due = |next: &mut Waiting| phase == Phase::Idle || is_signal(&next.command);
        let next = self.commands.pop_front_if(is_due)?;
        self.bytes -= next.bytes;
        Some(next)
    }

    /// The first `stop` or `ponderhit` that waits for another search but is needed by the running one, which would
    /// not end without it.
    pub fn take_signal(&mut self, phase: Phase) -> Option<Waiting> {
        let is_needed = |waiting: &Waiting| match waiting.command {
            Command::Stop => phase.is_endless(),
            Command::PonderHit => matches!(phase, Phase::Pondering { .. }),
            _ => false,
        };
        let index = self.commands.iter().position(is_needed)?;
        let taken = self.commands.remove(index)?;
        self.bytes -= taken.bytes;
        Some(taken)
    }
}

/// Whether a command keeps the session busy.
fn starts_something(command: &Command) -> bool {
    matches!(
        command,
        Command::Go(_) | Command::Perft(_) | Command::Bench(_) | Command::SpeedTest(_) | Command::GenFens(_)
    )
}

/// Whether a command is meant for a search.
fn is_signal(command: &Command) -> bool {
    matches!(command, Command::Stop | Command::PonderHit)
}
