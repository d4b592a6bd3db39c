//! Two players on a device: what `vedette gpu match` and `vedette gpu sprt` share.

use std::error::Error;
use std::path::PathBuf;

use gpu::matches::{Match, MatchEnd, MatchScore};
use stats::{Estimate, Sprt};

use super::DeviceArguments;
use super::players::{self, Setting};
use crate::cli::format::nps_text;
use crate::cli::interrupt::stop_on_signal;
use crate::cli::json::JsonArguments;
use crate::cli::progress::ProgressLine;
use crate::cli::values::parse_fraction;

#[derive(clap::Args)]
pub struct MatchArguments {
    /// Use this network for the first player [default: built-in]
    #[arg(value_name = "NET_A")]
    first: Option<PathBuf>,
    /// Use this network for the second player [default: that of the first]
    #[arg(value_name = "NET_B")]
    second: Option<PathBuf>,
    /// Search each move with this many nodes
    #[arg(long, value_name = "N", default_value = "1k", value_parser = super::parse_nodes)]
    nodes: u32,
    /// Search each move of the second player with this many nodes [default: --nodes]
    #[arg(long, value_name = "N", value_parser = super::parse_nodes)]
    nodes_b: Option<u32>,
    /// Set a search parameter of the first player; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = players::parse_setting)]
    param_a: Vec<Setting>,
    /// Set a search parameter of the second player; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = players::parse_setting)]
    param_b: Vec<Setting>,
    /// Start this fraction of openings from double Chess960 (DFRC) positions
    #[arg(long, value_name = "0..1", default_value_t = 0.0, value_parser = parse_fraction)]
    dfrc: f64,
    /// Set the random seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    pub json: JsonArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

impl MatchArguments {
    /// Plays up to this many pairs, or until the test is decided. Returns the players' names as well.
    pub fn play(&self, pairs: u64, sprt: Option<Sprt>) -> Result<([String; 2], MatchEnd), Box<dyn Error>> {
        let second = self.second.as_deref().or(self.first.as_deref());
        let (first, first_name) = players::player(self.first.as_deref(), &self.param_a)?;
        let (second, second_name) = players::player(second, &self.param_b)?;
        let settings = Match {
            nodes: [self.nodes, self.nodes_b.unwrap_or(self.nodes)],
            pairs,
            seed: self.seed,
            dfrc_share: self.dfrc,
            sprt,
        };
        let mut context = self.device.open()?;
        let interrupt = stop_on_signal()?;
        let mut progress_line = ProgressLine::new();
        let end = settings.play(&mut context, [&first, &second], &interrupt, |score| {
            progress_line.update(|| line(score, sprt.as_ref()));
        });
        progress_line.finish(None);
        Ok(([first_name, second_name], end?))
    }
}

fn line(score: &MatchScore, sprt: Option<&Sprt>) -> String {
    let elo = score.estimate().map_or_else(String::new, |found| elo_text(&found));
    let ratio = sprt.map_or_else(String::new, |sprt| format!("  LLR {:+.2}", sprt.llr_of_pairs(score.pairs)));
    format!("{} games  {elo}{ratio}  {}", score.games.games(), speed(score))
}

fn elo_text(estimate: &Estimate) -> String {
    if !estimate.elo_error.is_finite() {
        return format!("{:.1} %, all pairs equal", estimate.score * 100.0);
    }
    format!("{:+.1} ± {:.1} Elo", estimate.elo, estimate.elo_error)
}

fn elo_lines(estimate: &Estimate) -> String {
    let Estimate { elo, elo_error, nelo, nelo_error, los, .. } = estimate;
    if !elo_error.is_finite() {
        return "Elo      unknown: all pairs have the same score\n".to_owned();
    }
    format!(
        "Elo      {elo:+.2} +/- {elo_error:.2}\nnElo     {nelo:+.2} +/- {nelo_error:.2}\nLOS      {:.2} %\n",
        los * 100.0
    )
}

fn speed(score: &MatchScore) -> String {
    nps_text(score.nodes as f64 / score.seconds.max(1e-9))
}

/// For people; `wanted` is the maximum number of games.
pub fn report(names: &[String; 2], end: &MatchEnd, wanted: u64) -> String {
    let MatchEnd { score, complete } = end;
    let games = score.games;
    let interrupted = if *complete {
        String::new()
    } else {
        format!("Interrupted after {} of {wanted} games\n", games.games())
    };
    let Some(estimate) = score.estimate() else { return format!("No games\n{interrupted}") };
    format!(
        "{}\nvs. {}\n{}Score    {:.2} % of {} games: {} won, {} drawn, {} lost\nPairs    {:?}\n\
         Depth    {:.1} plies, {}, {:.1} s\n{interrupted}",
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

pub fn json(names: &[String; 2], end: &MatchEnd) -> serde_json::Value {
    serde_json::json!({
        "schema": "vedette-gpu-match/1", "players": names, "complete": end.complete,
        "score": end.score, "estimate": end.score.estimate(),
    })
}
