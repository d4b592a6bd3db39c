//! A UCI session: one owner of the engine, the game and the output. Other threads (standard input, signals,
//! the search, jobs) only send messages to its mailbox, so nothing here needs a lock, and every accepted `go` is
//! answered by exactly one `bestmove`.
//!
//! During a search, `stop`, `ponderhit`, `isready` and the commands that only print something are handled at once.
//! What would change the game or the engine waits until the search has ended, and so does another `go`. How `stop`,
//! `ponderhit` and `quit` find their search is described in `docs/uci.md`.

mod board;
mod book;
mod handle;
mod help;
#[cfg(test)]
mod interleavings;
mod mailbox;
#[cfg(test)]
mod mailbox_tests;
#[cfg(test)]
mod model;
mod options;
mod output;
mod phase;
mod session_loop;
mod sources;
mod sync;
mod waiting;

use std::error::Error;
use std::io;
use std::sync::Arc;

use self::mailbox::Mailbox;
use self::output::Output;
use self::session_loop::Session;

/// Where commands come from.
pub enum Input {
    /// Standard input, until its end.
    Stdin,
    /// These, one after the other; each search that ends by itself ends before the next command.
    Script(Vec<String>),
}

/// Handles commands until `quit`, the end of input, a signal, or a closed standard output.
pub fn run(input: Input) -> Result<(), Box<dyn Error>> {
    let mailbox = Arc::new(Mailbox::default());
    sources::forward_signals(Arc::clone(&mailbox))?;
    let mut session = Session::new(Arc::clone(&mailbox), Output::new(io::stdout()))?;
    let script = match input {
        Input::Stdin => {
            sources::forward_stdin(Arc::clone(&mailbox))?;
            None
        }
        Input::Script(commands) => Some(commands.into()),
    };
    session.run_to_end(script);
    Ok(())
}

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// `quit`, a signal, or the end of input.
    Quit,
    /// Standard output is closed.
    OutputClosed,
}
