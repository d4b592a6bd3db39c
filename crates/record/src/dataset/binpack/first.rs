//! The first position of a chain.

use chess::{Bitboard, CastlingSide, Color, Move, MoveKind, Piece, Position, Rank, Role, Square};

use super::super::board::FenBoard;
use super::{FIRST_BYTES, fold, unfold};
use crate::packed::{PackedError, PackedResult, Sample};

const EN_PASSANT_PAWN: u8 = 12;
const CASTLING_ROOKS: [u8; 2] = [13, 14];
const BLACK_KING_TO_MOVE: u8 = 15;

/// The format cannot hold them.
const CHESS960: &str = "Chess960 castling rights";

/// Of fourteen bits.
const MAX_PLY: u32 = (1 << 14) - 1;

/// Where rooks with castling rights stand, with the letter of the right.
const RIGHTS: [(Square, Color, CastlingSide, char); 4] = [
    (Square::H1, Color::White, CastlingSide::Short, 'K'),
    (Square::A1, Color::White, CastlingSide::Long, 'Q'),
    (Square::H8, Color::Black, CastlingSide::Short, 'k'),
    (Square::A8, Color::Black, CastlingSide::Long, 'q'),
];

pub fn write(sample: &Sample, mv: Move) -> [u8; FIRST_BYTES] {
    let position = &sample.position;
    let mut bytes = [0; FIRST_BYTES];
    bytes[..8].copy_from_slice(&position.occupied().0.to_be_bytes());
    for (index, square) in position.occupied().into_iter().enumerate() {
        bytes[8 + index / 2] |= piece_code(position, square) << (4 * (index % 2));
    }
    let result = (2.0 * sample.mover_points()) as i16 - 1;
    let ply_and_result = position.ply().min(MAX_PLY) as u16 | fold(result) << 14;
    let numbers =
        [move_code(mv), fold(sample.stored_mover_score()), ply_and_result, position.halfmove_clock() as u16];
    for (place, number) in bytes[24..].chunks_exact_mut(2).zip(numbers) {
        place.copy_from_slice(&number.to_be_bytes());
    }
    bytes
}

fn piece_code(position: &Position, square: Square) -> u8 {
    let Some(piece) = position.piece_at(square) else { return 0 };
    let color = piece.color();
    let has_right = |&(rook, owner, side, _): &(Square, Color, CastlingSide, char)| {
        rook == square && owner == color && position.castling().rook(owner, side).is_some()
    };
    match piece.role() {
        Role::Pawn if en_passant_pawn(position) == Some(square) => EN_PASSANT_PAWN,
        Role::Rook if RIGHTS.iter().any(has_right) => CASTLING_ROOKS[color.index()],
        Role::King if color == Color::Black && position.turn() == Color::Black => BLACK_KING_TO_MOVE,
        role => (role.index() * 2 + color.index()) as u8,
    }
}

/// Where the pawn is that may be captured en passant.
fn en_passant_pawn(position: &Position) -> Option<Square> {
    let behind = Bitboard::of(position.en_passant()?);
    behind.forward(!position.turn()).first()
}

fn move_code(mv: Move) -> u16 {
    let (kind, promotion) = match mv.kind() {
        MoveKind::Normal | MoveKind::DoublePush => (0, 0),
        MoveKind::Promotion(role) => (1, role.index() as u16 - 1),
        MoveKind::Castle => (2, 0),
        MoveKind::EnPassant => (3, 0),
    };
    kind << 14 | (mv.from().index() as u16) << 8 | (mv.to().index() as u16) << 2 | promotion
}

pub fn read(bytes: &[u8; FIRST_BYTES]) -> Result<Sample, PackedError> {
    let number = |index: usize| u16::from_be_bytes([bytes[index], bytes[index + 1]]);
    let (code, score, ply_and_result, clock) = (number(24), number(26), number(28), number(30));
    let position = read_position(bytes, u32::from(ply_and_result) & MAX_PLY, u32::from(clock))?;
    let mv = read_move(&position, code).ok_or(PackedError::Move { ply: 0, code })?;
    let result = match (unfold(ply_and_result >> 14), position.turn()) {
        (0, _) => PackedResult::Draw,
        (1, mover) => PackedResult::win_of(mover),
        (-1, mover) => PackedResult::win_of(!mover),
        _ => return Err(PackedError::Result((ply_and_result >> 14) as u8)),
    };
    Ok(Sample { position, mv: Some(mv), score: white_score(&position, unfold(score)), result, index: 0 })
}

