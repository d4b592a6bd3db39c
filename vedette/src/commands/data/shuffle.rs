//! `vedette data shuffle`.

use std::error::Error;
use std::io::{self, Write};

use datagen::data::shuffle;

use super::{FileArguments, OrderArguments, warn, with_progress};
use crate::cli::format::grouped;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    files: FileArguments,
    #[command(flatten)]
    order: OrderArguments,
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let OrderArguments { seed, memory } = self.order;
        let reading = with_progress(|progress| {
            shuffle::shuffle(
                &self.files.input,
                &self.files.output,
                seed,
                memory.saturating_mul(1 << 20),
                progress,
            )
        })?;
        warn(&reading);
        Ok(writeln!(io::stdout(), "{} games shuffled", grouped(reading.games()))?)
    }
}
