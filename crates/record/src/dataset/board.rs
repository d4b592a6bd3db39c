//! Positions from the boards of binary formats.

use chess::{Color, Piece, Position, Square, piece_placement};

use crate::packed::PackedError;

/// What a FEN holds.
pub struct FenBoard {
    pub pieces: [Option<Piece>; 64],
    pub turn: Color,
    /// The field of a FEN; empty for none.
    pub castling: String,
    pub en_passant: Option<Square>,
    pub halfmove_clock: u32,
    pub fullmove_number: u32,
}

impl FenBoard {
    pub const EMPTY: FenBoard = FenBoard {
        pieces: [None; 64],
        turn: Color::White,
        castling: String::new(),
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The position, validated by the parser of FENs.
    pub fn position(&self) -> Result<Position, PackedError> {
        let pieces = piece_placement(|square| self.pieces[square.index()]);
        let castling = if self.castling.is_empty() { "-" } else { &self.castling };
        let en_passant = self.en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
        let FenBoard { halfmove_clock, fullmove_number, .. } = self;
        let turn = self.turn.letter();
        let fen = format!("{pieces} {turn} {castling} {en_passant} {halfmove_clock} {fullmove_number}");
        let (position, repairs) = Position::from_fen_with_repairs(&fen).map_err(PackedError::Position)?;
        if repairs.castling {
            return Err(PackedError::Board("castling rights without king and rook in place"));
        }
        Ok(position)
    }
}
