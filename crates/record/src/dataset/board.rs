//! Positions from the boards of binary formats.

use chess::{Color, File, Piece, Position, Rank, Square};

use crate::packed::PackedError;

/// What a FEN holds.
pub struct Board {
    pub pieces: [Option<Piece>; 64],
    pub turn: Color,
    /// The field of a FEN; empty for none.
    pub castling: String,
    pub en_passant: Option<Square>,
    pub halfmove_clock: u32,
    pub fullmove_number: u32,
}

impl Board {
    pub const EMPTY: Board = Board {
        pieces: [None; 64],
        turn: Color::White,
        castling: String::new(),
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The position, validated by the parser of FENs.
    pub fn position(&self) -> Result<Position, PackedError> {
        let mut fen = String::with_capacity(96);
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                let Some(piece) = self.pieces[Square::new(file, rank).index()] else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    fen += &empty.to_string();
                    empty = 0;
                }
                fen.push(piece.letter());
            }
            if empty > 0 {
                fen += &empty.to_string();
            }
            fen.push(if rank == Rank::First { ' ' } else { '/' });
        }
        let castling = if self.castling.is_empty() { "-" } else { &self.castling };
        let en_passant = self.en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
        let Board { halfmove_clock, fullmove_number, .. } = self;
        let tail =
            format!("{} {castling} {en_passant} {halfmove_clock} {fullmove_number}", self.turn.letter());
        fen += &tail;
        let (position, repairs) = Position::from_fen_with_repairs(&fen).map_err(PackedError::Position)?;
        if repairs.castling {
            return Err(PackedError::Board("castling rights without king and rook in place"));
        }
        Ok(position)
    }
}
