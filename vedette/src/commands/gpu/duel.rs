//! Two players on a GPU, as `vedette gpu match` and `vedette gpu sprt` share it.

use std::error::Error;
use std::path::PathBuf;

use gpu::duel::{Duel, Ended, Score};
use stats::{Estimate, Sprt};

use super::DeviceArguments;
use super::players::{self, Setting};
use crate::cli::format::nps_text;
use crate::cli::interrupt::stop_on_signal;
use crate::cli::progress::ProgressLine;
use crate::cli::values::parse_fraction;

/// Who plays whom, and how.
#[derive(clap::Args)]
pub struct DuelArguments {
    /// Network of the first player [default: the one inside the program]
    #[arg(value_name = "NET_A")]
    first: Option<PathBuf>,
    /// Network of the second player [default: that of the first]
    #[arg(value_name = "NET_B")]
    second: Option<PathBuf>,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value = "1k", value_parser = super::parse_nodes)]
    nodes: u32,
    /// Nodes for each move of the second player [default: --nodes]
    #[arg(long, value_name = "N", value_parser = super::parse_nodes)]
    nodes_b: Option<u32>,
    /// A parameter of the first player's search
    #[arg(long, value_name = "NAME=VALUE", value_parser = players::parse_setting)]
    param_a: Vec<Setting>,
    /// A parameter of the second player's search
    #[arg(long, value_name = "NAME=VALUE", value_parser = players::parse_setting)]
    param_b: Vec<Setting>,
    /// Share of pairs that begin with a position of double Chess960
    #[arg(long, value_name = "0..1", default_value_t = 0.0, value_parser = parse_fraction)]
    dfrc: f64,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    device: DeviceArguments,
}

impl DuelArguments {
    /// Plays pairs until there are enough, or the test is decided; tells the players' names and what came of it.
    pub fn play(&self, pairs: u64, sprt: Option<Sprt>) -> Result<([String; 2], Ended), Box<dyn Error>> {
        let second = self.second.as_deref().or(self.first.as_deref());
        let (first, first_name) = players::player(self.first.as_deref(), &self.param_a)?;
        let (second, second_name) = players::player(second, &self.param_b)?;
        let duel = Duel {
            nodes: [self.nodes, self.nodes_b.unwrap_or(self.nodes)],
            pairs,
            seed: self.seed,
            dfrc_share: self.dfrc,
            sprt,
        };
        let mut venue = self.device.venue()?;
        let interrupt = stop_on_signal()?;
        let mut progress_line = ProgressLine::new();
        let ended = duel.play(&mut venue, [&first, &second], &interrupt, |score| {
            progress_line.update(|| line(score, sprt.as_ref()));
        });
        progress_line.finish(None);
        Ok(([first_name, second_name], ended?))
    }
}

fn line(score: &Score, sprt: Option<&Sprt>) -> String {
    let elo = score.estimate().map_or_else(String::new, |found| elo_text(&found));
    let ratio = sprt.map_or_else(String::new, |sprt| format!("  LLR {:+.2}", sprt.llr_of_pairs(score.pairs)));
    format!("{} games  {elo}{ratio}  {}", score.games.games(), speed(score))
}

fn elo_text(estimate: &Estimate) -> String {
    if !estimate.elo_error.is_finite() {
        return format!("{:.1} %, all pairs alike", estimate.score * 100.0);
    }
    format!("{:+.1} ± {:.1} Elo", estimate.elo, estimate.elo_error)
}

/// Elo, normalised Elo and the likelihood of superiority, as far as the results tell.
fn elo_lines(estimate: &Estimate) -> String {
    let Estimate { elo, elo_error, nelo, nelo_error, los, .. } = estimate;
    if !elo_error.is_finite() {
        return "Elo      open: all pairs ended alike\n".to_owned();
    }
    format!(
        "Elo      {elo:+.2} +/- {elo_error:.2}\nnElo     {nelo:+.2} +/- {nelo_error:.2}\nLOS      {:.2} %\n",
        los * 100.0
    )
}

fn speed(score: &Score) -> String {
    nps_text(score.nodes as f64 / score.seconds.max(1e-9))
}

/// What came of a match of so many games at most, in lines.
pub fn report(names: &[String; 2], ended: &Ended, wanted: u64) -> String {
    let Ended { score, complete } = ended;
    let games = score.games;
    let end = if *complete {
        String::new()
    } else {
        format!("Interrupted after {} of {wanted} games\n", games.games())
    };
    let Some(estimate) = score.estimate() else { return format!("No games\n{end}") };
    format!(
        "{}\nagainst {}\n{}Score    {:.2} % of {} games: {} won, {} drawn, {} lost\nPairs    {:?}\n\
         Searches {:.1} half moves deep, {}, {:.1} s\n{end}",
        names[0],
        names[1],
        elo_lines(&estimate),
        estimate.score * 100.0,
        games.games(),
        games.wins,
        games.draws,
        games.losses,
        score.pairs.counts,
        score.depth(),
        speed(score),
        score.seconds,
    )
}

/// The same for programs.
pub fn json(names: &[String; 2], ended: &Ended) -> serde_json::Value {
    serde_json::json!({
        "players": names, "complete": ended.complete,
        "score": ended.score, "estimate": ended.score.estimate(),
    })
}
