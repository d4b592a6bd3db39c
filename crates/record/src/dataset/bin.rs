//! Stockfish's `.bin`: records of 40 bytes, as nnue-pytorch reads them.
//!
//! | bytes | content |
//! |---|---|
//! | 32 | the position, bit by bit from the lowest: side to move; squares of the white and the black king (6 each); the other squares from a8 to h1, kings left out: `0` empty, or three or four bits for the piece and one for its colour; castling rights KQkq; `1` and the en passant square (6), or `0`; six bits of the fifty-move counter; the move number (16); the seventh bit of the counter |
//! | 2 | score of the side to move |
//! | 2 | move: target, origin from bit 6, promotion from bit 12, kind from bit 14 |
//! | 2 | plies since the start of the game |
//! | 1 | result of the side to move: 1, 0, -1 |
//! | 1 | unused |

use chess::{CastlingSide, Color, File, Move, MoveKind, Piece, Position, Rank, Role, Square};

use super::board::FenBoard;
use crate::packed::{PackedError, PackedResult, Sample};

pub const BYTES: usize = 40;
const POSITION_BYTES: usize = 32;

/// The codes of the pieces, by role, without the king. Each has four bits.
const PIECE_CODES: [u32; 5] = [0b0001, 0b0011, 0b0101, 0b0111, 0b1001];
const PIECE_BITS: usize = 4;

const RIGHTS: [(Color, CastlingSide, char); 4] = [
    (Color::White, CastlingSide::Short, 'K'),
    (Color::White, CastlingSide::Long, 'Q'),
    (Color::Black, CastlingSide::Short, 'k'),
    (Color::Black, CastlingSide::Long, 'q'),
];

/// Bits from the lowest of the first byte on.
struct Bits<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl Bits<'_> {
    /// `None` behind the end.
    fn take(&mut self, count: usize) -> Option<u32> {
        let mut value = 0;
        for bit in 0..count {
            let byte = *self.bytes.get(self.next / 8)?;
            value |= u32::from(byte >> (self.next % 8) & 1) << bit;
            self.next += 1;
        }
        Some(value)
    }
}

#[derive(Default)]
struct BitWriter {
    bytes: [u8; POSITION_BYTES],
    next: usize,
}

impl BitWriter {
    fn put(&mut self, value: u32, count: usize) {
        for bit in 0..count {
            // 32 pieces take 228 of the 256 bits.
            if let Some(byte) = self.bytes.get_mut(self.next / 8) {
                *byte |= ((value >> bit & 1) as u8) << (self.next % 8);
            }
            self.next += 1;
        }
    }
}

/// The squares in the order of the format.
fn squares() -> impl Iterator<Item = Square> {
    Rank::ALL
        .into_iter()
        .rev()
        .flat_map(|rank| File::ALL.into_iter().map(move |file| Square::new(file, rank)))
}

/// `None` if the record cannot hold the position: without a move, or with Chess960 castling rights.
pub fn write(sample: &Sample) -> Option<[u8; BYTES]> {
    let (position, mv) = (&sample.position, sample.mv?);
    if !position.has_standard_castling() {
        return None;
    }
    let mut bytes = [0; BYTES];
    bytes[..POSITION_BYTES].copy_from_slice(&write_position(position));
    bytes[32..34].copy_from_slice(&sample.stored_mover_score().to_le_bytes());
    bytes[34..36].copy_from_slice(&write_move(mv).to_le_bytes());
    bytes[36..38].copy_from_slice(&(position.ply().min(u32::from(u16::MAX)) as u16).to_le_bytes());
    bytes[38] = ((2.0 * sample.mover_points()) as i8 - 1) as u8;
    Some(bytes)
}

