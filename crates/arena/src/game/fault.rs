//! A fault of an engine, with what is needed to reproduce it.

use std::time::Duration;

use chess::Color;
use uci::client::TranscriptLine;

#[derive(Clone, Debug)]
pub struct EngineFault {
    pub side: Color,
    /// Description.
    pub text: String,
    pub ended_the_game: bool,
    pub fen: String,
    /// The last `position` command.
    pub position_command: String,
    /// The time it had for the move, if limited.
    pub allowed: Option<Duration>,
    /// The last lines of engine communication.
    pub transcript: Vec<TranscriptLine>,
}
