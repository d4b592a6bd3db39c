//! A misbehaviour of an engine with its circumstances: enough to see it again.

use std::time::Duration;

use chess::Color;
use uci::client::TranscriptLine;

/// What an engine did wrong.
#[derive(Clone, Debug)]
pub struct Incident {
    /// The side whose engine it was.
    pub side: Color,
    /// What it did, in words.
    pub text: String,
    /// Whether the game ended by it.
    pub ended_the_game: bool,
    /// The position it was asked about.
    pub fen: String,
    /// The same as a UCI `position` command.
    pub question: String,
    /// How long it had for its answer, where a clock ran.
    pub allowed: Option<Duration>,
    /// The last lines of the conversation with it.
    pub transcript: Vec<TranscriptLine>,
}
