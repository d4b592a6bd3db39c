//! `vedette selfplay`: generates training games.

pub mod options;
pub mod report;

use std::error::Error;

use engine::Searcher;

use self::options::{GoalArguments, PlanArguments};
use self::report::{close, line};
use crate::cli::evaluation::EvaluationArguments;
use crate::cli::format::grouped;
use crate::cli::interrupt::stop_on_signal;
use crate::cli::progress::ProgressLine;

#[derive(clap::Args)]
#[command(
    after_help = "Games depend only on these options, not on concurrency or interruptions: shards played on several machines add up \
    to the same games. Ctrl-C finishes the games in progress, a second Ctrl-C stops at once; the file stays valid."
)]
pub struct Arguments {
    #[command(flatten)]
    goal: GoalArguments,
    #[command(flatten)]
    plan: PlanArguments,
    /// Play this many games in parallel
    #[arg(long, alias = "threads", short_alias = 't', value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    #[command(flatten)]
    evaluation: EvaluationArguments,
    /// Use a hash table of this many MiB per game
    #[arg(long, value_name = "MIB", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
}

/// Plays until the goal is reached or a signal arrives.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    // The plan names the evaluation: games of different ones are not mixed in one file.
    let (evaluation, name) = arguments.evaluation.evaluation()?;
    let plan = arguments.plan.plan(&name, arguments.hash.into());
    let engines = (0..arguments.concurrency)
        .map(|_| Searcher::with_evaluation(plan.hash_mb, evaluation.clone()))
        .collect::<Result<Vec<_>, _>>()?;
    let outputs = (arguments.goal.json.open()?, arguments.goal.json.text());
    let mut file = arguments.goal.open(&plan)?;
    let run = arguments.goal.run(&plan, &file, &interrupt);
    let mut progress_line = ProgressLine::new();
    let played = run.play(engines, |played, progress| {
        progress_line.update(|| line(progress));
        file.add(&played.game)
    });
    progress_line.finish(None);
    let played = played.map(|progress| {
        let each = progress.nodes_per_second() / f64::from(arguments.concurrency);
        (progress, format!("{} nodes/s per thread", grouped(each as u64)))
    });
    close(file, &arguments.goal.path(&plan), outputs, played)
}
