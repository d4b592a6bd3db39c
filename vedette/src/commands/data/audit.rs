//! `vedette data audit`.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use datagen::data::DataError;
use datagen::data::audit::{self, Audit};
use datagen::data::source;
use support::files::replace;

use super::{PositionArguments, with_progress};

#[derive(clap::Args)]
pub struct Arguments {
    /// Read games from these files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write charts to this file, .html or .svg
    #[arg(long, alias = "picture", value_name = "FILE")]
    chart: Option<PathBuf>,
    /// Exit with code 1 if there are anomalies
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    positions: PositionArguments,
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let mut audit = Audit::new(self.positions.filter());
        let reading = with_progress(|progress| {
            source::read(&self.files, |game, done| {
                progress(done);
                audit.add(&game);
                Ok(())
            })
        })?;
        audit.add_reading(reading);
        write!(io::stdout(), "{audit}")?;
        if let Some(path) = &self.chart {
            let chart = if is_html(path) { audit::html(&audit) } else { audit::svg(&audit) };
            replace(path, chart.as_bytes()).map_err(DataError::at(path))?;
        }
        match audit.findings().len() {
            findings if self.strict && findings > 0 => Err(format!("{findings} anomalies").into()),
            _ => Ok(()),
        }
    }
}

fn is_html(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("html") || end.eq_ignore_ascii_case("htm"))
}
