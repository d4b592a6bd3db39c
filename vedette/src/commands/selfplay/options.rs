//! The options of self-play, which the CPU's command and the GPU's share: what to play, and where to.

use std::path::PathBuf;

use datagen::selfplay::{FileError, GameFile, Goal, OpeningPlan, Plan, Shard};
use record::adjudication::{DrawRule, ResignRule, Rules};

use crate::cli::values::{parse_count, parse_fraction, parse_plies};

/// Where the games go, and how many are wanted.
#[derive(clap::Args)]
pub struct GoalArguments {
    /// File to fill, or a folder in which to make one
    #[arg(short, long, value_name = "PATH")]
    out: PathBuf,
    /// Games wanted
    #[arg(long, value_name = "N", value_parser = parse_count, required_unless_present = "positions", conflicts_with = "positions")]
    games: Option<u64>,
    /// Positions wanted, all moves of all games counted
    #[arg(long, value_name = "N", value_parser = parse_count)]
    positions: Option<u64>,
    /// Go on with a file that was begun with the same options
    #[arg(long)]
    resume: bool,
}

impl GoalArguments {
    /// What the whole run is to have in the end.
    pub fn goal(&self) -> Goal {
        match (self.games, self.positions) {
            (Some(games), _) => Goal::Games(games),
            (None, positions) => Goal::Positions(positions.unwrap_or_default()),
        }
    }

    /// The file for a plan's games.
    pub fn path(&self, plan: &Plan) -> PathBuf {
        if self.out.is_dir() {
            let Shard { number, of } = plan.shard;
            self.out.join(format!("seed{}-{number}of{of}.vd", plan.seed))
        } else {
            self.out.clone()
        }
    }

    /// That file, to be filled.
    pub fn open(&self, plan: &Plan) -> Result<GameFile, FileError> {
        let path = self.path(plan);
        if self.resume { GameFile::resume(&path, plan) } else { GameFile::create(&path, plan) }
    }
}

/// How games are played.
#[derive(clap::Args)]
pub struct PlanArguments {
    /// Nodes after which a search begins no new iteration
    #[arg(long, value_name = "N", default_value = "5k", value_parser = parse_count)]
    nodes: u64,
    /// Nodes at which a search ends [default: 8 times --nodes]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    hard_nodes: Option<u64>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play only the i-th of n equal parts of the games
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Share of games that begin with a position of double Chess960
    #[arg(long, value_name = "0..1", default_value_t = 0.1, value_parser = parse_fraction)]
    dfrc: f64,
    /// Random half moves at the start of a game, or a range of them
    #[arg(long, value_name = "N|MIN-MAX", default_value = "8-9", value_parser = parse_plies)]
    random_plies: (u32, u32),
    /// Nodes with which an opening is judged [default: 5 times --nodes]
    #[arg(long, value_name = "N", value_parser = parse_count)]
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
    #[arg(long, value_name = "MOVES", default_value_t = 250, value_parser = clap::value_parser!(u16).range(1..))]
    max_moves: u16,
}

impl PlanArguments {
    /// The plan of a player with so much hash table.
    pub fn plan(&self, judge: &str, hash_mb: usize) -> Plan {
        let nodes = self.nodes.max(1);
        Plan {
            player: format!("Vedette {}, {judge}", env!("CARGO_PKG_VERSION")),
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
}
