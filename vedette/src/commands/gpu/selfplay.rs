//! `vedette gpu selfplay`: plays games to train a network with, thousands at once.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use gpu::games::check_plan;
use gpu::selfplay::{Progress, Run};

use super::{DeviceArguments, players, speed_text};
use crate::commands::count;
use crate::commands::interrupt::{stop_on_signal, unless_interrupted};
use crate::commands::selfplay_options::{GoalArguments, PlanArguments};
use crate::commands::ticker::{Ticker, time_text};

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
        player: &player,
        goal: plan.shard.share(arguments.goal.goal()),
        games_before: file.games,
        positions_before: file.positions,
        interrupt: &interrupt,
    };
    let mut ticker = Ticker::new();
    let played = run.play(&mut venue, |game| file.add(game), |progress| ticker.tell(|| line(progress)));
    ticker.end(None);
    // What was played before a failure is worth keeping.
    let kept = file.finish();
    let progress = played.map_err(|error| format!("{}: {error}", arguments.goal.path(&plan).display()))?;
    kept?;
    let complete = run.goal.is_reached(progress.games, progress.positions);
    writeln!(io::stdout(), "{}", summary(&progress, &venue.machine().describe()))?;
    if !complete {
        writeln!(io::stdout(), "interrupted; the same command with --resume goes on")?;
        unless_interrupted()?;
    }
    Ok(())
}

fn line(progress: &Progress) -> String {
    let left = progress.time_left().map_or_else(|| "?".to_owned(), time_text);
    format!(
        "{:5.1} %  {} games  {} positions  {} positions/s  {}  {left} left",
        100.0 * progress.done,
        count::grouped(progress.games),
        count::grouped(progress.positions),
        count::grouped(progress.positions_per_second() as u64),
        speed_text(progress.nodes_per_second()),
    )
}

fn summary(progress: &Progress, machine: &str) -> String {
    let counters = &progress.counters;
    format!(
        "{} games with {} positions; this run: {} games, {} positions, {} nodes in {} on {machine} \
         ({} positions/s, {}, mean depth {:.1})",
        count::grouped(progress.games),
        count::grouped(progress.positions),
        count::grouped(progress.new_games),
        count::grouped(progress.new_positions),
        count::grouped(counters.nodes),
        time_text(progress.elapsed),
        count::grouped(progress.positions_per_second() as u64),
        speed_text(progress.nodes_per_second()),
        counters.depths as f64 / counters.moves.max(1) as f64,
    )
}
