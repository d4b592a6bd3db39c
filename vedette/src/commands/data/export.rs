//! `vedette data export`.

use std::error::Error;
use std::io::{self, Write};

use datagen::data::export::Export;

use super::{
    FileArguments, FormatArguments, OrderArguments, PositionArguments, report_skipped, warn, with_progress,
};
use crate::cli::format::grouped;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    files: FileArguments,
    #[command(flatten)]
    formats: FormatArguments,
    /// Shuffle the positions
    #[arg(long)]
    shuffle: bool,
    #[command(flatten)]
    order: OrderArguments,
    #[command(flatten)]
    positions: PositionArguments,
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let format = self.formats.output(&self.files.output)?;
        if format.has_games() {
            return Err(
                format!("{format}: export writes positions; use vedette data convert for games").into()
            );
        }
        let export = Export {
            from: self.formats.from,
            format,
            filter: self.positions.filter(),
            shuffle: self.shuffle.then_some(self.order.seed),
            memory: self.order.memory.saturating_mul(1 << 20),
        };
        let exported = with_progress(|progress| export.run(&self.files.input, &self.files.output, progress))?;
        warn(&exported.reading);
        report_skipped(exported.skipped, format);
        Ok(writeln!(
            io::stdout(),
            "{} positions from {} games",
            grouped(exported.kept - exported.skipped),
            grouped(exported.reading.games())
        )?)
    }
}
