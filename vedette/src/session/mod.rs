//! A UCI session: one owner of the engine, the game and the output. Other threads (standard input, signals,
//! the search, jobs) only send messages to it, so nothing here needs a lock, and every accepted `go` is answered
//! by exactly one `bestmove`.
//!
//! During a search, `stop`, `ponderhit`, `isready`, `quit` and the commands that only print something are handled
//! at once. What would change the game or the engine is deferred until the search has ended. A second `go` is
//! refused, unless `stop` was given: then the GUI is merely ahead of us, and the `go` is deferred as well.

mod board;
mod handle;
mod help;
mod messages;
mod options;
mod output;
mod phase;
mod session_loop;

use std::error::Error;

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
    match session.run(&receiver, script) {
        End::Quit => session.finish(&receiver),
        End::OutputClosed => session.engine.stop(),
    }
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
