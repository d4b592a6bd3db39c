//! `vedette data head`.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use datagen::data::DataError;
use record::dataset::{self, DataFormat, DatasetWriter};

use super::format_parser;

#[derive(clap::Args)]
pub struct Arguments {
    /// Print positions of this file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print this many positions
    #[arg(long, value_name = "N", default_value_t = 10)]
    positions: usize,
    /// Read a file of this format instead of recognising it
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<DataFormat>,
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let named = DataError::at(&self.file);
        let format = self.from.map_or_else(|| dataset::recognise(&self.file), Ok).map_err(&named)?;
        let mut reader = dataset::open_as(&self.file, format).map_err(&named)?;
        let mut writer = DatasetWriter::new(io::stdout().lock(), DataFormat::Csv)?;
        let mut left = self.positions;
        while left > 0 {
            let Some(entry) = reader.next_entry().map_err(&named)? else { break };
            entry.for_each(|sample| {
                if left == 0 {
                    return Ok(());
                }
                left -= 1;
                writer.write_position(sample)
            })?;
        }
        Ok(writer.finish()?.flush()?)
    }
}
