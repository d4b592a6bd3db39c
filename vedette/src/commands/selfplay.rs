//! `vedette selfplay`: plays games to train a network with.

use std::error::Error;

use engine::Solo;
use lab::selfplay::Run;

use super::count;
use super::interrupt::stop_on_signal;
use super::judge::JudgeArguments;
use super::selfplay_options::{GoalArguments, PlanArguments};
use super::selfplay_report::{close, line};
use super::ticker::Ticker;

/// What to play, and where to.
#[derive(clap::Args)]
#[command(after_help = "The games depend on these options alone: not on the number of threads, not on \
    interruptions, and the shards of several machines together are the games of one. Ctrl-C ends the run \
    after the games in progress, a second Ctrl-C at once; either way the file stays valid.")]
pub struct Arguments {
    #[command(flatten)]
    goal: GoalArguments,
    #[command(flatten)]
    plan: PlanArguments,
    /// Games at the same time
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    #[command(flatten)]
    judge: JudgeArguments,
    /// Megabytes of hash table of each thread
    #[arg(long, value_name = "MB", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
}

/// Plays until the goal is reached or somebody interrupts.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    // Games of different judges are not mixed: the plan names the one.
    let (evaluation, judge) = arguments.judge.evaluation()?;
    let plan = arguments.plan.plan(&judge, arguments.hash.into());
    let engines = (0..arguments.threads)
        .map(|_| Solo::with_evaluation(plan.hash_mb, evaluation.clone()))
        .collect::<Result<Vec<_>, _>>()?;
    let mut file = arguments.goal.open(&plan)?;
    let run = Run {
        plan: &plan,
        goal: plan.shard.share(arguments.goal.goal()),
        games_before: file.games,
        positions_before: file.positions,
        interrupt: &interrupt,
    };
    let mut ticker = Ticker::new();
    let played = run.play(engines, |played, progress| {
        ticker.tell(|| line(progress));
        file.add(&played.game)
    });
    ticker.end(None);
    let played = played.map(|progress| {
        let each = progress.nodes_per_second() / f64::from(arguments.threads);
        (progress, format!("{} nodes/s a thread", count::grouped(each as u64)))
    });
    close(file, &arguments.goal.path(&plan), played)
}
