//! `vedette gpu sprt`

use std::error::Error;
use std::io::Write;

use stats::{Decision, EloModel};

use super::matchup::{self, MatchArguments};
use crate::cli::interrupt::unless_interrupted;
use crate::commands::sprt::SprtArguments;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    players: MatchArguments,
    #[command(flatten)]
    sprt: SprtArguments,
    /// Stop after this many games
    #[arg(long, value_name = "N", default_value = "400k", value_parser = super::parse_games)]
    games: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.sprt.model == EloModel::Bayesian {
        return Err("the bayesian model needs single games, not pairs: use normalized or logistic".into());
    }
    let test = arguments.sprt.test();
    let json = arguments.players.json.open()?;
    let (names, end) = arguments.players.play(arguments.games / 2, Some(test))?;
    let llr = test.llr_of_pairs(end.score.pairs);
    let (bounds, decision) = (test.bounds(), test.decide(llr));
    let mut out = arguments.players.json.text();
    write!(out, "{}", matchup::report(&names, &end, arguments.games))?;
    writeln!(out, "LLR      {llr:+.3} ({:.2}, {:.2})", bounds.lower, bounds.upper)?;
    let text = match decision {
        Decision::AcceptH1 => "H1 accepted",
        Decision::AcceptH0 => "H0 accepted",
        Decision::Continue => "none yet",
    };
    writeln!(out, "Decision {text}")?;
    json.finish(|| {
        let mut value = matchup::json(&names, &end);
        value["test"] = serde_json::json!({
            "test": test, "bounds": bounds, "llr": llr, "decision": decision,
        });
        value
    })?;
    if end.complete { Ok(()) } else { Ok(unless_interrupted()?) }
}
