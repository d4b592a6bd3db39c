//! `vedette data export`.

use std::error::Error;
use std::io::{self, Write};

use datagen::data::export::{Export, Format};

use super::{FileArguments, OrderArguments, PositionArguments, warn, with_progress};
use crate::cli::format::grouped;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    files: FileArguments,
    /// Write this format
    #[arg(long, value_enum)]
    format: ExportFormat,
    /// Shuffle the positions
    #[arg(long)]
    shuffle: bool,
    #[command(flatten)]
    order: OrderArguments,
    #[command(flatten)]
    positions: PositionArguments,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ExportFormat {
    /// Lines of `FEN | centipawns | result` from White's view
    Text,
    /// 32-byte bulletformat records
    Bullet,
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let export = Export {
            format: match self.format {
                ExportFormat::Text => Format::Text,
                ExportFormat::Bullet => Format::Bullet,
            },
            filter: self.positions.filter(),
            shuffle: self.shuffle.then_some(self.order.seed),
            memory: self.order.memory.saturating_mul(1 << 20),
        };
        let (reading, positions) =
            with_progress(|progress| export.run(&self.files.input, &self.files.output, progress))?;
        warn(&reading);
        Ok(writeln!(
            io::stdout(),
            "{} positions from {} games",
            grouped(positions),
            grouped(reading.games())
        )?)
    }
}
