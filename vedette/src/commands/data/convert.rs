//! `vedette data convert`.

use std::error::Error;
use std::io::{self, Write};

use datagen::data::convert::convert;

use super::{FileArguments, FormatArguments, report_skipped, warn, with_progress};
use crate::cli::format::grouped;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    files: FileArguments,
    #[command(flatten)]
    formats: FormatArguments,
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let FileArguments { input, output } = &self.files;
        let format = self.formats.output(output)?;
        let converted =
            with_progress(|progress| convert(input, self.formats.from, output, format, progress))?;
        warn(&converted.reading);
        report_skipped(converted.skipped, format);
        Ok(writeln!(
            io::stdout(),
            "{} positions of {} games",
            grouped(converted.reading.positions - converted.skipped),
            grouped(converted.reading.games())
        )?)
    }
}
