//! Castling rights for standard chess, Chess960 and double Chess960: which rook may still castle.

use crate::{Bitboard, Color, File, Rank, Square};

/// Towards the h-file or towards the a-file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// The king goes to the g-file, the rook to the f-file.
    Short = 0,
    /// The king goes to the c-file, the rook to the d-file.
    Long = 1,
}

impl CastlingSide {
    /// Both, short first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::Short, CastlingSide::Long];

    /// The side on which a king castles with this rook.
    #[inline(always)]
    pub fn of(king: Square, rook: Square) -> CastlingSide {
        if rook > king { CastlingSide::Short } else { CastlingSide::Long }
    }

    /// The other side.
    pub(crate) const fn opposite(self) -> CastlingSide {
        match self {
            CastlingSide::Short => CastlingSide::Long,
            CastlingSide::Long => CastlingSide::Short,
        }
    }

    /// The king's target file.
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::Short => File::G,
            CastlingSide::Long => File::C,
        };
        Square::new(file, back_rank(color))
    }

    /// The rook's target file.
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::Short => File::F,
            CastlingSide::Long => File::D,
        };
        Square::new(file, back_rank(color))
    }
}

/// The back rank of this colour.
pub const fn back_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::First,
        Color::Black => Rank::Eighth,
    }
}

/// The rooks that may still castle. The king's own square is known to the position.
///
/// ```
/// use chess::{CastlingSide, Color, Position, Square};
/// let position = Position::from_fen("1r2k1r1/8/8/8/8/8/8/R3K2R w KQg - 0 1")?;
/// let rights = position.castling();
/// assert_eq!(rights.rook(Color::White, CastlingSide::Short), Some(Square::H1));
/// assert_eq!(rights.rook(Color::Black, CastlingSide::Short), Some(Square::G8));
/// assert_eq!(rights.rook(Color::Black, CastlingSide::Long), None);
/// # Ok::<(), chess::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    /// By side, both colours in one set: White's rooks stand on the first rank, Black's on the eighth.
    rooks: [Bitboard; 2],
}

impl CastlingRights {
    /// No castling rights.
    pub const NONE: CastlingRights = CastlingRights { rooks: [Bitboard::EMPTY; 2] };

    /// The square of the rook that this side may still castle with.
    #[inline(always)]
    pub fn rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        (self.rooks[side as usize] & Bitboard::rank(back_rank(color))).first()
    }

    /// Adds or removes a right.
    pub fn set(&mut self, color: Color, side: CastlingSide, rook: Option<File>) {
        let rank = back_rank(color);
        let rooks = rook.map_or(Bitboard::EMPTY, |file| Bitboard::of(Square::new(file, rank)));
        let others = self.rooks[side as usize] & !Bitboard::rank(rank);
        self.rooks[side as usize] = others | rooks;
    }

    /// Whether this colour may still castle on either side.
    #[inline(always)]
    pub fn any(&self, color: Color) -> bool {
        (self.rook_squares() & Bitboard::rank(back_rank(color))).any()
    }

    /// Whether there are no castling rights.
    pub fn is_empty(&self) -> bool {
        self.rook_squares().is_empty()
    }

    /// The squares of all rooks that may castle.
    #[inline(always)]
    pub(crate) fn rook_squares(&self) -> Bitboard {
        self.rooks[0] | self.rooks[1]
    }

    /// The rights after a move, and those that it ends: those of rooks on the squares that it touched, and
    /// all rights of a king that moved.
    #[inline(always)]
    pub(crate) fn split(
        self,
        us: Color,
        touched: Bitboard,
        king_moved: bool,
    ) -> (CastlingRights, CastlingRights) {
        let home = if king_moved { Bitboard::rank(back_rank(us)) } else { Bitboard::EMPTY };
        let rooks_on = |squares| CastlingRights { rooks: self.rooks.map(|rooks| rooks & squares) };
        (rooks_on(!(touched | home)), rooks_on(touched | home))
    }
}
