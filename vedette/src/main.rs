//! The `vedette` binary. Without arguments it runs as a UCI engine; with a command's name it runs that command; UCI commands
//! given as arguments are run in order.

// `eprintln!` panics when stderr is closed; `stderr!` does not.
#![deny(clippy::print_stderr)]

#[cfg_attr(not(feature = "tools"), allow(dead_code, reason = "what only the tools use"))]
mod cli;
mod commands;
mod cpu;
mod identity;
mod invocation;
mod jobs;
mod session;

use std::error::Error;
use std::io::{self, ErrorKind};
use std::process::{self, ExitCode};
use std::{panic, thread};

use cli::interrupt::Interrupted;
use cli::stderr::stderr;

/// Enough for any command, whatever `ulimit -s` says.
const STACK_BYTES: usize = 8 * 1024 * 1024;

fn main() -> ExitCode {
    let thread = thread::Builder::new().name("vedette".to_owned()).stack_size(STACK_BYTES);
    match thread.spawn(run).map(thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic message is already printed.
        Ok(Err(_)) => ExitCode::FAILURE,
        Err(error) => fail(&error, ExitCode::FAILURE),
    }
}

fn run() -> ExitCode {
    // Arguments first: --help and usage errors must work in a bad environment.
    let invocation = invocation::read(std::env::args_os());
    let failure = invocation.exit_code_of_failure();
    if !invocation.contains_panics() {
        abort_on_panic();
    }
    match check_environment().and_then(|()| invocation.run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => match error.downcast_ref::<Interrupted>() {
            Some(interrupted) => ExitCode::from(interrupted.exit_code()),
            None => fail(error.as_ref(), failure),
        },
    }
}

/// Aborts the program when any thread panics. A search or a match that has lost a thread could hang; a program that exits
/// is noticed.
fn abort_on_panic() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        print(info);
        process::abort();
    }));
}

/// Fails early instead of ignoring a bad environment: SIMD instructions that this CPU does not have, or a built-in network that
/// cannot be read.
fn check_environment() -> Result<(), Box<dyn Error>> {
    nnue::SimdPath::from_environment().map_err(|error| format!("{}: {error}", nnue::SimdPath::VARIABLE))?;
    nnue::embedded().map_err(|error| format!("built-in network: {error}"))?;
    #[cfg(feature = "mutants")]
    engine::mutants::activate_from_environment()?;
    Ok(())
}

fn fail(error: &dyn Error, code: ExitCode) -> ExitCode {
    stderr!("vedette: {error}");
    code
}

/// A closed stdout is not a failure: `vedette bench | head -1`.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
