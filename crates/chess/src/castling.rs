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

    /// Where the king ends.
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::Short => File::G,
            CastlingSide::Long => File::C,
        };
        Square::new(file, back_rank(color))
    }

    /// Where the rook ends.
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::Short => File::F,
            CastlingSide::Long => File::D,
        };
        Square::new(file, back_rank(color))
    }
}

/// The rank on which this colour's king begins.
pub const fn back_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::First,
        Color::Black => Rank::Eighth,
    }
}

/// The file of each rook that may still castle. The king's own square is known to the position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    rooks: [[Option<File>; 2]; 2],
}

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: CastlingRights = CastlingRights { rooks: [[None; 2]; 2] };

    /// The square of the rook that this side may still castle with.
    #[inline(always)]
    pub const fn rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        match self.rooks[color as usize][side as usize] {
            Some(file) => Some(Square::new(file, back_rank(color))),
            None => None,
        }
    }

    /// Grants or takes a right.
    pub const fn set(&mut self, color: Color, side: CastlingSide, rook: Option<File>) {
        self.rooks[color as usize][side as usize] = rook;
    }

    /// Whether this colour may still castle to one side at least.
    #[inline(always)]
    pub const fn any(&self, color: Color) -> bool {
        self.rooks[color as usize][0].is_some() || self.rooks[color as usize][1].is_some()
    }

    /// True when nobody may castle.
    pub const fn is_empty(&self) -> bool {
        !self.any(Color::White) && !self.any(Color::Black)
    }

    /// Takes both rights of a colour.
    pub(crate) const fn lose_all(&mut self, color: Color) {
        self.rooks[color as usize] = [None; 2];
    }

    /// Takes the right that depends on a rook on this square, and tells whether there was one.
    pub(crate) fn lose_rook(&mut self, color: Color, square: Square) -> bool {
        let side = CastlingSide::ALL.into_iter().find(|&side| self.rook(color, side) == Some(square));
        if let Some(side) = side {
            self.set(color, side, None);
        }
        side.is_some()
    }

    /// The squares of all rooks that may castle.
    pub(crate) fn rook_squares(self) -> Bitboard {
        Color::ALL
            .into_iter()
            .flat_map(|color| CastlingSide::ALL.into_iter().filter_map(move |side| self.rook(color, side)))
            .collect()
    }

    /// The rights as a number below 16, for the hash key: one bit each.
    pub(crate) const fn bits(self) -> usize {
        self.rooks[0][0].is_some() as usize
            | (self.rooks[0][1].is_some() as usize) << 1
            | (self.rooks[1][0].is_some() as usize) << 2
            | (self.rooks[1][1].is_some() as usize) << 3
    }
}
