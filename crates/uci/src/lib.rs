//! The Universal Chess Interface in both directions, and a client for foreign engines.
//!
//! Text goes in through [`line`](mod@line) (bounded, never trusting) and [`parse`] (total: every line has a meaning, if
//! only "nothing"), and comes out through [`print`](mod@print). What a user gets wrong becomes a [`Remark`],
//! told in one `info string`. Nothing here reads, prints or thinks by itself: the `vedette` binary owns the
//! session, foreign engines are driven by the client.

#![warn(missing_docs)]

pub mod client;
mod client_reader;
pub mod client_transcript;
pub mod command;
pub mod go;
pub mod info;
pub mod line;
pub mod options;
pub mod position;
pub mod print;
pub mod remark;
mod words;

pub use command::{Command, Parsed, parse};
pub use go::Go;
pub use line::{Line, LineReader};
pub use position::{PositionCommand, Start};
pub use remark::Remark;
