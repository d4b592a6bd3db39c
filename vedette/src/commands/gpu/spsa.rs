//! `vedette gpu spsa`: tunes the search's parameters by games on a GPU, and speaks `OpenBench`'s lines.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::spsa::Tuner;
use gpu::abi;
use gpu::duel::Duel;
use gpu::player::Player;
use gpu::venue::Venue;

use super::{DeviceArguments, players};
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::output_file::OutputFile;
use crate::cli::progress::ProgressLine;
use crate::commands::spsa::tuning::{self, NewRun};

/// What to tune, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// Network of both players [default: the one inside the program]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Parameters as OpenBench writes them, one a line [default: all parameters of the search on the device]
    #[arg(value_name = "FILE")]
    parameters: Option<PathBuf>,
    /// Print the parameters of the search on the device as OpenBench's lines, and end
    #[arg(long)]
    export: bool,
    /// Iterations; in each, the shaken searches play some pairs of games
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Pairs of games in an iteration; as many games as the GPU plays at once are as quick as one
    #[arg(long, default_value_t = 2112, value_parser = clap::value_parser!(u64).range(1..=super::MOST_GAMES / 2))]
    pairs: u64,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value = "1k", value_parser = super::parse_nodes)]
    nodes: u32,
    /// Seed of the perturbations and openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File of the run: written after each iteration, read when it is there
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// File for the tuned parameters [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Tunes, or exports.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.export {
        let mut out = io::stdout().lock();
        return Ok(abi::parameters()
            .iter()
            .try_for_each(|parameter| writeln!(out, "{}", parameter.spsa_line()))?);
    }
    let new = NewRun {
        parameters: arguments.parameters.as_deref(),
        iterations: arguments.iterations,
        seed: arguments.seed,
    };
    let mut tuner = tuning::start(&abi::parameters(), arguments.state.as_deref(), &new)?;
    let (player, _) = players::player(arguments.network.as_deref(), &[])?;
    let mut venue = arguments.device.venue()?;
    let output = arguments.output.as_deref().map(OutputFile::open).transpose()?;
    if let Some(path) = &arguments.state {
        tuning::save(path, &tuner)?;
    }
    let interrupt = stop_on_signal()?;
    tune(arguments, &mut tuner, &player, &mut venue, &interrupt)?;
    let text = tuning::lines(&tuner);
    match output {
        Some(file) => file.finish(&text)?,
        None => write!(io::stdout(), "{text}")?,
    }
    let (done, wanted) = tuner.progress();
    if done < wanted { Ok(unless_interrupted()?) } else { Ok(()) }
}

/// Plays all iterations, or until somebody interrupts.
fn tune(
    arguments: &Arguments,
    tuner: &mut Tuner,
    player: &Player,
    venue: &mut Venue,
    interrupt: &AtomicBool,
) -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = tuner.parameters().iter().map(|parameter| parameter.name.clone()).collect();
    let shaken = |values: &[f64]| {
        let mut shaken = player.clone();
        names
            .iter()
            .zip(values)
            .try_for_each(|(name, value)| shaken.set(name, value.round() as i32))
            .map(|()| shaken)
    };
    let mut progress_line = ProgressLine::new();
    while let Some(iteration) = tuner.next_iteration() {
        let duel = Duel {
            nodes: [arguments.nodes; 2],
            pairs: arguments.pairs,
            seed: arguments.seed.wrapping_add(iteration.number),
            dfrc_share: 0.0,
            sprt: None,
        };
        let players = [shaken(&iteration.plus)?, shaken(&iteration.minus)?];
        let ended = duel.play(venue, [&players[0], &players[1]], interrupt, |_| {})?;
        if !ended.complete {
            break;
        }
        let games = ended.score.games;
        // A step is meant for the result of a pair, so that more games make it surer, not longer.
        let result = (games.wins as f64 - games.losses as f64) / arguments.pairs as f64;
        tuner.finish(&iteration, result * PAIRS_OF_A_STEP);
        if let Some(path) = &arguments.state {
            tuning::save(path, tuner)?;
        }
        progress_line.update(|| tuning::progress(tuner));
    }
    progress_line.finish(interrupt.load(Ordering::Relaxed).then(|| "interrupted".to_owned()));
    Ok(())
}

/// Pairs whose result moves the parameters as far as `R_end` means: what fishtest and `OpenBench` play in an iteration
/// are single pairs or a few, and thousands of iterations. Here are hundreds of sure ones, so each counts for more.
const PAIRS_OF_A_STEP: f64 = 64.0;
