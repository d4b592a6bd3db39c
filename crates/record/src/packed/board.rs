//! The header of a game: a position and the result in 32 bytes.

use super::{PackedError, PackedResult};
use chess::{CastlingSide, Color, Piece, Position, Rank, Role, Square, piece_placement};

pub const BOARD_BYTES: usize = 32;

/// The code of a rook that may still castle; one above the king's.
const CASTLING_ROOK: u8 = 6;
/// Added to the code of Black's pieces.
const BLACK_PIECE: u8 = 8;
/// Added to the en passant square if Black is to move.
const BLACK_TO_MOVE: u8 = 128;
/// No en passant square.
const NO_SQUARE: u8 = 64;

/// Packs a position and the result of its game; `score` is from White's point of view, 0 if unused.
pub fn pack_board(position: &Position, score: i16, result: PackedResult) -> [u8; BOARD_BYTES] {
    let mut bytes = [0; BOARD_BYTES];
    let occupied: u64 = position.occupied().into_iter().map(|square| 1 << square.index()).sum();
    bytes[..8].copy_from_slice(&occupied.to_le_bytes());
    for (index, square) in position.occupied().into_iter().enumerate() {
        bytes[8 + index / 2] |= code_of(position, square) << (4 * (index % 2));
    }
    let side = if position.turn() == Color::Black { BLACK_TO_MOVE } else { 0 };
    bytes[24] = side | position.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[25] = position.halfmove_clock() as u8;
    bytes[26..28].copy_from_slice(&(position.fullmove_number() as u16).to_le_bytes());
    bytes[28..30].copy_from_slice(&score.to_le_bytes());
    bytes[30] = result as u8;
    bytes
}

/// Unpacks a position and the result of its game. An en passant square without a legal capture is dropped.
///
/// # Errors
/// [`PackedError`] if the bytes are not a valid position.
pub fn unpack_board(bytes: &[u8; BOARD_BYTES]) -> Result<(Position, PackedResult), PackedError> {
    let pieces = read_pieces(bytes)?;
    let result = PackedResult::from_code(bytes[30]).ok_or(PackedError::Result(bytes[30]))?;
    let fen = write_fen(&pieces, bytes)?;
    let (position, repairs) = Position::from_fen_with_repairs(&fen).map_err(PackedError::Position)?;
    if repairs.castling {
        return Err(PackedError::Board("castling rook does not belong to its king"));
    }
    Ok((position, result))
}

/// The code of the piece on an occupied square.
fn code_of(position: &Position, square: Square) -> u8 {
    let Some(piece) = position.piece_at(square) else { return 0 };
    let castles = CastlingSide::ALL
        .into_iter()
        .any(|side| position.castling().rook(piece.color(), side) == Some(square));
    let role = if castles { CASTLING_ROOK } else { piece.role().index() as u8 };
    role + if piece.color() == Color::Black { BLACK_PIECE } else { 0 }
}

/// A piece, and whether it is a rook with castling rights.
type Code = Option<(Piece, bool)>;

/// The pieces on the board. Rejects random bytes early: a reader that looks for the next game calls this at each byte.
fn read_pieces(bytes: &[u8; BOARD_BYTES]) -> Result<[Code; 64], PackedError> {
    let mut occupied = u64::from_le_bytes(std::array::from_fn(|i| bytes[i]));
    let count = occupied.count_ones() as usize;
    if !(2..=32).contains(&count) {
        return Err(PackedError::Board("expected 2 to 32 pieces"));
    }
    let code = |index: usize| bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
    if (count..32).any(|index| code(index) != 0) {
        return Err(PackedError::Board("more pieces than occupied squares"));
    }
    let mut pieces = [None; 64];
    for index in 0..count {
        let square = occupied.trailing_zeros() as usize;
        occupied &= occupied - 1;
        let color = if code(index) & BLACK_PIECE == 0 { Color::White } else { Color::Black };
        let role = code(index) & !BLACK_PIECE;
        let castles = role == CASTLING_ROOK;
        let role = if castles { Some(&Role::Rook) } else { Role::ALL.get(usize::from(role)) };
        let role = *role.ok_or(PackedError::Board("unknown piece code"))?;
        pieces[square] = Some((Piece::new(color, role), castles));
    }
    Ok(pieces)
}

/// The Shredder-FEN of the header, whose parser validates the position.
fn write_fen(pieces: &[Code; 64], bytes: &[u8; BOARD_BYTES]) -> Result<String, PackedError> {
    let mut castling = String::new();
    for (index, code) in pieces.iter().enumerate() {
        let &Some((piece, true)) = code else { continue };
        let square = Square::from_index(index);
        let home = if piece.color() == Color::White { Rank::First } else { Rank::Eighth };
        if square.rank() != home {
            return Err(PackedError::Board("castling rook is not on its back rank"));
        }
        let letter = square.file().letter();
        castling.push(if home == Rank::First { letter.to_ascii_uppercase() } else { letter });
    }
    if castling.is_empty() {
        castling.push('-');
    }
    let turn = if bytes[24] & BLACK_TO_MOVE == 0 { 'w' } else { 'b' };
    let en_passant = match bytes[24] & !BLACK_TO_MOVE {
        NO_SQUARE => "-".to_owned(),
        square @ 0..NO_SQUARE => Square::from_index(square.into()).to_string(),
        _ => return Err(PackedError::Board("en passant square is off the board")),
    };
    let fullmove = u16::from_le_bytes([bytes[26], bytes[27]]);
    let pieces = piece_placement(|square| pieces[square.index()].map(|(piece, _)| piece));
    Ok(format!("{pieces} {turn} {castling} {en_passant} {} {fullmove}", bytes[25]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 99 300",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            // The inner rook castles: X-FEN cannot express this.
            "1r2k1rr/8/8/8/8/8/8/RR2K1R1 w BGbg - 3 20",
            "8/8/8/8/8/5k2/5p2/5K2 b - - 12 90",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for result in PackedResult::ALL {
                let bytes = pack_board(&position, 0, result);
                assert_eq!(unpack_board(&bytes), Ok((position, result)), "{fen}");
            }
        }
    }

    #[test]
    fn invalid_bytes_are_rejected() {
        let good = pack_board(&Position::startpos(), 0, PackedResult::Draw);
        let spoiled = |byte: usize, value: u8| {
            let mut bytes = good;
            bytes[byte] = value;
            unpack_board(&bytes).unwrap_err()
        };
        assert_eq!(unpack_board(&[0; 32]), Err(PackedError::Board("expected 2 to 32 pieces")));
        assert!(matches!(spoiled(0, 0), PackedError::Board(_)));
        assert!(matches!(spoiled(8, 0x77), PackedError::Board(_)));
        assert!(matches!(spoiled(8, 0x55), PackedError::Position(_)));
        assert!(matches!(spoiled(24, 99), PackedError::Board(_)));
        assert_eq!(spoiled(30, 3), PackedError::Result(3));
    }
}
