//! Matches between chess engines, and whatever else needs engines to play or solve positions.
//!
//! | module | holds |
//! |---|---|
//! | [`cli`] | the command line of fastchess and cutechess-cli, read into a [`MatchConfig`] |
//! | [`config`] | everything that defines a match |
//! | [`schedule`] | who plays whom, with which color, from which opening |
//! | [`knockout`], [`fixtures`] | what depends on results: the bracket of a knockout, the next game |
//! | [`players`] | UCI processes and Vedette itself behind one trait, [`Player`] |
//! | [`game`] | one game: clocks, adjudication, tablebases, protocol checks |
//! | [`openings`] | opening books: reading order and generation |
//! | [`results`] | game summaries, the running score, SPRT decisions |
//! | [`output`] | reports, PGN and EPD files, fault reports, the live view |
//! | [`saved`] | a match on disk, so that it can be resumed |
//! | [`suite`] | EPD test suites |
//! | [`spsa`] | parameter tuning |
//!
//! [`Arena::run`] plays a match and reports each [`MatchEvent`] to a callback:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use arena::openings::OpeningSource;
//! use arena::{Arena, Conclusion, cli};
//!
//! let arguments = "-engine proto=inprocess name=A -engine proto=inprocess name=B \
//!                  -each nodes=50 option.Hash=1 -rounds 1 -maxmoves 5";
//! let arguments: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
//! let request = cli::parse(&arguments)?;
//!
//! let openings = OpeningSource::from_config(&request.config)?;
//! let interrupt = AtomicBool::new(false);
//! let (tally, conclusion) = Arena::new(&request.config, openings, &interrupt).run(&[], |_event| {});
//! assert_eq!((tally.games(), conclusion), (2, Conclusion::Complete));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod affinity;
pub mod cli;
pub mod config;
pub mod fixtures;
pub mod game;
pub mod knockout;
pub mod openings;
pub mod output;
pub mod players;
pub mod results;
mod runner;
pub mod saved;
pub mod schedule;
pub mod spsa;
pub mod suite;

pub use config::{EngineConfig, MatchConfig};
pub use players::Player;
pub use runner::{Arena, Conclusion, FinishedGame, MatchEvent};