/// White's score from that of the side to move.
pub fn white_score(position: &Position, score: i16) -> i16 {
    let score = score.max(-i16::MAX);
    if position.turn() == Color::White { score } else { -score }
}

fn read_position(bytes: &[u8; FIRST_BYTES], ply: u32, clock: u32) -> Result<Position, PackedError> {
    let occupied = Bitboard(u64::from_be_bytes(std::array::from_fn(|index| bytes[index])));
    if !(2..=32).contains(&occupied.count()) {
        return Err(PackedError::Board("expected 2 to 32 pieces"));
    }
    let mut board = FenBoard { fullmove_number: ply / 2 + 1, halfmove_clock: clock, ..FenBoard::EMPTY };
    let mut rights = [false; 4];
    for (index, square) in occupied.into_iter().enumerate() {
        let piece = match bytes[8 + index / 2] >> (4 * (index % 2)) & 15 {
            EN_PASSANT_PAWN => {
                let (color, behind) = match square.rank() {
                    Rank::Fourth => (Color::White, Bitboard::of(square).south()),
                    Rank::Fifth => (Color::Black, Bitboard::of(square).north()),
                    _ => return Err(PackedError::Board("en passant pawn on a wrong rank")),
                };
                board.en_passant = behind.first();
                Piece::new(color, Role::Pawn)
            }
            BLACK_KING_TO_MOVE => {
                board.turn = Color::Black;
                Piece::new(Color::Black, Role::King)
            }
            code if CASTLING_ROOKS.contains(&code) => {
                let color = if code == CASTLING_ROOKS[0] { Color::White } else { Color::Black };
                let right = RIGHTS.iter().position(|&(rook, owner, ..)| rook == square && owner == color);
                rights[right.ok_or(PackedError::Board(CHESS960))?] = true;
                Piece::new(color, Role::Rook)
            }
            code => {
                let color = if code % 2 == 0 { Color::White } else { Color::Black };
                Piece::new(color, Role::ALL[usize::from(code / 2)])
            }
        };
        board.pieces[square.index()] = Some(piece);
    }
    board.castling = RIGHTS.iter().zip(rights).filter(|(_, has)| *has).map(|(right, _)| right.3).collect();
    let position = board.position()?;
    // The rook is in its corner, but the king may be elsewhere than on the e-file.
    if position.has_standard_castling() { Ok(position) } else { Err(PackedError::Board(CHESS960)) }
}

/// The legal move with this code.
fn read_move(position: &Position, code: u16) -> Option<Move> {
    let square = |bits: u16| Square::from_index(usize::from(bits & 63));
    let (from, to) = (square(code >> 8), square(code >> 2));
    let promotion = usize::from(code & 3);
    let kind = match code >> 14 {
        1 => MoveKind::Promotion(Role::PROMOTIONS[promotion]),
        _ if promotion != 0 => return None,
        2 => MoveKind::Castle,
        3 => MoveKind::EnPassant,
        _ if from.index().abs_diff(to.index()) == 16 && position.role_at(from) == Some(Role::Pawn) => {
            MoveKind::DoublePush
        }
        _ => MoveKind::Normal,
    };
    let mv = Move::new(from, to, kind);
    position.is_legal(mv).then_some(mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess960_castling_rights_are_refused() {
        let read_back = |fen: &str| {
            let position = Position::from_fen(fen).expect("a position");
            let mv = position.legal_moves().iter().copied().next().expect("a move");
            let sample = Sample { position, mv: Some(mv), score: 0, result: PackedResult::Draw, index: 0 };
            read(&write(&sample, mv)).map(|sample| sample.position)
        };
        let fen = "rnbq1k2/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
        assert_eq!(read_back(fen).expect("standard chess"), Position::from_fen(fen).expect("a position"));
        let error =
            read_back("rnbq1k2/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1").expect_err("a king on f8");
        assert!(error.to_string().contains(CHESS960), "{error}");
    }
}
