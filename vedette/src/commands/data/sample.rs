//! `vedette data sample`.

use std::error::Error;
use std::io::{self, Write};

use datagen::data::sample::sample;

use super::{FileArguments, FormatArguments, report_skipped, warn, with_progress};
use crate::cli::format::grouped;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    files: FileArguments,
    /// Sample this many games, or positions from files without moves
    #[arg(long, value_name = "N")]
    games: u64,
    /// Set the random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    formats: FormatArguments,
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let FileArguments { input, output } = &self.files;
        let format = self.formats.output(output)?;
        let draw = (self.games, self.seed);
        let (reading, written, skipped) =
            with_progress(|progress| sample(input, self.formats.from, output, format, draw, progress))?;
        warn(&reading);
        report_skipped(skipped, format);
        Ok(writeln!(io::stdout(), "{} of {} games", grouped(written), grouped(reading.games()))?)
    }
}
