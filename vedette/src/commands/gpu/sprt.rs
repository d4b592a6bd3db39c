//! `vedette gpu sprt`: a match that ends as soon as it is decided.

use std::error::Error;
use std::io::{self, Write};

use stats::{Decision, EloModel, Sprt};

use super::duel::{self, DuelArguments};
use crate::cli::interrupt::unless_interrupted;

/// Who plays whom, and what is to be decided.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    duel: DuelArguments,
    /// Elo difference of the first hypothesis
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// Elo difference of the second hypothesis
    #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// Chance to accept the second when the first is true
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Chance to accept the first when the second is true
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Scale of elo0 and elo1: normalized or logistic
    #[arg(long, default_value_t = EloModel::Normalized)]
    model: EloModel,
    /// The most games
    #[arg(long, value_name = "N", default_value = "400k", value_parser = super::parse_games)]
    games: u64,
}

/// Plays until it is decided, and tells how.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.model == EloModel::Bayesian {
        return Err("the bayesian model knows single games only".into());
    }
    let test = Sprt::new(arguments.elo0, arguments.elo1, arguments.alpha, arguments.beta, arguments.model)?;
    let (names, ended) = arguments.duel.play(arguments.games / 2, Some(test))?;
    let ratio = test.llr_of_pairs(ended.score.pairs);
    let (bounds, decision) = (test.bounds(), test.decide(ratio));
    let mut out = io::stdout().lock();
    if arguments.duel.json {
        let mut told = duel::json(&names, &ended);
        told["test"] = serde_json::json!({
            "test": test, "bounds": bounds, "llr": ratio, "decision": decision,
        });
        writeln!(out, "{told}")?;
    } else {
        write!(out, "{}", duel::report(&names, &ended, arguments.games))?;
        writeln!(out, "LLR      {ratio:+.3} ({:.2}, {:.2})", bounds.lower, bounds.upper)?;
        let word = match decision {
            Decision::AcceptH1 => "H1 accepted",
            Decision::AcceptH0 => "H0 accepted",
            Decision::Continue => "none yet",
        };
        writeln!(out, "Decision {word}")?;
    }
    if ended.complete { Ok(()) } else { Ok(unless_interrupted()?) }
}
