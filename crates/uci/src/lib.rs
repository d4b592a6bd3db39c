//! The Universal Chess Interface in both directions.
//!
//! - Towards an engine: [`parse`] turns a line into a [`Command`]. It is total: every line has a meaning, if only
//!   "nothing", and what is wrong with it becomes a [`Warning`]. [`LineReader`] reads lines in bounded memory.
//! - From an engine: [`Info`], [`BestMove`] and [`OptionDeclaration`] print themselves, and
//!   [`parse_engine_line`] reads what any engine prints.
//! - [`Score`], [`Bound`] and [`Wdl`] are the one definition of what engines report, for matches, reports and
//!   the engine itself; with the feature `serde` they can be saved.
//! - [`OptionTable`] declares the options of an engine and sets them.
//! - [`client`] starts foreign engines and plays through them.
//!
//! The crate knows the rules of chess and no engine.

#![warn(missing_docs)]

mod bench;
pub mod client;
pub mod command;
mod engine_line;
mod genfens;
pub mod go;
mod info_line;
mod line;
mod options;
pub mod position;
mod score;
mod tokens;
mod warning;

pub use bench::{BenchCommand, BenchLimit, SpeedTest};
pub use command::{Command, Parsed, parse};
pub use engine_line::{EngineLine, looks_like_move, parse_engine_line};
pub use genfens::GenFens;
pub use go::Go;
pub use info_line::{BestMove, Info, InfoLog, MAX_PV, info_string};
pub use line::{Line, LineReader, MAX_LINE};
pub use options::{Expected, InvalidOption, OptionDeclaration, OptionKind, OptionTable, OptionValue};
pub use position::{PositionCommand, Start};
pub use score::{Bound, Score, Wdl};
pub use warning::{Excerpt, Warning};
