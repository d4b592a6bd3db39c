//! `vedette man`: manual pages.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;
use support::files::create_dir_all;

use crate::cli::output_file::{self, path_error};
use crate::invocation;

#[derive(clap::Args)]
#[command(after_help = "For example: vedette man bench | man -l -")]
pub struct Arguments {
    /// Print the page of this command, such as `data audit` [default: the page of vedette]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write the pages of all commands to this folder instead
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "command")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    // The page of `vedette help` says nothing.
    let mut command = invocation::command_line().disable_help_subcommand(true);
    command.build();
    if let Some(folder) = &arguments.output {
        create_dir_all(folder).map_err(|error| path_error(folder, &error))?;
        return write_all(&command, folder);
    }
    let mut shown = &command;
    for name in &arguments.command {
        let unknown = || format!("unknown command '{name}': see vedette --help");
        shown = shown.find_subcommand(name).ok_or_else(unknown)?;
    }
    Ok(io::stdout().write_all(&page(shown)?.1)?)
}

/// The name of a page's file, and the page.
fn page(command: &Command) -> io::Result<(String, Vec<u8>)> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    Ok((man.get_filename(), page))
}

/// Writes the page of a command and those of its subcommands.
fn write_all(command: &Command, folder: &Path) -> Result<(), Box<dyn Error>> {
    let (name, page) = page(command)?;
    output_file::write(&folder.join(name), &String::from_utf8_lossy(&page))?;
    command.get_subcommands().try_for_each(|subcommand| write_all(subcommand, folder))
}
