//! `vedette gpu match`

use std::error::Error;
use std::io::Write;

use super::matchup::{self, MatchArguments};
use crate::cli::interrupt::unless_interrupted;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    players: MatchArguments,
    /// Play this many games; each opening is played twice with colours reversed
    #[arg(long, value_name = "N", default_value = "4224", value_parser = super::parse_games)]
    games: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let json = arguments.players.json.open()?;
    let (names, end) = arguments.players.play(arguments.games / 2, None)?;
    write!(arguments.players.json.text(), "{}", matchup::report(&names, &end, arguments.games))?;
    json.finish(|| matchup::json(&names, &end))?;
    if end.complete { Ok(()) } else { Ok(unless_interrupted()?) }
}
