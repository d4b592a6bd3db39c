//! Vedette's one binary. Without words it speaks UCI, with a command's name it runs that command, and words
//! that are UCI commands themselves are obeyed one after the other.

// It ends the program where standard error was closed; `stderr!` does not.
#![deny(clippy::print_stderr)]

mod cli;
mod commands;
mod identity;
mod invocation;
mod jobs;
mod session;

use std::error::Error;
use std::io::{self, ErrorKind};
use std::process::ExitCode;
use std::thread;

use cli::interrupt::Interrupted;
use cli::stderr::stderr;

/// Room for the deepest stack any command needs, so that a small `ulimit -s` changes nothing.
const STACK_BYTES: usize = 8 * 1024 * 1024;

fn main() -> ExitCode {
    let thread = thread::Builder::new().name("vedette".to_owned()).stack_size(STACK_BYTES);
    match thread.spawn(run).map(thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic has told its story already.
        Ok(Err(_)) => ExitCode::FAILURE,
        Err(error) => fail(&error, ExitCode::FAILURE),
    }
}

fn run() -> ExitCode {
    // Words first: help and mistakes on the command line need no sound surroundings.
    let invocation = invocation::read(std::env::args_os());
    let failure = invocation.exit_code_of_failure();
    match check_surroundings().and_then(|()| invocation.run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => match error.downcast_ref::<Interrupted>() {
            Some(interrupted) => ExitCode::from(interrupted.exit_code()),
            None => fail(error.as_ref(), failure),
        },
    }
}

/// Tells at once what would otherwise be ignored in silence: an environment that asks for instructions which
/// this CPU does not have, or a network inside the program that does not fit it.
fn check_surroundings() -> Result<(), Box<dyn Error>> {
    nnue::Path::from_environment().map_err(|error| format!("{}: {error}", nnue::Path::VARIABLE))?;
    nnue::embedded().map_err(|error| format!("the network inside this program: {error}"))?;
    #[cfg(feature = "mutants")]
    engine::mutants::activate_from_environment()?;
    Ok(())
}

fn fail(error: &dyn Error, code: ExitCode) -> ExitCode {
    stderr!("vedette: {error}");
    code
}

/// Whoever reads our output may stop reading whenever it likes: `vedette bench | head -1` is no failure.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
