//! `vedette data split`.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use datagen::data::split::{self, SplitPart};

use super::{warn, with_progress};
use crate::cli::format::grouped;

#[derive(clap::Args)]
pub struct Arguments {
    /// Read games from these files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write a part with a weight, e.g. --part train.vd=95 --part validation.vd=5
    #[arg(long = "part", value_name = "FILE=WEIGHT", value_parser = parse_part, required = true)]
    parts: Vec<SplitPart>,
    /// Set the random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

fn parse_part(text: &str) -> Result<SplitPart, String> {
    let refuse = || "expected FILE=WEIGHT, such as train.vd=95".to_owned();
    let (path, weight) = text.rsplit_once('=').ok_or_else(refuse)?;
    let weight = weight.parse().ok().filter(|&weight: &f64| weight > 0.0 && weight.is_finite());
    Ok(SplitPart { path: path.into(), weight: weight.ok_or_else(refuse)? })
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let (reading, counts) =
            with_progress(|progress| split::split(&self.files, &self.parts, self.seed, progress))?;
        warn(&reading);
        for (part, games) in self.parts.iter().zip(counts) {
            writeln!(io::stdout(), "{}: {} games", part.path.display(), grouped(games))?;
        }
        Ok(())
    }
}
