//! `vedette completions`: the completion script of a shell.

use std::error::Error;
use std::io::{self, Write};

use clap_complete::Shell;

use crate::invocation;

#[derive(clap::Args)]
#[command(
    after_help = "For example: vedette completions bash > ~/.local/share/bash-completion/completions/vedette"
)]
pub struct Arguments {
    /// Print the script of this shell
    shell: Shell,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    // clap_complete panics where stdout is closed, so it does not get it.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut invocation::command_line(), "vedette", &mut script);
    Ok(io::stdout().write_all(&script)?)
}
