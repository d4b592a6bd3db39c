//! `vedette selfplay`: plays games to train a network with.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use engine::Solo;
use lab::arena::adjudication::{DrawRule, ResignRule, Rules};
use lab::selfplay::{GameFile, Goal, OpeningPlan, Plan, Progress, Run, Shard};

use super::count;
use super::interrupt::stop_on_signal;
use super::judge::JudgeArguments;
use super::ticker::{Ticker, time_text};

/// What to play, and where to.
#[derive(clap::Args)]
#[command(after_help = "The games depend on these options alone: not on the number of threads, not on \
    interruptions, and the shards of several machines together are the games of one. Ctrl-C ends the run \
    after the games in progress, a second Ctrl-C at once; either way the file stays valid.")]
pub struct Arguments {
    /// File to fill, or a folder in which to make one
    #[arg(short, long, value_name = "PATH")]
    out: PathBuf,
    /// Games wanted
    #[arg(long, value_name = "N", value_parser = count::parse, required_unless_present = "positions", conflicts_with = "positions")]
    games: Option<u64>,
    /// Positions wanted, all moves of all games counted
    #[arg(long, value_name = "N", value_parser = count::parse)]
    positions: Option<u64>,
    /// Nodes after which a search begins no new iteration
    #[arg(long, value_name = "N", default_value = "5k", value_parser = count::parse)]
    nodes: u64,
    /// Nodes at which a search ends [default: 8 times --nodes]
    #[arg(long, value_name = "N", value_parser = count::parse)]
    hard_nodes: Option<u64>,
    /// Games at the same time
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play only the i-th of n equal parts of the games
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Go on with a file that was begun with the same options
    #[arg(long)]
    resume: bool,
    /// Share of games that begin with a position of double Chess960
    #[arg(long, value_name = "0..1", default_value_t = 0.1, value_parser = parse_share)]
    dfrc: f64,
    /// Random half moves at the start of a game, or a range of them
    #[arg(long, value_name = "N|MIN-MAX", default_value = "8-9", value_parser = super::openings::parse_range)]
    random_plies: (u32, u32),
    /// Nodes with which an opening is judged [default: 5 times --nodes]
    #[arg(long, value_name = "N", value_parser = count::parse)]
    opening_nodes: Option<u64>,
    /// Openings in which a side is further ahead are not played, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 400)]
    opening_score: u16,
    /// A side is lost when both see it behind by so many centipawns …
    #[arg(long, value_name = "CP", default_value_t = 1500)]
    win_score: u16,
    /// … for so many moves each; 0 plays on to mate
    #[arg(long, value_name = "MOVES", default_value_t = 2)]
    win_moves: u16,
    /// A game is drawn when both sides see at most so many centipawns …
    #[arg(long, value_name = "CP", default_value_t = 8)]
    draw_score: u16,
    /// … for so many moves each; 0 leaves draws to the rules
    #[arg(long, value_name = "MOVES", default_value_t = 6)]
    draw_moves: u16,
    /// … from this move on
    #[arg(long, value_name = "MOVE", default_value_t = 40)]
    draw_from: u16,
    /// A game that lasts so many moves is drawn
    #[arg(long, value_name = "MOVES", default_value_t = 250)]
    max_moves: u16,
    #[command(flatten)]
    judge: JudgeArguments,
    /// Megabytes of hash table of each thread
    #[arg(long, value_name = "MB", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("'{text}' is not a number from 0 to 1"))
}

/// Plays until the goal is reached or somebody interrupts.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    // Games of different judges are not mixed: the plan names the one.
    let (evaluation, judge) = arguments.judge.evaluation()?;
    let plan = arguments.plan(&judge);
    let path = arguments.path();
    let goal = match (arguments.games, arguments.positions) {
        (Some(games), _) => Goal::Games(games),
        (None, positions) => Goal::Positions(positions.unwrap_or_default()),
    };
    let engines = (0..arguments.threads)
        .map(|_| Solo::with_evaluation(plan.hash_mb, evaluation.clone()))
        .collect::<Result<Vec<_>, _>>()?;
    let mut file =
        if arguments.resume { GameFile::resume(&path, &plan) } else { GameFile::create(&path, &plan) }?;
    let run = Run {
        plan: &plan,
        goal: plan.shard.share(goal),
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
    // What was played before a failure is worth keeping.
    let kept = file.finish();
    let progress = played.map_err(|error| format!("{}: {error}", path.display()))?;
    kept?;
    let complete = run.goal.is_reached(progress.games, progress.positions);
    writeln!(io::stdout(), "{}", summary(&progress, arguments.threads))?;
    if !complete {
        writeln!(io::stdout(), "interrupted; the same command with --resume goes on")?;
    }
    Ok(())
}

impl Arguments {
    fn plan(&self, judge: &str) -> Plan {
        let nodes = self.nodes.max(1);
        Plan {
            player: format!("Vedette {}, {judge}", env!("CARGO_PKG_VERSION")),
            seed: self.seed,
            shard: self.shard,
            soft_nodes: nodes,
            hard_nodes: self.hard_nodes.unwrap_or(nodes.saturating_mul(8)).max(nodes),
            hash_mb: self.hash.into(),
            opening: OpeningPlan {
                random_plies: self.random_plies,
                dfrc_share: self.dfrc,
                nodes: self.opening_nodes.unwrap_or(nodes.saturating_mul(5)),
                max_score: self.opening_score.into(),
            },
            rules: Rules {
                draw: (self.draw_moves > 0).then(|| DrawRule {
                    move_number: self.draw_from.into(),
                    move_count: self.draw_moves.into(),
                    score: self.draw_score.into(),
                }),
                resign: (self.win_moves > 0).then(|| ResignRule {
                    move_count: self.win_moves.into(),
                    score: self.win_score.into(),
                    two_sided: true,
                }),
                max_moves: Some(self.max_moves.into()),
            },
        }
    }

    fn path(&self) -> PathBuf {
        if self.out.is_dir() {
            let Shard { number, of } = self.shard;
            self.out.join(format!("seed{}-{number}of{of}.vd", self.seed))
        } else {
            self.out.clone()
        }
    }
}

fn line(progress: &Progress) -> String {
    let left = progress.time_left().map_or_else(|| "?".to_owned(), time_text);
    format!(
        "{:5.1} %  {} games  {} positions  {} positions/s  {:.2} M nodes/s  {left} left",
        100.0 * progress.done,
        count::grouped(progress.games),
        count::grouped(progress.positions),
        count::grouped(progress.positions_per_second() as u64),
        progress.nodes_per_second() / 1e6,
    )
}

fn summary(progress: &Progress, threads: u16) -> String {
    format!(
        "{} games with {} positions; this run: {} games, {} positions, {} nodes in {} \
         ({} positions/s, {} nodes/s a thread)",
        count::grouped(progress.games),
        count::grouped(progress.positions),
        count::grouped(progress.new_games),
        count::grouped(progress.new_positions),
        count::grouped(progress.nodes),
        time_text(progress.elapsed),
        count::grouped(progress.positions_per_second() as u64),
        count::grouped((progress.nodes_per_second() / f64::from(threads)) as u64),
    )
}
