//! The 32-byte records of bulletformat (<https://crates.io/crates/bulletformat>): a board without castling rights, en
//! passant and clocks, flipped so that the side to move is White.

use chess::{Color, Piece, Role, Square};

use super::board::FenBoard;
use crate::packed::{PackedError, PackedResult, Sample};

pub const BYTES: usize = 32;

/// Occupied squares (8 bytes), pieces (16), score (2), result (1), own king, other king mirrored (1 each), and three
/// unused bytes.
pub fn write(sample: &Sample) -> [u8; BYTES] {
    let position = match sample.position.turn() {
        Color::White => sample.position,
        Color::Black => sample.position.color_mirrored(),
    };
    let mut bytes = [0; BYTES];
    let mut occupied = 0_u64;
    for (index, square) in position.occupied().into_iter().enumerate() {
        let Some(piece) = position.piece_at(square) else { continue };
        occupied |= 1 << square.index();
        let code = piece.role().index() as u8 + if piece.color() == Color::Black { 8 } else { 0 };
        bytes[8 + index / 2] |= code << (4 * (index % 2));
    }
    bytes[..8].copy_from_slice(&occupied.to_le_bytes());
    bytes[24..26].copy_from_slice(&sample.stored_mover_score().to_le_bytes());
    bytes[26] = (2.0 * sample.mover_points()) as u8;
    bytes[27] = position.king(Color::White).index() as u8;
    bytes[28] = position.king(Color::Black).flip_rank().index() as u8;
    bytes
}

pub fn read(bytes: &[u8; BYTES]) -> Result<Sample, PackedError> {
    let mut occupied = u64::from_le_bytes(std::array::from_fn(|index| bytes[index]));
    let count = occupied.count_ones() as usize;
    if !(2..=32).contains(&count) {
        return Err(PackedError::Board("expected 2 to 32 pieces"));
    }
    let mut board = FenBoard::EMPTY;
    for index in 0..count {
        let square = occupied.trailing_zeros() as usize;
        occupied &= occupied - 1;
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if code & 8 == 0 { Color::White } else { Color::Black };
        let role = Role::ALL.get(usize::from(code & 7)).ok_or(PackedError::Board("unknown piece code"))?;
        board.pieces[square] = Some(Piece::new(color, *role));
    }
    let is_king = |square: u8, color, flipped: bool| {
        let square = Square::from_index(usize::from(square & 63));
        let square = if flipped { square.flip_rank() } else { square };
        board.pieces[square.index()] == Some(Piece::new(color, Role::King))
    };
    if bytes[27] > 63 || bytes[28] > 63 {
        return Err(PackedError::Board("king square is off the board"));
    }
    if !is_king(bytes[27], Color::White, false) || !is_king(bytes[28], Color::Black, true) {
        return Err(PackedError::Board("king is not on its square"));
    }
    let result = PackedResult::from_code(bytes[26]).ok_or(PackedError::Result(bytes[26]))?;
    let score = i16::from_le_bytes([bytes[24], bytes[25]]).max(-i16::MAX);
    Ok(Sample { position: board.position()?, mv: None, score, result, index: 0 })
}
