//! The options of self-play, on the CPU or a GPU.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use datagen::selfplay::{GameFile, GameFileError, Goal, OpeningPlan, Run, SelfPlayPlan, Shard};
use record::adjudication::{AdjudicationRules, DrawRule, ResignRule};

use crate::cli::json::JsonArguments;
use crate::cli::values::{parse_count, parse_fraction, parse_plies};

/// The output and the number of games.
#[derive(clap::Args)]
pub struct GoalArguments {
    /// Write games to this file, or to a new file in this folder
    #[arg(short, long, alias = "out", value_name = "PATH")]
    output: PathBuf,
    /// Play this many games
    #[arg(long, value_name = "N", value_parser = parse_count, required_unless_present = "positions", conflicts_with = "positions")]
    games: Option<u64>,
    /// Play until there are this many positions
    #[arg(long, value_name = "N", value_parser = parse_count)]
    positions: Option<u64>,
    /// Resume a file started with the same options
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    pub json: JsonArguments,
}

impl GoalArguments {
    fn goal(&self) -> Goal {
        match (self.games, self.positions) {
            (Some(games), _) => Goal::Games(games),
            (None, positions) => Goal::Positions(positions.unwrap_or_default()),
        }
    }

    pub fn path(&self, plan: &SelfPlayPlan) -> PathBuf {
        if self.output.is_dir() {
            let Shard { number, of } = plan.shard;
            self.output.join(format!("seed{}-{number}of{of}.vd", plan.seed))
        } else {
            self.output.clone()
        }
    }

    pub fn open(&self, plan: &SelfPlayPlan) -> Result<GameFile, GameFileError> {
        let path = self.path(plan);
        if self.resume { GameFile::resume(&path, plan) } else { GameFile::create(&path, plan) }
    }

    pub fn run<'a>(&self, plan: &'a SelfPlayPlan, file: &GameFile, interrupt: &'a AtomicBool) -> Run<'a> {
        Run {
            plan,
            goal: plan.shard.share(self.goal()),
            games_before: file.games,
            positions_before: file.positions,
            interrupt,
        }
    }
}

#[derive(clap::Args)]
pub struct PlanArguments {
    /// Start no new iteration after N nodes (soft limit)
    #[arg(long, value_name = "N", default_value = "5k", value_parser = parse_count)]
    nodes: u64,
    /// Stop a search at N nodes (hard limit) [default: 8 times --nodes]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    hard_nodes: Option<u64>,
    /// Set the random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Play only shard I of N
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Start this fraction of games from double Chess960 (DFRC) positions
    #[arg(long, value_name = "0..1", default_value_t = 0.1, value_parser = parse_fraction)]
    dfrc: f64,
    /// Start games with this many random plies, or a number from a range
    #[arg(long, value_name = "N|MIN-MAX", default_value = "8-9", value_parser = parse_plies)]
    random_plies: (u32, u32),
    /// Score openings with N nodes [default: 5 times --nodes]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    opening_nodes: Option<u64>,
    /// Reject openings with a larger score, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 400)]
    opening_score: u16,
    /// Adjudicate a win if both sides report at least this score, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 1500)]
    win_score: u16,
    /// Adjudicate a win after this many moves each at --win-score; 0 for never
    #[arg(long, value_name = "MOVES", default_value_t = 2)]
    win_moves: u16,
    /// Adjudicate a draw if both scores are at most this far from 0, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 8)]
    draw_score: u16,
    /// Adjudicate a draw after this many moves each at --draw-score; 0 for never
    #[arg(long, value_name = "MOVES", default_value_t = 6)]
    draw_moves: u16,
    /// Adjudicate no draw by score before this move
    #[arg(long, value_name = "MOVE", default_value_t = 40)]
    draw_from: u16,
    /// Adjudicate a draw after this many moves
    #[arg(long, value_name = "MOVES", default_value_t = 250, value_parser = clap::value_parser!(u16).range(1..))]
    max_moves: u16,
}

impl PlanArguments {
    pub fn plan(&self, evaluation: &str, hash_mb: usize) -> SelfPlayPlan {
        let nodes = self.nodes.max(1);
        SelfPlayPlan {
            player: format!("Vedette {}, {evaluation}", env!("CARGO_PKG_VERSION")),
            seed: self.seed,
            shard: self.shard,
            soft_nodes: nodes,
            hard_nodes: self.hard_nodes.unwrap_or(nodes.saturating_mul(8)).max(nodes),
            hash_mb,
            opening: OpeningPlan {
                random_plies: self.random_plies,
                dfrc_share: self.dfrc,
                nodes: self.opening_nodes.unwrap_or(nodes.saturating_mul(5)),
                max_score: self.opening_score.into(),
            },
            rules: AdjudicationRules {
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
}
