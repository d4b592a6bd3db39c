//! Writes games one after the other.

use super::PackedGame;
use std::io::{self, Write};

/// Writes games to anything that takes bytes. A game goes out in one piece, so that a program that is ended
/// between two games leaves a valid file.
#[derive(Debug)]
pub struct GameWriter<W> {
    sink: W,
    bytes: Vec<u8>,
}

impl<W: Write> GameWriter<W> {
    /// A writer of games.
    pub fn new(sink: W) -> Self {
        GameWriter { sink, bytes: Vec::new() }
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If the bytes cannot be written.
    pub fn write(&mut self, game: &PackedGame) -> io::Result<()> {
        self.bytes.clear();
        game.pack_into(&mut self.bytes);
        self.sink.write_all(&self.bytes)
    }

    /// Hands buffered bytes on.
    ///
    /// # Errors
    /// If the bytes cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }

    /// Gives the sink back.
    pub fn into_inner(self) -> W {
        self.sink
    }
}
