//! `vedette data filter`.

use std::error::Error;
use std::io::{self, Write};

use datagen::data::select::{self, Choice};
use record::packed::PackedResult;

use super::{FileArguments, warn, with_progress};
use crate::cli::format::grouped;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    files: FileArguments,
    /// Drop games with fewer plies
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_plies: usize,
    /// Drop games with more plies
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    max_plies: usize,
    /// Keep games with these results
    #[arg(long, value_enum, value_delimiter = ',', default_value = "white,draw,black")]
    results: Vec<Winner>,
    /// Keep games of this variant
    #[arg(long, alias = "kind", value_enum, default_value_t = Variant::Any)]
    variant: Variant,
    /// Drop games whose first score is larger for either side, in centipawns
    #[arg(long, value_name = "CP", default_value_t = u16::MAX, hide_default_value = true)]
    max_first_score: u16,
    /// Drop duplicate games
    #[arg(long, alias = "unique")]
    dedup: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Winner {
    /// White wins
    White,
    /// Draw
    Draw,
    /// Black wins
    Black,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Variant {
    /// Standard chess and Chess960
    Any,
    /// Standard chess
    Standard,
    /// Chess960, single and double
    Chess960,
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let choice = Choice {
            min_plies: self.min_plies,
            max_plies: self.max_plies,
            results: self
                .results
                .iter()
                .map(|winner| match winner {
                    Winner::White => PackedResult::WhiteWins,
                    Winner::Draw => PackedResult::Draw,
                    Winner::Black => PackedResult::BlackWins,
                })
                .collect(),
            standard: self.variant != Variant::Chess960,
            chess960: self.variant != Variant::Standard,
            max_first_score: self.max_first_score,
            unique: self.dedup,
        };
        let (reading, kept) = with_progress(|progress| {
            select::select(&self.files.input, &self.files.output, &choice, progress)
        })?;
        warn(&reading);
        Ok(writeln!(io::stdout(), "{} of {} games kept", grouped(kept), grouped(reading.games()))?)
    }
}
