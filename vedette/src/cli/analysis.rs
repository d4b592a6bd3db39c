//! The engine that a command analyses with, and the limits of each of its searches.

use std::time::Duration;

use arena::EngineConfig;
use arena::game::EngineLimits;

use super::values::{parse_option, parse_positive};
use crate::identity;

/// `NODES` is the limit where the user gives none.
#[derive(clap::Args)]
pub struct AnalysisArguments<const NODES: u64> {
    /// Search each position to depth N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(engine::MAX_DEPTH)))]
    depth: Option<u32>,
    #[arg(long, value_name = "N", value_parser = parse_positive, help = nodes_help(NODES))]
    nodes: Option<u64>,
    /// Search each position for this many milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Analyse with this UCI engine, with its arguments [default: Vedette]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Set a UCI option of the engine; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    option: Vec<(String, String)>,
}

fn nodes_help(nodes: u64) -> String {
    format!("Search each position with N nodes [default: {}k without other limits]", nodes / 1000)
}

impl<const NODES: u64> AnalysisArguments<NODES> {
    pub fn is_vedette(&self) -> bool {
        self.engine.is_none()
    }

    pub fn engine(&self) -> EngineConfig {
        engine_or_vedette(self.engine.as_deref(), &self.option)
    }

    pub fn limits(&self) -> EngineLimits {
        let unlimited = self.depth.is_none() && self.movetime.is_none();
        EngineLimits {
            depth: self.depth,
            nodes: self.nodes.or(unlimited.then_some(NODES)),
            move_time: self.movetime.map(Duration::from_millis),
            ..without_clock()
        }
    }
}

/// The engine of a command line, or Vedette in this process, with its name.
pub fn engine_or_vedette(command: Option<&str>, options: &[(String, String)]) -> EngineConfig {
    let engine = match command {
        Some(command) => EngineConfig::of_command(command),
        None => EngineConfig { name: identity::NAME.to_owned(), ..EngineConfig::in_process() },
    };
    EngineConfig { options: options.to_vec(), ..engine }
}

/// There is no clock to lose on, but an engine that hangs must be noticed.
pub fn without_clock() -> EngineLimits {
    EngineLimits { margin: Duration::from_secs(10), ..EngineLimits::default() }
}
