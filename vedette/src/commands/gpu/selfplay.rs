//! `vedette gpu selfplay`

use std::error::Error;
use std::path::PathBuf;

use datagen::selfplay::SelfPlayProgress;
use gpu::games::check_plan;

use super::{DeviceArguments, players};
use crate::cli::interrupt::stop_on_signal;
use crate::cli::progress::ProgressLine;
use crate::commands::selfplay::options::{GoalArguments, PlanArguments};
use crate::commands::selfplay::report::{close, line};

#[derive(clap::Args)]
#[command(
    after_help = "Games depend only on these options, not on the device or interruptions: shards played on several machines add up \
    to the same games. Ctrl-C finishes the games in progress, a second Ctrl-C stops at once; the file stays valid."
)]
pub struct Arguments {
    #[command(flatten)]
    goal: GoalArguments,
    #[command(flatten)]
    plan: PlanArguments,
    /// Use this network [default: built-in]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    let (player, name) = players::player(arguments.network.as_deref(), &[])?;
    let mut context = arguments.device.open()?;
    // The device search has a hash table of fixed size.
    let plan = arguments.plan.plan(&format!("device search, {name}"), 0);
    check_plan(&plan)?;
    let outputs = (arguments.goal.json.open()?, arguments.goal.json.text());
    let mut file = arguments.goal.open(&plan)?;
    let run = arguments.goal.run(&plan, &file, &interrupt);
    let mut progress_line = ProgressLine::new();
    let report = |progress: &SelfPlayProgress| progress_line.update(|| line(progress));
    let played = gpu::selfplay::play(&run, &player, &mut context, |game| file.add(game), report);
    progress_line.finish(None);
    let device = context.name();
    let played = played.map(|(progress, counters)| {
        let depth = counters.depths as f64 / counters.moves.max(1) as f64;
        (progress, format!("mean depth {depth:.1}, on {device}"))
    });
    close(file, &arguments.goal.path(&plan), outputs, played)
}
