//! A set of squares in 64 bits.

use crate::{Color, File, Rank, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares; bit `n` stands for the square with index `n`.
///
/// ```
/// use chess::{Bitboard, Square};
/// let corners = Bitboard::from(Square::A1) | Bitboard::from(Square::H8);
/// assert_eq!(corners.count(), 2);
/// assert_eq!(corners.into_iter().collect::<Vec<_>>(), [Square::A1, Square::H8]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The light squares; h1 is one of them.
    pub const LIGHT: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);
    /// The dark squares; a1 is one of them.
    pub const DARK: Bitboard = Bitboard(!Bitboard::LIGHT.0);
    /// The first and the last rank.
    pub const BACK_RANKS: Bitboard = Bitboard(0xFF00_0000_0000_00FF);

    const NOT_FILE_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_FILE_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;

    /// The set of one square.
    #[inline(always)]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// The eight squares of a file.
    #[inline(always)]
    pub const fn file(file: File) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file.index())
    }

    /// The eight squares of a rank.
    #[inline(always)]
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard(0xFF << (8 * rank.index()))
    }

    /// The eight squares of a rank, counted from this colour's side.
    #[inline(always)]
    pub const fn relative_rank(rank: Rank, color: Color) -> Bitboard {
        Bitboard(0xFF << (8 * (rank.index() ^ (7 * color.index()))))
    }

    /// True for the empty set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True for a set of at least one square.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// True for a set of at least two squares.
    #[inline(always)]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The number of squares in the set.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the square belongs to the set.
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The square with the lowest index, if there is one.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as usize)) }
    }

    /// The square with the highest index, if there is one.
    #[inline(always)]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(63 - self.0.leading_zeros() as usize)) }
    }

    /// The first square in this colour's orientation, if there is one: the same choice for both colours on
    /// mirrored boards.
    #[inline(always)]
    pub const fn first_for(self, color: Color) -> Option<Square> {
        match (color, self.flip_ranks().first()) {
            (Color::White, _) => self.first(),
            (Color::Black, Some(square)) => Some(square.flip_rank()),
            (Color::Black, None) => None,
        }
    }

    /// The square with the lowest index of a set that is known not to be empty (a1 otherwise).
    #[inline(always)]
    pub(crate) const fn first_of_some(self) -> Square {
        Square::from_index(self.0.trailing_zeros() as usize)
    }

    /// This set without one square.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, square: Square) -> Bitboard {
        Bitboard(self.0 & !(1 << square.index()))
    }

    /// This set with one more square.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square.index())
    }

    /// Every square one rank further towards the eighth.
    #[inline(always)]
    #[must_use]
    pub const fn north(self) -> Bitboard {
        Bitboard(self.0 << 8)
    }

    /// Every square one rank further towards the first.
    #[inline(always)]
    #[must_use]
    pub const fn south(self) -> Bitboard {
        Bitboard(self.0 >> 8)
    }

    /// Every square one file further towards the h-file; none wraps around.
    #[inline(always)]
    #[must_use]
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & Bitboard::NOT_FILE_H) << 1)
    }

    /// Every square one file further towards the a-file; none wraps around.
    #[inline(always)]
    #[must_use]
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & Bitboard::NOT_FILE_A) >> 1)
    }

    /// Every square one rank further in the direction of this colour's pawns.
    #[inline(always)]
    #[must_use]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => self.north(),
            Color::Black => self.south(),
        }
    }

    /// The set seen from the other side of the board.
    #[inline(always)]
    #[must_use]
    pub const fn flip_ranks(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// All files that contain a square of the set.
    #[must_use]
    pub const fn whole_files(self) -> Bitboard {
        let mut fill = self.0;
        // Rotations: a square shifted off one end of its file comes back at the other.
        fill |= fill.rotate_left(8);
        fill |= fill.rotate_left(16);
        fill |= fill.rotate_left(32);
        Bitboard(fill)
    }

    /// The squares in front of the set, in the direction of this colour's pawns, without the set itself.
    #[must_use]
    pub const fn forward_fill(self, color: Color) -> Bitboard {
        let mut fill = self.0;
        match color {
            Color::White => {
                fill |= fill << 8;
                fill |= fill << 16;
                fill |= fill << 32;
                Bitboard(fill << 8)
            }
            Color::Black => {
                fill |= fill >> 8;
                fill |= fill >> 16;
                fill |= fill >> 32;
                Bitboard(fill >> 8)
            }
        }
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Bitboard {
        Bitboard::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

/// The squares of a [`Bitboard`], from a1 to h8.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl ExactSizeIterator for Squares {
    fn len(&self) -> usize {
        self.0.count_ones() as usize
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

macro_rules! set_operation {
    ($operation:ident, $function:ident, $assign:ident, $assign_function:ident) => {
        impl $operation for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $function(self, other: Bitboard) -> Bitboard {
                Bitboard(u64::$function(self.0, other.0))
            }
        }

        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_function(&mut self, other: Bitboard) {
                u64::$assign_function(&mut self.0, other.0);
            }
        }
    };
}

set_operation!(BitAnd, bitand, BitAndAssign, bitand_assign);
set_operation!(BitOr, bitor, BitOrAssign, bitor_assign);
set_operation!(BitXor, bitxor, BitXorAssign, bitxor_assign);

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    /// Eight rows of `X` and `.`, the eighth rank first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f)?;
            for file in File::ALL {
                f.write_str(if self.has(Square::new(file, rank)) { " X" } else { " ." })?;
            }
        }
        Ok(())
    }
}
