//! A position on the command line.

use std::error::Error;

use chess::Position;
use review::trace::read_line;

#[derive(clap::Args)]
pub struct PositionArguments {
    /// Start from this position: FEN, X-FEN or Shredder-FEN [default: startpos]
    #[arg(long)]
    fen: Option<String>,
    /// Play these moves first, in SAN or UCI notation
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

impl PositionArguments {
    pub fn position(&self) -> Result<Position, Box<dyn Error>> {
        let start = match &self.fen {
            Some(fen) => Position::from_fen(fen).map_err(|error| format!("--fen: {error}"))?,
            None => Position::startpos(),
        };
        let moves = match &self.moves {
            Some(text) => read_line(&start, text).map_err(|error| format!("--moves: {error}"))?,
            None => Vec::new(),
        };
        Ok(moves.iter().fold(start, |position, &mv| position.after(mv)))
    }
}
