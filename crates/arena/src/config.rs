//! The configuration of a match. It is saved with the match, so that it can be resumed.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use uci::client::Launch;

use crate::game::EngineLimits;
use crate::schedule::Schedule;
use record::adjudication::AdjudicationRules;
use stats::Sprt;
use support::shell::split_arguments;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    /// A UCI engine in its own process.
    #[default]
    Process,
    /// Vedette, in this process.
    #[serde(rename = "own")]
    InProcess,
}

/// What an engine reports about itself, for reports and PGN.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineIdentity {
    /// `id name`
    pub name: String,
    /// `id author`
    pub author: String,
    /// The value of its option `Threads`, if it has one.
    pub threads: Option<String>,
    /// The value of its option `Hash`, if it has one.
    pub hash: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineConfig {
    pub kind: EngineKind,
    /// Its name in reports and PGN.
    pub name: String,
    pub command: String,
    pub arguments: Vec<String>,
    /// Its working directory.
    pub directory: Option<PathBuf>,
    /// UCI options, in the order in which they are set.
    pub options: Vec<(String, String)>,
    pub limits: EngineLimits,
    /// Restart it for each game.
    pub restart: bool,
    /// Let it think while its opponent does.
    #[serde(default)]
    pub ponder: bool,
    /// Its scores are from White's point of view, whoever is to move.
    #[serde(rename = "white_view")]
    pub white_pov: bool,
    /// Lines sent before `uci`.
    #[serde(rename = "first_words")]
    pub init_commands: Vec<String>,
    /// Known once the engine has been started.
    #[serde(default)]
    pub identity: EngineIdentity,
}

impl EngineConfig {
    /// Splits a command line as a shell does; the line is the engine's name.
    pub fn of_command(line: &str) -> Self {
        let mut arguments = split_arguments(line).into_iter();
        let command = arguments.next().unwrap_or_default();
        Self { name: line.to_owned(), command, arguments: arguments.collect(), ..Self::default() }
    }

    /// Vedette itself, in this process.
    pub fn in_process() -> Self {
        Self { kind: EngineKind::InProcess, name: "Vedette".to_owned(), ..Self::default() }
    }

    pub fn launch(&self) -> Launch {
        Launch {
            program: PathBuf::from(&self.command),
            arguments: self.arguments.clone(),
            directory: self.directory.clone(),
        }
    }
}

/// Timeouts where no clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeouts {
    /// From the start to `uciok` and the first `readyok`.
    pub start: Duration,
    /// For any other `readyok`.
    pub ready: Duration,
    /// For a move without a time limit.
    pub search: Duration,
    /// After the time of a move is up, before the engine counts as stalled.
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningOrder {
    /// In the order of the book.
    #[default]
    Sequential,
    /// Shuffled with the match's seed.
    Random,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningConfig {
    /// `None`: the built-in book.
    pub file: Option<PathBuf>,
    /// Whether the file is PGN; otherwise EPD.
    pub pgn: bool,
    pub order: OpeningOrder,
    /// Plies used of each game.
    pub plies: Option<usize>,
    /// Number of the first opening, from 1.
    pub start: usize,
}

/// What PGN comments contain besides score, depth and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "one switch per key of -pgnout")]
pub struct CommentItems {
    pub nodes: bool,
    pub seldepth: bool,
    pub nps: bool,
    pub hashfull: bool,
    pub tbhits: bool,
    pub pv: bool,
    pub time_left: bool,
    /// Measured minus reported time.
    pub latency: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Notation {
    #[default]
    San,
    /// Long algebraic notation: `Ng1f3`, `e7xd8=Q+`, `O-O`.
    Lan,
    Uci,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PgnConfig {
    pub file: PathBuf,
    pub append: bool,
    pub notation: Notation,
    pub minimal: bool,
    pub items: CommentItems,
    /// Regular expressions: the last line of each search that one matches goes into the comment.
    #[serde(default)]
    pub match_lines: Vec<String>,
    /// Print the CRC-32 of the file after each game.
    #[serde(default)]
    pub crc32: bool,
}

impl Default for PgnConfig {
    fn default() -> Self {
        Self {
            file: PathBuf::new(),
            append: true,
            notation: Notation::San,
            minimal: false,
            items: CommentItems::default(),
            match_lines: Vec::new(),
            crc32: false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpdConfig {
    pub file: PathBuf,
    pub append: bool,
}

/// Adjudication by Syzygy tablebases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablebaseConfig {
    pub paths: Vec<PathBuf>,
    /// Maximum number of pieces.
    pub pieces: Option<u32>,
    /// Cursed wins count as wins.
    pub ignore_fifty: bool,
    /// Adjudicate wins.
    pub wins: bool,
    /// Adjudicate draws.
    pub draws: bool,
}

/// A match between two or more engines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "independent switches of the command line")]
pub struct MatchConfig {
    pub engines: Vec<EngineConfig>,
    pub schedule: Schedule,
    pub concurrency: usize,
    pub chess960: bool,
    /// `None`: every game starts from the starting position.
    pub openings: Option<OpeningConfig>,
    pub seed: u64,
    pub sprt: Option<Sprt>,
    /// Pentanomial statistics.
    pub by_pairs: bool,
    pub rules: AdjudicationRules,
    pub tablebases: Option<TablebaseConfig>,
    /// Continue after an engine crashed.
    pub recover: bool,
    /// Pause between games.
    pub wait: Duration,
    #[serde(rename = "patience")]
    pub timeouts: Timeouts,
    pub pgn: Option<PgnConfig>,
    pub epd: Option<EpdConfig>,
    pub event: String,
    pub site: String,
    /// Directory of fault reports; `None`: no reports.
    pub fault_reports: Option<PathBuf>,
    /// Stop at the first warning.
    pub strict: bool,
    /// Verify that mate PVs end in mate after the announced number of moves.
    pub check_mate_lines: bool,
    /// The CPUs that concurrent games are bound to, one each; an empty list: all CPUs of this system.
    #[serde(default)]
    pub affinity: Option<Vec<usize>>,
}
