//! Large PGN files, piece by piece.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::{PgnGame, PgnReader};

/// How much is read at once.
const BLOCK_BYTES: usize = 8 << 20;
/// A piece without the beginning of a game is read up to this size.
const MAX_PIECE_BYTES: usize = 64 << 20;
/// The beginning of a game.
const EVENT: &[u8] = b"\n[Event ";

/// Reads the games of a file without holding all of it in memory. `on_game` gets each game, and the fraction of the file
/// that was read so far; it returns whether to go on.
///
/// # Errors
/// The file cannot be read.
pub fn for_each_game(path: &Path, on_game: impl FnMut(&PgnGame, f64) -> bool) -> io::Result<()> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    read_pieces(file, length, BLOCK_BYTES, on_game)
}

fn read_pieces(
    source: impl Read,
    length: u64,
    block: usize,
    mut on_game: impl FnMut(&PgnGame, f64) -> bool,
) -> io::Result<()> {
    let mut pieces = PgnPieces { block, ..PgnPieces::new(source) };
    while let Some(text) = pieces.next_piece()? {
        let done = pieces.read as f64 / length.max(pieces.read).max(1) as f64;
        for game in PgnReader::new(&text) {
            if !on_game(&game, done) {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The text of a file, in pieces of whole games.
#[derive(Debug)]
pub struct PgnPieces<R> {
    source: R,
    block: usize,
    piece: Vec<u8>,
    /// Bytes read from the source.
    read: u64,
    ended: bool,
}

impl<R: Read> PgnPieces<R> {
    pub fn new(source: R) -> Self {
        PgnPieces { source, block: BLOCK_BYTES, piece: Vec::new(), read: 0, ended: false }
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn next_piece(&mut self) -> io::Result<Option<String>> {
        while !self.ended {
            let before = self.piece.len();
            self.source.by_ref().take(self.block as u64).read_to_end(&mut self.piece)?;
            self.ended = self.piece.len() == before;
            self.read += (self.piece.len() - before) as u64;
            let end = match games_end(&self.piece) {
                _ if self.ended => self.piece.len(),
                Some(end) => end,
                None if self.piece.len() < MAX_PIECE_BYTES => continue,
                None => self.piece.len(),
            };
            let text = String::from_utf8_lossy(&self.piece[..end]).into_owned();
            self.piece.drain(..end);
            return Ok(Some(text));
        }
        Ok(None)
    }
}

/// Where the last game begins, which may go on behind the piece: at its `Event` tag, or at any tag after a blank line in
/// a file without `Event`.
fn games_end(piece: &[u8]) -> Option<usize> {
    let is_after_blank_line = |&at: &usize| {
        let before = &piece[..at];
        before.ends_with(b"\n") || before.ends_with(b"\n\r")
    };
    let last = |is_start: fn(&[u8]) -> bool| {
        let mut starts =
            (1..piece.len().saturating_sub(EVENT.len())).rev().filter(|&at| is_start(&piece[at..]));
        starts.find(is_after_blank_line).map(|at| at + 1)
    };
    last(|text| text.starts_with(EVENT))
        .or_else(|| last(|text| matches!(text, [b'\n', b'[', name, ..] if name.is_ascii_uppercase())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::GameResult;

    #[test]
    fn pieces_have_the_same_games() {
        for newline in ["\n", "\r\n"] {
            let game = |number: usize| {
                format!(
                    "[Event \"{number}\"]{newline}[Site \"x\"]{newline}{newline}1. e4 {{a [Event comment]}} e5 \
                     {newline}2. Nf3 1-0{newline}{newline}"
                )
            };
            let text: String = (0..50).map(game).collect();
            for block in [1, 7, 64, 1000, 100_000] {
                let (mut events, mut last) = (Vec::new(), 0.0);
                let length = text.len() as u64;
                read_pieces(text.as_bytes(), length, block, |game, done| {
                    assert_eq!(game.moves.len(), 3);
                    assert!((last..=1.0).contains(&done));
                    last = done;
                    events.push(game.tag("Event").unwrap().parse::<usize>().unwrap());
                    true
                })
                .unwrap();
                assert_eq!(events, (0..50).collect::<Vec<_>>(), "{block}");
            }
        }
    }

    #[test]
    fn pieces_without_event_tags_have_the_same_games() {
        let game = |number: usize| format!("[White \"{number}\"]\n\n1. e4 {{a [Comment]}} e5 2. Nf3 1-0\n\n");
        let text: String = (0..50).map(game).collect();
        for block in [64, 1000, 100_000] {
            let mut games = Vec::new();
            read_pieces(text.as_bytes(), text.len() as u64, block, |game, _| {
                games.push((game.tag("White").map(str::to_owned), game.moves.len(), game.result));
                true
            })
            .unwrap();
            let expected = |number: usize| (Some(number.to_string()), 3, GameResult::WhiteWins);
            assert_eq!(games, (0..50).map(expected).collect::<Vec<_>>(), "{block}");
        }
        // In pieces, not as one: what is held in memory does not grow with the file.
        assert_eq!(games_end(text.as_bytes()), text.rfind("[White"));
    }

    #[test]
    fn reading_can_end_early() {
        let mut games = 0;
        let text = "1. e4 1-0\n\n1. d4 1-0\n\n1. c4 1-0\n";
        read_pieces(text.as_bytes(), text.len() as u64, 1000, |_, _| {
            games += 1;
            games < 2
        })
        .unwrap();
        assert_eq!(games, 2);
    }
}
