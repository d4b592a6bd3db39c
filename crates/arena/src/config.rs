//! Everything that defines a match. It can be saved and read again, so that a match can be resumed.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use uci::client::Launch;

use crate::game::EngineLimits;
use crate::schedule::Schedule;
use record::adjudication::AdjudicationRules;
use stats::Sprt;
use support::shell::split_arguments;

/// What an engine is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    /// A program of its own that speaks UCI.
    #[default]
    Process,
    /// Vedette, in this process.
    #[serde(rename = "own")]
    InProcess,
}

/// One engine of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineConfig {
    /// What it is.
    pub kind: EngineKind,
    /// Its name in tables and games.
    pub name: String,
    /// Its program.
    pub command: String,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// The directory it starts in.
    pub directory: Option<PathBuf>,
    /// UCI options in the order they are set.
    pub options: Vec<(String, String)>,
    /// How long it may think.
    pub limits: EngineLimits,
    /// Start it anew for each game.
    pub restart: bool,
    /// Its scores are from White's point of view, whoever is to move.
    #[serde(rename = "white_view")]
    pub white_pov: bool,
    /// Lines sent before `uci`.
    #[serde(rename = "first_words")]
    pub init_commands: Vec<String>,
}

impl EngineConfig {
    /// A program and its arguments from one line, as a shell reads it; the line is its name.
    pub fn of_command(line: &str) -> Self {
        let mut words = split_arguments(line).into_iter();
        let command = words.next().unwrap_or_default();
        Self { name: line.to_owned(), command, arguments: words.collect(), ..Self::default() }
    }

    /// Vedette itself, in this process.
    pub fn in_process() -> Self {
        Self { kind: EngineKind::InProcess, name: "Vedette".to_owned(), ..Self::default() }
    }

    /// How its process is started.
    pub fn launch(&self) -> Launch {
        Launch {
            program: PathBuf::from(&self.command),
            arguments: self.arguments.clone(),
            directory: self.directory.clone(),
        }
    }
}

/// How long the arena waits for an engine where no clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeouts {
    /// For the start until `uciok` and the first `readyok`.
    pub start: Duration,
    /// For any other `readyok`.
    pub ready: Duration,
    /// For the move, where no clock limits it.
    pub search: Duration,
    /// For the move after the time is over, before the engine counts as hanging.
    pub late: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            ready: Duration::from_mins(1),
            search: Duration::from_mins(5),
            late: Duration::from_secs(5),
        }
    }
}

/// The order in which openings are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningOrder {
    /// As in the book.
    #[default]
    Sequential,
    /// Shuffled by the seed of the match.
    Random,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningConfig {
    /// The book; `None` = the one inside the program.
    pub file: Option<PathBuf>,
    /// Whether the file holds games; otherwise positions.
    pub pgn: bool,
    /// The order of use.
    pub order: OpeningOrder,
    /// Half moves of a game that are used.
    pub plies: Option<usize>,
    /// Number of the first opening, from 1.
    pub start: usize,
}

/// What the comments in the games tell besides score, depth and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "one switch per item of the comment, as users name them")]
pub struct CommentItems {
    /// Nodes.
    pub nodes: bool,
    /// Deepest ply.
    pub seldepth: bool,
    /// Nodes per second.
    pub nps: bool,
    /// Hash table use.
    pub hashfull: bool,
    /// Tablebase hits.
    pub tbhits: bool,
    /// The whole line.
    pub pv: bool,
    /// Time left on the clock.
    pub time_left: bool,
    /// Difference between measured and reported time.
    pub latency: bool,
}

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Notation {
    /// Short algebraic.
    #[default]
    San,
    /// Coordinates, as UCI.
    Uci,
}

/// Where games go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PgnConfig {
    /// The file.
    pub file: PathBuf,
    /// Add to what is there.
    pub append: bool,
    /// How moves are written.
    pub notation: Notation,
    /// Moves without comments.
    pub minimal: bool,
    /// What comments tell.
    pub items: CommentItems,
}

/// Where final positions go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpdConfig {
    /// The file.
    pub file: PathBuf,
    /// Add to what is there.
    pub append: bool,
}

/// Which tablebases end games, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablebaseConfig {
    /// Folders.
    pub paths: Vec<PathBuf>,
    /// Most men.
    pub pieces: Option<u32>,
    /// Wins that the fifty-move rule spoils count as wins.
    pub ignore_fifty: bool,
    /// Ends won games.
    pub wins: bool,
    /// Ends drawn games.
    pub draws: bool,
}

/// A match between two or more engines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "independent switches of the command line")]
pub struct MatchConfig {
    /// The engines.
    pub engines: Vec<EngineConfig>,
    /// Who meets whom, how often.
    pub schedule: Schedule,
    /// Games at the same time.
    pub concurrency: usize,
    /// Chess960 rules and notation.
    pub chess960: bool,
    /// Openings; `None` = the standard position.
    pub openings: Option<OpeningConfig>,
    /// Seed of everything random.
    pub seed: u64,
    /// A test that ends the match.
    pub sprt: Option<Sprt>,
    /// Statistics by pairs of games.
    pub by_pairs: bool,
    /// When games end early.
    pub rules: AdjudicationRules,
    /// Tablebases that end games.
    pub tablebases: Option<TablebaseConfig>,
    /// Go on after an engine crashed.
    pub recover: bool,
    /// Pause between games.
    pub wait: Duration,
    /// How long to wait for engines.
    #[serde(rename = "patience")]
    pub timeouts: Timeouts,
    /// Where games go.
    pub pgn: Option<PgnConfig>,
    /// Where final positions go.
    pub epd: Option<EpdConfig>,
    /// `Event` tag.
    pub event: String,
    /// `Site` tag.
    pub site: String,
    /// Where reports on engine faults go; `None` = nowhere.
    pub fault_reports: Option<PathBuf>,
    /// Any warning ends the match.
    pub strict: bool,
    /// Check that mating lines end in mate after the announced number of moves.
    pub check_mate_lines: bool,
}
