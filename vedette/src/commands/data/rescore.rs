//! `vedette data rescore`.

use std::error::Error;
use std::io::{self, Write};

use datagen::data::rescore;
use tables::Tablebases;

use super::{FileArguments, warn, with_progress};
use crate::cli::format::grouped;
use crate::cli::stderr::stderr;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    files: FileArguments,
    /// Correct results and scores with the Syzygy tablebases in these folders
    #[arg(long, value_name = "PATHS", required = true)]
    syzygy: String,
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let opened = Tablebases::open(&tables::split_paths(&self.syzygy));
        let opened = opened.map_err(|error| format!("--syzygy: {error}"))?;
        stderr!("{}", opened.summary());
        let tables = opened.tables;
        let (reading, corrections) = with_progress(|progress| {
            rescore::rescore(&self.files.input, &self.files.output, &tables, progress)
        })?;
        warn(&reading);
        if let Some(failure) = tables.failure() {
            return Err(format!("--syzygy: {failure}; only a part of the games was corrected").into());
        }
        Ok(writeln!(
            io::stdout(),
            "{} games, {} with positions in the tablebases: {} results and {} scores corrected",
            grouped(corrections.games),
            grouped(corrections.covered),
            grouped(corrections.results),
            grouped(corrections.scores)
        )?)
    }
}
