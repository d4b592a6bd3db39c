//! `vedette data shuffle`.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use datagen::data::shuffle;

use super::{OrderArguments, warn, with_progress};
use crate::cli::format::grouped;

#[derive(clap::Args)]
pub struct Arguments {
    /// Read games from these files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write to this file
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    order: OrderArguments,
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let OrderArguments { seed, memory } = self.order;
        let reading = with_progress(|progress| {
            shuffle::shuffle(&self.files, &self.output, seed, memory.saturating_mul(1 << 20), progress)
        })?;
        warn(&reading);
        Ok(writeln!(io::stdout(), "{} games shuffled", grouped(reading.games()))?)
    }
}
