//! A UCI session: one owner of the engine, the game and the output. Other threads (standard input, signals,
//! the search, long errands) only send messages to it, so nothing here needs a lock, and every accepted `go`
//! is answered by exactly one `bestmove`.
//!
//! While the engine thinks, `stop`, `ponderhit`, `isready`, `quit` and the commands that only show something
//! are obeyed at once. What would change the game or the engine waits until the search has answered. A second
//! `go` is refused, unless `stop` was given: then the GUI is merely ahead of us, and it waits as well.

mod board;
mod conversation;
mod help;
mod messages;
mod obey;
mod output;
mod phase;

use std::error::Error;

use self::conversation::Session;

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
