//! Matches between engines: schedule, games, adjudication, results. `vedette match` is its face.

pub mod adjudication;
pub mod audit;
pub mod config;
pub mod dialect;
pub mod ending;
pub mod fault_report;
pub mod game;
pub mod game_text;
pub mod incident;
pub mod limits;
pub mod opening_source;
pub mod own_player;
pub mod player;
pub mod process_player;
pub mod ready;
pub mod recorder;
pub mod report;
pub mod runner;
pub mod saved;
pub mod schedule;
pub mod seat;
pub mod summary;
pub mod tablebase;
pub mod tally;
pub mod view;
