//! A position and a game's result in 32 bytes, as games begin in a file.

use super::{Fault, Wdl};
use chess::{CastlingSide, Color, File, Piece, Position, Rank, Role, Square};

/// How many bytes a position takes.
pub const BOARD_BYTES: usize = 32;

/// The code of a rook that may still castle; one above the king's.
const CASTLING_ROOK: u8 = 6;
/// Added to the code of Black's men.
const BLACK_MAN: u8 = 8;
/// Added to the e.p. square if Black is to move.
const BLACK_TO_MOVE: u8 = 128;
/// Stands for "no e.p. square".
const NO_SQUARE: u8 = 64;

/// Packs a position and the result of its game; `score` is White's view, 0 where it means nothing.
pub fn pack_board(position: &Position, score: i16, result: Wdl) -> [u8; BOARD_BYTES] {
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

/// Unpacks a position and the result of its game. An e.p. square on which no capture is legal is dropped.
///
/// # Errors
/// [`Fault`] says why the bytes are no position of chess.
pub fn unpack_board(bytes: &[u8; BOARD_BYTES]) -> Result<(Position, Wdl), Fault> {
    let men = read_men(bytes)?;
    let result = Wdl::from_code(bytes[30]).ok_or(Fault::Result(bytes[30]))?;
    let fen = write_fen(&men, bytes)?;
    let (position, repairs) = Position::from_fen_with_repairs(&fen).map_err(Fault::Position)?;
    if repairs.castling {
        return Err(Fault::Board("a rook that may castle is not beside its king"));
    }
    Ok((position, result))
}

/// The code of the man on an occupied square.
fn code_of(position: &Position, square: Square) -> u8 {
    let Some(piece) = position.piece_at(square) else { return 0 };
    let castles = CastlingSide::ALL
        .into_iter()
        .any(|side| position.castling().rook(piece.color(), side) == Some(square));
    let role = if castles { CASTLING_ROOK } else { piece.role().index() as u8 };
    role + if piece.color() == Color::Black { BLACK_MAN } else { 0 }
}

/// A man and whether it is a rook that may castle.
type Man = Option<(Piece, bool)>;

/// Who stands where. Refuses at once what almost every run of random bytes has: this is asked at each byte
/// when a reader looks for the next whole game.
fn read_men(bytes: &[u8; BOARD_BYTES]) -> Result<[Man; 64], Fault> {
    let mut occupied = u64::from_le_bytes(std::array::from_fn(|i| bytes[i]));
    let count = occupied.count_ones() as usize;
    if !(2..=32).contains(&count) {
        return Err(Fault::Board("the number of men is not from 2 to 32"));
    }
    let code = |index: usize| bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
    if (count..32).any(|index| code(index) != 0) {
        return Err(Fault::Board("there are more men than occupied squares"));
    }
    let mut men = [None; 64];
    for index in 0..count {
        let square = occupied.trailing_zeros() as usize;
        occupied &= occupied - 1;
        let color = if code(index) & BLACK_MAN == 0 { Color::White } else { Color::Black };
        let role = code(index) & !BLACK_MAN;
        let castles = role == CASTLING_ROOK;
        let role = if castles { Some(&Role::Rook) } else { Role::ALL.get(usize::from(role)) };
        let role = *role.ok_or(Fault::Board("a man has an unknown code"))?;
        men[square] = Some((Piece::new(color, role), castles));
    }
    Ok(men)
}

/// The Shredder-FEN of the men and the bytes after them, whose reader knows every rule about positions.
fn write_fen(men: &[Man; 64], bytes: &[u8; BOARD_BYTES]) -> Result<String, Fault> {
    let mut fen = String::with_capacity(96);
    let mut castling = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            let Some((piece, castles)) = men[Square::new(file, rank).index()] else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                fen += &empty.to_string();
                empty = 0;
            }
            fen.push(piece.letter());
            if castles {
                let home = if piece.color() == Color::White { Rank::First } else { Rank::Eighth };
                if rank != home {
                    return Err(Fault::Board("a rook that may castle is not on its first rank"));
                }
                let letter = file.letter();
                castling.push(if home == Rank::First { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if empty > 0 {
            fen += &empty.to_string();
        }
        fen.push(if rank == Rank::First { ' ' } else { '/' });
    }
    if castling.is_empty() {
        castling.push('-');
    }
    let turn = if bytes[24] & BLACK_TO_MOVE == 0 { 'w' } else { 'b' };
    let en_passant = match bytes[24] & !BLACK_TO_MOVE {
        NO_SQUARE => "-".to_owned(),
        square @ 0..NO_SQUARE => Square::from_index(square.into()).to_string(),
        _ => return Err(Fault::Board("the e.p. square is not on the board")),
    };
    let fullmove = u16::from_le_bytes([bytes[26], bytes[27]]);
    Ok(fen + &format!("{turn} {castling} {en_passant} {} {fullmove}", bytes[25]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_every_kind_survive() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 99 300",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            // The inner rook castles: only Shredder-FEN can say so.
            "1r2k1rr/8/8/8/8/8/8/RR2K1R1 w BGbg - 3 20",
            "8/8/8/8/8/5k2/5p2/5K2 b - - 12 90",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for result in Wdl::ALL {
                let bytes = pack_board(&position, 0, result);
                assert_eq!(unpack_board(&bytes), Ok((position, result)), "{fen}");
            }
        }
    }

    #[test]
    fn bytes_that_are_no_position_are_refused() {
        let good = pack_board(&Position::startpos(), 0, Wdl::Draw);
        let spoiled = |byte: usize, value: u8| {
            let mut bytes = good;
            bytes[byte] = value;
            unpack_board(&bytes).unwrap_err()
        };
        assert_eq!(unpack_board(&[0; 32]), Err(Fault::Board("the number of men is not from 2 to 32")));
        assert!(matches!(spoiled(0, 0), Fault::Board(_)));
        assert!(matches!(spoiled(8, 0x77), Fault::Board(_)));
        assert!(matches!(spoiled(8, 0x55), Fault::Position(_)));
        assert!(matches!(spoiled(24, 99), Fault::Board(_)));
        assert_eq!(spoiled(30, 3), Fault::Result(3));
    }
}
