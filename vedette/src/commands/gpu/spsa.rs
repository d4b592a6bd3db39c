//! `vedette gpu spsa`

use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::spsa::Tuner;
use gpu::matches::Match;
use gpu::{DeviceContext, NetworkPlayer, abi};

use super::{DeviceArguments, players};
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::progress::ProgressLine;
use crate::commands::spsa::tuning::{self, TuningArguments};

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    tuning: TuningArguments,
    /// Use this network for both players [default: built-in]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Run this many iterations
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Play this many game pairs per iteration
    #[arg(long, value_name = "N", default_value_t = 2112, value_parser = clap::value_parser!(u64).range(1..=super::MAX_GAMES / 2))]
    pairs: u64,
    /// Search each move with this many nodes
    #[arg(long, value_name = "N", default_value = "1k", value_parser = super::parse_nodes)]
    nodes: u32,
    #[command(flatten)]
    device: DeviceArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.tuning.export {
        return tuning::export(&abi::parameters());
    }
    let mut tuner = arguments.tuning.start(&abi::parameters(), arguments.iterations)?;
    let (player, _) = players::player(arguments.network.as_deref(), &[])?;
    let mut context = arguments.device.open()?;
    let output = arguments.tuning.open_files(&tuner)?;
    let interrupt = stop_on_signal()?;
    tune(arguments, &mut tuner, &player, &mut context, &interrupt)?;
    tuning::write(output, &tuner)?;
    let (done, wanted) = tuner.progress();
    if done < wanted { Ok(unless_interrupted()?) } else { Ok(()) }
}

/// Plays all iterations, or until it is interrupted.
fn tune(
    arguments: &Arguments,
    tuner: &mut Tuner,
    player: &NetworkPlayer,
    context: &mut DeviceContext,
    interrupt: &AtomicBool,
) -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = tuner.parameters().iter().map(|parameter| parameter.name.clone()).collect();
    let perturbed = |values: &[f64]| {
        let mut perturbed = player.clone();
        names
            .iter()
            .zip(values)
            .try_for_each(|(name, value)| perturbed.set(name, value.round() as i32))
            .map(|()| perturbed)
    };
    let mut progress_line = ProgressLine::new();
    while let Some(iteration) = tuner.next_iteration() {
        let settings = Match {
            nodes: [arguments.nodes; 2],
            pairs: arguments.pairs,
            seed: arguments.tuning.seed.wrapping_add(iteration.number),
            dfrc_share: 0.0,
            sprt: None,
        };
        let players = [perturbed(&iteration.plus)?, perturbed(&iteration.minus)?];
        let end = settings.play(context, [&players[0], &players[1]], interrupt, |_| {})?;
        if !end.complete {
            break;
        }
        let games = end.score.games;
        // Per pair, so that more games make a step more certain, not larger.
        let result = (games.wins as f64 - games.losses as f64) / arguments.pairs as f64;
        tuner.finish(&iteration, result * PAIRS_OF_A_STEP);
        if let Some(path) = &arguments.tuning.state {
            tuning::save(path, tuner)?;
        }
        progress_line.update(|| tuning::progress(tuner));
    }
    progress_line.finish(interrupt.load(Ordering::Relaxed).then(|| "interrupted".to_owned()));
    Ok(())
}

/// By how much a step here exceeds that of one pair: fishtest and `OpenBench` run thousands of iterations of a few pairs, here are
/// hundreds of precise ones.
const PAIRS_OF_A_STEP: f64 = 64.0;
