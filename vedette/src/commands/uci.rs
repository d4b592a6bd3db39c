//! `vedette uci`, and `vedette` alone: a UCI session on standard input and output.

use std::error::Error;
use std::io::{self, IsTerminal, Write};

use crate::identity;
use crate::session::{self, Input};

/// No arguments: options are set with `setoption`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs a session until `quit` or the end of input.
pub fn run(_: &Arguments) -> Result<(), Box<dyn Error>> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        writeln!(io::stdout(), "{}", identity::GREETING)?;
    }
    session::run(Input::Stdin)
}

/// Runs UCI commands given on the command line.
pub fn run_script(commands: Vec<String>) -> Result<(), Box<dyn Error>> {
    session::run(Input::Script(commands))
}