fn write_position(position: &Position) -> [u8; POSITION_BYTES] {
    let mut bits = BitWriter::default();
    bits.put(position.turn().index() as u32, 1);
    for color in Color::ALL {
        bits.put(position.king(color).index() as u32, 6);
    }
    for square in squares() {
        match position.piece_at(square) {
            None => bits.put(0, 1),
            Some(piece) => {
                let Some(&code) = PIECE_CODES.get(piece.role().index()) else { continue };
                bits.put(code, PIECE_BITS);
                bits.put(piece.color().index() as u32, 1);
            }
        }
    }
    for (color, side, _) in RIGHTS {
        bits.put(u32::from(position.castling().rook(color, side).is_some()), 1);
    }
    match position.en_passant() {
        Some(square) => {
            bits.put(1, 1);
            bits.put(square.index() as u32, 6);
        }
        None => bits.put(0, 1),
    }
    let clock = position.halfmove_clock().min(127);
    bits.put(clock, 6);
    bits.put(position.fullmove_number(), 16);
    bits.put(clock >> 6, 1);
    bits.bytes
}

fn write_move(mv: Move) -> u16 {
    let squares = mv.to().index() as u16 | (mv.from().index() as u16) << 6;
    squares
        | match mv.kind() {
            MoveKind::Normal | MoveKind::DoublePush => 0,
            MoveKind::Promotion(role) => 1 << 14 | (role.index() as u16 - 1) << 12,
            MoveKind::EnPassant => 2 << 14,
            MoveKind::Castle => 3 << 14,
        }
}

pub fn read(bytes: &[u8; BYTES]) -> Result<Sample, PackedError> {
    let position = read_position(&bytes[..POSITION_BYTES])?;
    let code = u16::from_le_bytes([bytes[34], bytes[35]]);
    let mv = read_move(&position, code).ok_or(PackedError::Move { ply: 0, code })?;
    let sign = if position.turn() == Color::White { 1 } else { -1 };
    let result = match bytes[38] as i8 * sign {
        1 => PackedResult::WhiteWins,
        0 => PackedResult::Draw,
        -1 => PackedResult::BlackWins,
        _ => return Err(PackedError::Result(bytes[38])),
    };
    let score = i16::from_le_bytes([bytes[32], bytes[33]]).max(-i16::MAX) * i16::from(sign);
    Ok(Sample { position, mv: Some(mv), score, result, index: 0 })
}

fn read_position(bytes: &[u8]) -> Result<Position, PackedError> {
    let mut bits = Bits { bytes, next: 0 };
    let mut take = |count| bits.take(count).ok_or(PackedError::Board("position is longer than 32 bytes"));
    let color = |bit| if bit == 0 { Color::White } else { Color::Black };
    let mut board = FenBoard { turn: color(take(1)?), ..FenBoard::EMPTY };
    for owner in Color::ALL {
        let king = &mut board.pieces[take(6)? as usize];
        if king.replace(Piece::new(owner, Role::King)).is_some() {
            return Err(PackedError::Board("two kings on a square"));
        }
    }
    for square in squares() {
        if board.pieces[square.index()].is_some() || take(1)? == 0 {
            continue;
        }
        let code = take(PIECE_BITS - 1)? << 1 | 1;
        let role = PIECE_CODES.iter().position(|&known| known == code);
        let role = role.ok_or(PackedError::Board("unknown piece code"))?;
        board.pieces[square.index()] = Some(Piece::new(color(take(1)?), Role::ALL[role]));
    }
    for (_, _, letter) in RIGHTS {
        if take(1)? == 1 {
            board.castling.push(letter);
        }
    }
    if take(1)? == 1 {
        board.en_passant = Some(Square::from_index(take(6)? as usize));
    }
    let clock = take(6)?;
    board.fullmove_number = take(16)?;
    board.halfmove_clock = clock | take(1)? << 6;
    board.position()
}

/// The legal move with this code.
fn read_move(position: &Position, code: u16) -> Option<Move> {
    let square = |bits: u16| Square::from_index(usize::from(bits & 63));
    let (from, to) = (square(code >> 6), square(code));
    let promotion = usize::from(code >> 12 & 3);
    let kind = match code >> 14 {
        1 => MoveKind::Promotion(Role::PROMOTIONS[promotion]),
        _ if promotion != 0 => return None,
        2 => MoveKind::EnPassant,
        3 => MoveKind::Castle,
        _ if from.index().abs_diff(to.index()) == 16 && position.role_at(from) == Some(Role::Pawn) => {
            MoveKind::DoublePush
        }
        _ => MoveKind::Normal,
    };
    let mv = Move::new(from, to, kind);
    position.is_legal(mv).then_some(mv)
}
