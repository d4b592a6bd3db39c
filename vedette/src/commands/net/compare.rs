//! `vedette net compare`.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chess::{Epd, Position};
use datagen::selfplay::{OpeningPlan, SelfPlayPlan, Shard, play};
use engine::Searcher;
use engine::evaluation::Evaluation;
use nnue::{Difference, NetworkComparison};
use record::packed::Filter;
use serde_json::{Value, json};
use support::files;

use crate::cli::json::JsonArguments;
use crate::cli::network_file;
use crate::cli::values::parse_positive;

#[derive(clap::Args)]
pub struct Arguments {
    /// First network, quantised or float
    first: PathBuf,
    /// Second network
    second: PathBuf,
    /// Read positions from this file, one FEN or EPD per line [default: self-play games]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Play this many games without --positions
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = parse_positive)]
    games: u64,
    /// Search each move of these games with this many nodes
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = parse_positive)]
    nodes: u64,
    /// Set the random seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    json: JsonArguments,
}

/// Prints the differences in centipawns.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let json = arguments.json.open()?;
    let (first, _) = network_file::load_any(&arguments.first)?;
    let (second, _) = network_file::load_any(&arguments.second)?;
    let positions = match &arguments.positions {
        Some(path) => read_positions(path)?,
        None => arguments.play()?,
    };
    let mut comparison = NetworkComparison::default();
    for position in &positions {
        comparison.add(&first, &second, position);
    }
    print(&mut arguments.json.text(), &comparison)?;
    json.finish(|| as_json(&comparison))
}

fn as_json(comparison: &NetworkComparison) -> Value {
    let difference = |difference: &Difference| {
        json!({
            "positions": difference.positions, "mean": difference.mean(),
            "mean_absolute": difference.mean_absolute(), "rms": difference.root_mean_square(),
        })
    };
    let largest = comparison.largest.as_ref().map(
        |(position, [first, second])| json!({"fen": position.to_fen(), "first": first, "second": second}),
    );
    json!({
        "schema": "vedette-net-compare/1", "all": difference(&comparison.all),
        "buckets": comparison.buckets.iter().map(difference).collect::<Vec<_>>(),
        "correlation": comparison.correlation(), "opposite_signs": comparison.contradictions,
        "largest": largest,
    })
}

impl Arguments {
    /// The quiet positions of self-play games.
    fn play(&self) -> Result<Vec<Position>, Box<dyn Error>> {
        let plan = SelfPlayPlan {
            player: "classical evaluation".to_owned(),
            seed: self.seed,
            shard: Shard::WHOLE,
            soft_nodes: self.nodes,
            hard_nodes: self.nodes,
            hash_mb: 1,
            opening: OpeningPlan { random_plies: (8, 8), dfrc_share: 0.0, nodes: self.nodes, max_score: 400 },
            rules: SelfPlayPlan::RULES,
        };
        let mut searcher = Searcher::with_evaluation(plan.hash_mb, Evaluation::Classical)?;
        let filter = Filter::default();
        let mut positions = Vec::new();
        for number in 0..self.games {
            let game = play(&plan, number, &mut searcher).game;
            positions
                .extend(game.positions().filter(|sample| filter.keeps(sample)).map(|sample| sample.position));
        }
        Ok(positions)
    }
}

/// Every line that is not empty starts with a position.
fn read_positions(path: &Path) -> Result<Vec<Position>, String> {
    let text = files::read_text(path, files::CONTENT_LIMIT)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        // Training data in text form has labels after a bar.
        let line = line.split('|').next().unwrap_or(line);
        let position = line.parse::<Epd>().map(|epd| epd.position).or_else(|_| Position::from_fen(line));
        positions.push(position.map_err(|error| format!("{}:{}: {error}", path.display(), number + 1))?);
    }
    Ok(positions)
}

fn print(out: &mut impl Write, comparison: &NetworkComparison) -> io::Result<()> {
    writeln!(out, "          positions      mean   mean abs       rms")?;
    let mut row = |name: &str, difference: &Difference| {
        writeln!(
            out,
            "{name:<8} {:>10} {:>+9.2} {:>10.2} {:>9.2}",
            difference.positions,
            difference.mean(),
            difference.mean_absolute(),
            difference.root_mean_square()
        )
    };
    row("all", &comparison.all)?;
    for (bucket, difference) in comparison.buckets.iter().enumerate() {
        row(&format!("bucket {bucket}"), difference)?;
    }
    match comparison.correlation() {
        Some(correlation) => writeln!(out, "correlation {correlation:.5}")?,
        None => writeln!(out, "correlation undefined: one network is constant")?,
    }
    writeln!(out, "opposite signs: {}", comparison.contradictions)?;
    if let Some((position, [first, second])) = &comparison.largest {
        writeln!(out, "largest difference: {first:+.1} and {second:+.1} in {}", position.to_fen())?;
    }
    Ok(())
}
