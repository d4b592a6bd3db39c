//! `vedette sprt`: Elo, LLR and expected length of a test from given results.

use std::error::Error;
use std::io::{self, Write};

use crate::cli::json::JsonArguments;
use crate::cli::refuse;
use stats::{Decision, Distribution, EloModel, Estimate, Pentanomial, Sprt, Trinomial};

#[derive(clap::Args)]
pub struct Arguments {
    /// Set the results: wins, draws and losses
    #[arg(long, num_args = 3, value_names = ["WINS", "DRAWS", "LOSSES"], conflicts_with = "penta")]
    wdl: Option<Vec<u64>>,
    /// Set the results of game pairs (pentanomial): 0, ½, 1, 1½ and 2 points
    #[arg(long, num_args = 5, value_names = ["LL", "LD", "WL+DD", "WD", "WW"])]
    penta: Option<Vec<u64>>,
    #[command(flatten)]
    sprt: SprtArguments,
    /// Set the draw ratio for the expected length [default: from the results, or 0.5]
    #[arg(long, value_name = "RATIO", value_parser = draw_ratio)]
    draws: Option<f64>,
    #[command(flatten)]
    json: JsonArguments,
}

/// The hypotheses of a test; `vedette gpu sprt` has the same.
#[derive(clap::Args)]
pub struct SprtArguments {
    /// Set the Elo difference of H0, the null hypothesis
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// Set the Elo difference of H1, the alternative
    #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// Set the false-positive rate: H1 accepted although H0 holds
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Set the false-negative rate: H0 accepted although H1 holds
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Set the Elo model of elo0 and elo1: normalized, logistic or bayesian
    #[arg(long, default_value_t = EloModel::Normalized)]
    pub model: EloModel,
}

impl SprtArguments {
    /// The test; invalid hypotheses exit.
    pub fn test(&self) -> Sprt {
        Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, self.model)
            .unwrap_or_else(|error| refuse(&format!("{error}\n\nFor more information, try '--help'.")))
    }
}

/// The draw ratio without results.
const DEFAULT_DRAW_RATIO: f64 = 0.5;

/// Prints the estimate from the results, and the expected length of the test.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let test = arguments.sprt.test();
    if arguments.penta.is_some() && arguments.sprt.model == EloModel::Bayesian {
        return Err("the bayesian model needs single games: use --wdl instead of --penta".into());
    }
    let results = Results::read(arguments);
    let observed = results.as_ref().and_then(Results::draw_ratio);
    let draws = arguments.draws.or(observed).unwrap_or(DEFAULT_DRAW_RATIO);
    // Between equals a game deviates from one half by one half unless it is drawn.
    let deviation = (0.25 * (1.0 - draws)).sqrt();
    let output = arguments.json.open()?;
    output.finish(|| json(&test, results.as_ref(), deviation))?;
    let mut out = arguments.json.text();
    if let Some(results) = &results {
        results.print(&mut out, &test)?;
    }
    print_expected(&mut out, &test, deviation)?;
    Ok(())
}

fn draw_ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|ratio| (0.0..1.0).contains(ratio));
    ratio.ok_or_else(|| "expected 0..1".to_owned())
}

struct Results {
    distribution: Distribution,
    llr: Box<dyn Fn(&Sprt) -> f64>,
}

impl Results {
    fn read(arguments: &Arguments) -> Option<Self> {
        if let Some(&[wins, draws, losses]) = arguments.wdl.as_deref() {
            let games = Trinomial { losses, draws, wins };
            return Some(Self {
                distribution: games.distribution(),
                llr: Box::new(move |test| test.llr_of_games(games)),
            });
        }
        let counts: [u64; 5] = arguments.penta.as_deref()?.try_into().ok()?;
        let pairs = Pentanomial { counts };
        Some(Self { distribution: pairs.distribution(), llr: Box::new(move |test| test.llr_of_pairs(pairs)) })
    }

    /// The draw ratio; for game pairs, the one that gives single games the same variance. It is regularised as in the LLR, so
    /// it stays below one even when every game was drawn.
    fn draw_ratio(&self) -> Option<f64> {
        if self.distribution.samples() == 0.0 {
            return None;
        }
        let law = self.distribution.regularised();
        Some(match *law.atoms() {
            [_, (_, drawn), _] => drawn,
            _ => (1.0 - 4.0 * law.deviation_per_game().powi(2)).max(0.0),
        })
    }

    fn print(&self, out: &mut impl Write, test: &Sprt) -> io::Result<()> {
        let Some(estimate) = Estimate::from_distribution(&self.distribution) else {
            return writeln!(out, "No games");
        };
        let llr = (self.llr)(test);
        let bounds = test.bounds();
        writeln!(
            out,
            "Elo      {:+.2} +/- {}\nnElo     {:+.2} +/- {}\nLOS      {:.2} %\nScore    {:.2} % of {} games",
            estimate.elo,
            error_text(estimate.elo_error),
            estimate.nelo,
            error_text(estimate.nelo_error),
            estimate.los * 100.0,
            estimate.score * 100.0,
            self.distribution.games()
        )?;
        writeln!(out, "LLR      {llr:+.3} ({:.2}, {:.2})", bounds.lower, bounds.upper)?;
        match test.decide(llr) {
            Decision::AcceptH1 => writeln!(out, "Decision H1 accepted"),
            Decision::AcceptH0 => writeln!(out, "Decision H0 accepted"),
            Decision::Continue => {
                writeln!(out, "Decision none yet")?;
                let Some(forecast) = test.forecast(llr, &self.distribution) else { return Ok(()) };
                let (games, pass) = (forecast.games, forecast.pass * 100.0);
                writeln!(
                    out,
                    "Forecast {games:.0} more games, H1 accepted with probability {pass:.0} % at this rate"
                )
            }
        }
    }
}

/// Half the width of the confidence interval; unknown when all results are equal.
fn error_text(error: f64) -> String {
    if error.is_finite() { format!("{error:.2}") } else { "unknown".to_owned() }
}

/// True Elo differences for which the expected length is printed.
fn differences(test: &Sprt) -> Vec<f64> {
    let (elo0, elo1) = test.hypotheses();
    let step = (elo1 - elo0) / 2.0;
    (-2..=4).map(|i| elo0 + f64::from(i) * step).collect()
}

fn print_expected(out: &mut impl Write, test: &Sprt, deviation: f64) -> io::Result<()> {
    let (elo0, elo1) = test.hypotheses();
    writeln!(out, "Expected length of SPRT [{elo0}, {elo1}] ({})", test.model())?;
    writeln!(out, "{:>10} {:>10} {:>10}", "true Elo", "games", "H1 %")?;
    for elo in differences(test) {
        let forecast = test.expected(elo, deviation);
        writeln!(out, "{elo:>10.2} {:>10.0} {:>10.1}", forecast.games, forecast.pass * 100.0)?;
    }
    Ok(())
}

fn json(test: &Sprt, results: Option<&Results>, deviation: f64) -> serde_json::Value {
    let results = results.map(|results| {
        let llr = (results.llr)(test);
        serde_json::json!({
            "estimate": Estimate::from_distribution(&results.distribution), "llr": llr,
            "decision": test.decide(llr), "forecast": test.forecast(llr, &results.distribution),
        })
    });
    let expected: Vec<_> = differences(test)
        .into_iter()
        .map(|elo| {
            let forecast = test.expected(elo, deviation);
            serde_json::json!({"elo": elo, "games": forecast.games, "pass": forecast.pass})
        })
        .collect();
    serde_json::json!({"schema": "vedette-sprt/1", "test": test, "bounds": test.bounds(), "results": results, "expected": expected})
}
