//! A foreign engine as a judge of positions, for opening books.

use std::time::Duration;

use chess::Position;
use uci::client::{Client, Launch};
use uci::info::Score;

use crate::openings::generator::Scorer;

/// A UCI process that scores positions.
#[derive(Debug)]
pub struct UciScorer {
    client: Client,
    go: String,
}

impl UciScorer {
    /// Starts the engine; `go` is what it is asked with, such as `go nodes 5000`.
    ///
    /// # Errors
    /// The engine does not start or does not answer; why.
    pub fn start(launch: &Launch, go: &str, chess960: bool) -> Result<Self, String> {
        let mut client = Client::start(launch).map_err(|error| error.to_string())?;
        client.handshake(Duration::from_secs(10)).map_err(|error| error.to_string())?;
        if chess960 {
            client.set_option("UCI_Chess960", "true").map_err(|error| error.to_string())?;
        }
        client.ready(Duration::from_secs(10)).map_err(|error| error.to_string())?;
        Ok(Self { client, go: go.to_owned() })
    }
}

impl Scorer for UciScorer {
    fn score(&mut self, position: &Position) -> Result<Option<i32>, String> {
        let command = format!("position fen {}", position.to_fen());
        let answer = self
            .client
            .search(&command, &self.go, None, Duration::from_mins(1), |_| {})
            .map_err(|error| error.to_string())?;
        Ok(answer.last_info.and_then(|info| info.score).map(Score::centipawns))
    }
}
