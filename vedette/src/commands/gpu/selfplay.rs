//! `vedette gpu selfplay`: plays games to train a network with, thousands at once.

use std::error::Error;
use std::path::PathBuf;

use datagen::selfplay::{Progress, Run};
use gpu::games::check_plan;

use super::{DeviceArguments, players};
use crate::cli::interrupt::stop_on_signal;
use crate::cli::progress::ProgressLine;
use crate::commands::selfplay::options::{GoalArguments, PlanArguments};
use crate::commands::selfplay::report::{close, line};

/// What to play, and where to.
#[derive(clap::Args)]
#[command(after_help = "The games depend on these options alone: not on the device, not on interruptions, \
    and the shards of several machines together are the games of one. Ctrl-C ends the run after the games in \
    progress, a second Ctrl-C at once; either way the file stays valid.")]
pub struct Arguments {
    #[command(flatten)]
    goal: GoalArguments,
    #[command(flatten)]
    plan: PlanArguments,
    /// Network that judges positions [default: the one inside the program]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Plays until the goal is reached or somebody interrupts.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    let (player, name) = players::player(arguments.network.as_deref(), &[])?;
    let mut venue = arguments.device.venue()?;
    // The search on the device has a table of its own size.
    let plan = arguments.plan.plan(&format!("device search, {name}"), 0);
    check_plan(&plan)?;
    let mut file = arguments.goal.open(&plan)?;
    let run = Run {
        plan: &plan,
        goal: plan.shard.share(arguments.goal.goal()),
        games_before: file.games,
        positions_before: file.positions,
        interrupt: &interrupt,
    };
    let mut progress_line = ProgressLine::new();
    let look = |progress: &Progress| progress_line.update(|| line(progress));
    let played = gpu::selfplay::play(&run, &player, &mut venue, |game| file.add(game), look);
    progress_line.finish(None);
    let machine = venue.machine().describe();
    let played = played.map(|(progress, counters)| {
        let depth = counters.depths as f64 / counters.moves.max(1) as f64;
        (progress, format!("mean depth {depth:.1}, on {machine}"))
    });
    close(file, &arguments.goal.path(&plan), played)
}
