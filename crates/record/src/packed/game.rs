//! A training game and the positions in it.

use super::board::{pack_board, unpack_board};
use super::{BOARD_BYTES, PackedError, code};
use crate::pgn::GameResult;
use chess::{Color, Move, Position};
use std::slice;

/// The result of a game, with its code in files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum PackedResult {
    BlackWins = 0,
    Draw = 1,
    WhiteWins = 2,
}

impl PackedResult {
    pub const ALL: [PackedResult; 3] = [PackedResult::BlackWins, PackedResult::Draw, PackedResult::WhiteWins];

    pub fn from_code(code: u8) -> Option<PackedResult> {
        PackedResult::ALL.get(usize::from(code)).copied()
    }

    pub fn win_of(color: Color) -> PackedResult {
        match color {
            Color::White => PackedResult::WhiteWins,
            Color::Black => PackedResult::BlackWins,
        }
    }

    /// White's points: 0, ½ or 1.
    pub fn white_points(self) -> f32 {
        f32::from(self as u8) / 2.0
    }

    /// `1-0`, `1/2-1/2` or `0-1`.
    pub fn word(self) -> &'static str {
        ["0-1", "1/2-1/2", "1-0"][self as usize]
    }
}

impl From<PackedResult> for GameResult {
    fn from(result: PackedResult) -> Self {
        match result {
            PackedResult::WhiteWins => Self::WhiteWins,
            PackedResult::BlackWins => Self::BlackWins,
            PackedResult::Draw => Self::Draw,
        }
    }
}

/// A game with a score for every position in which a move was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedGame {
    pub start: Position,
    pub result: PackedResult,
    /// Each move with the score of the position before it, from White's point of view.
    pub moves: Vec<(Move, i16)>,
}

/// A training position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    pub position: Position,
    /// The move played; a position from a file without moves has none.
    pub mv: Option<Move>,
    /// From White's point of view.
    pub score: i16,
    pub result: PackedResult,
    /// Its index in the game.
    pub index: usize,
}

impl Sample {
    /// The score from the side to move's point of view.
    pub fn mover_score(&self) -> i32 {
        let score = i32::from(self.score);
        if self.position.turn() == Color::White { score } else { -score }
    }

    /// The points of the side to move: 0, ½ or 1.
    pub fn mover_points(&self) -> f32 {
        let points = self.result.white_points();
        if self.position.turn() == Color::White { points } else { 1.0 - points }
    }

    /// The score from the side to move's point of view, in 16 bits.
    pub(crate) fn stored_mover_score(&self) -> i16 {
        self.mover_score().clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16
    }
}

/// Bytes of a single position with its move.
const SAMPLE_BYTES: usize = BOARD_BYTES + 2;

impl Sample {
    /// The position with move, score and result, but without its index in the game; for temporary files.
    pub fn pack(&self) -> [u8; SAMPLE_BYTES] {
        let mut bytes = [0; SAMPLE_BYTES];
        bytes[..BOARD_BYTES].copy_from_slice(&pack_board(&self.position, self.score, self.result));
        bytes[BOARD_BYTES..].copy_from_slice(&self.mv.map_or(0, code::encode).to_le_bytes());
        bytes
    }

    /// Reads what [`pack`](Self::pack) has written.
    ///
    /// # Errors
    /// [`PackedError`] if the bytes are invalid.
    pub fn unpack(bytes: &[u8]) -> Result<Sample, PackedError> {
        let Some((board, &[low, high])) = bytes.split_first_chunk::<BOARD_BYTES>() else {
            return Err(PackedError::Truncated);
        };
        let (position, result) = unpack_board(board)?;
        let mv = match u16::from_le_bytes([low, high]) {
            0 => None,
            code => Some(code::decode(&position, code).ok_or(PackedError::Move { ply: 0, code })?),
        };
        let score = i16::from_le_bytes([board[28], board[29]]);
        Ok(Sample { position, mv, score, result, index: 0 })
    }
}

/// Bytes of a move with its score, and of the terminator.
pub(super) const MOVE_BYTES: usize = 4;
const END: [u8; MOVE_BYTES] = [0; MOVE_BYTES];

impl PackedGame {
    /// The positions in which a move was played, in order.
    pub fn positions(&self) -> Positions<'_> {
        Positions { position: self.start, result: self.result, moves: self.moves.iter(), index: 0 }
    }

    /// The size in a file.
    pub fn packed_len(&self) -> usize {
        BOARD_BYTES + MOVE_BYTES * (self.moves.len() + 1)
    }

    /// Appends the packed game to a buffer.
    pub fn pack_into(&self, bytes: &mut Vec<u8>) {
        bytes.reserve(self.packed_len());
        bytes.extend_from_slice(&pack_board(&self.start, 0, self.result));
        for &(mv, score) in &self.moves {
            bytes.extend_from_slice(&code::encode(mv).to_le_bytes());
            bytes.extend_from_slice(&score.to_le_bytes());
        }
        bytes.extend_from_slice(&END);
    }

    /// Reads the game at the start of `bytes`; returns it and its size.
    ///
    /// # Errors
    /// [`PackedError::Truncated`] if more bytes are needed, another error otherwise.
    pub fn unpack(bytes: &[u8]) -> Result<(PackedGame, usize), PackedError> {
        let Some((board, mut rest)) = bytes.split_first_chunk::<BOARD_BYTES>() else {
            return Err(PackedError::Truncated);
        };
        let (start, result) = unpack_board(board)?;
        let mut game = PackedGame { start, result, moves: Vec::new() };
        let mut position = start;
        while let Some((entry, after)) = rest.split_first_chunk::<MOVE_BYTES>() {
            if *entry == END {
                let length = game.packed_len();
                return Ok((game, length));
            }
            let [low, high, score @ ..] = *entry;
            let bits = u16::from_le_bytes([low, high]);
            let mv = code::decode(&position, bits)
                .ok_or(PackedError::Move { ply: game.moves.len(), code: bits })?;
            game.moves.push((mv, i16::from_le_bytes(score)));
            position.play(mv);
            rest = after;
        }
        Err(PackedError::Truncated)
    }
}

/// The positions of a game; made by [`PackedGame::positions`].
#[derive(Clone, Debug)]
pub struct Positions<'a> {
    position: Position,
    result: PackedResult,
    moves: slice::Iter<'a, (Move, i16)>,
    index: usize,
}

impl Iterator for Positions<'_> {
    type Item = Sample;

    fn next(&mut self) -> Option<Sample> {
        let &(mv, score) = self.moves.next()?;
        let sample =
            Sample { position: self.position, mv: Some(mv), score, result: self.result, index: self.index };
        self.position.play(mv);
        self.index += 1;
        Some(sample)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.moves.size_hint()
    }
}

impl ExactSizeIterator for Positions<'_> {}
