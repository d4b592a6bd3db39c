//! Writes packed games.

use super::PackedGame;
use std::io::{self, Write};

/// Writes packed games. Each game is one write, so that a program killed between two games leaves a valid file.
#[derive(Debug)]
pub struct GameWriter<W> {
    sink: W,
    bytes: Vec<u8>,
}

impl<W: Write> GameWriter<W> {
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

    /// Flushes the sink.
    ///
    /// # Errors
    /// If the bytes cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }

    pub fn into_inner(self) -> W {
        self.sink
    }
}
