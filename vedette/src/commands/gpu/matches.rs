//! `vedette gpu match`: two networks, or two sets of parameters, play pairs of games.

use std::error::Error;
use std::io::{self, Write};

use super::duel::{self, DuelArguments};
use crate::cli::interrupt::unless_interrupted;

/// Who plays whom, and how long.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    duel: DuelArguments,
    /// Games, of which two begin with each opening
    #[arg(long, value_name = "N", default_value = "4224", value_parser = super::parse_games)]
    games: u64,
}

/// Plays, and tells Elo with its error.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let (names, ended) = arguments.duel.play(arguments.games / 2, None)?;
    let mut out = io::stdout().lock();
    if arguments.duel.json {
        writeln!(out, "{}", duel::json(&names, &ended))?;
    } else {
        write!(out, "{}", duel::report(&names, &ended, arguments.games))?;
    }
    if ended.complete { Ok(()) } else { Ok(unless_interrupted()?) }
}
