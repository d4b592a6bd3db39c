//! Files, ranks and squares.

use crate::Color;
use std::fmt;
use std::str::FromStr;

macro_rules! line_of_the_board {
    ($(#[$doc:meta])* $name:ident, $first:literal, $($variant:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum $name {
            $($variant),*
        }

        impl $name {
            /// All eight, in order.
            pub const ALL: [$name; 8] = [$($name::$variant),*];

            /// From 0 to 7.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The one with this index; only the lowest three bits count.
            #[inline(always)]
            pub const fn new(index: usize) -> $name {
                // A match instead of a lookup in ALL, so that the compiler sees the identity.
                match index & 7 {
                    $(index if index == $name::$variant as usize => $name::$variant,)*
                    _ => unreachable!(),
                }
            }

            /// Its character in algebraic notation.
            pub const fn letter(self) -> char {
                ($first + self as u8) as char
            }

            /// The one with this character.
            pub const fn from_letter(letter: char) -> Option<$name> {
                let code = letter as u32;
                if code >= $first as u32 && code < $first as u32 + 8 {
                    Some($name::new((code - $first as u32) as usize))
                } else {
                    None
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.letter())
            }
        }
    };
}

line_of_the_board!(
    /// A file, from a to h.
    File, b'a', A B C D E F G H);
line_of_the_board!(
    /// A rank, from 1 to 8.
    Rank, b'1', First Second Third Fourth Fifth Sixth Seventh Eighth);

/// A square. Its index counts files first: a1 is 0, b1 is 1, h8 is 63.
///
/// ```
/// use chess::{Color, File, Rank, Square};
/// let square: Square = "e4".parse()?;
/// assert_eq!(square, Square::new(File::E, Rank::Fourth));
/// assert_eq!(square.forward(Color::Black), Some(Square::E3));
/// assert_eq!(square.relative_to(Color::Black), Square::E5);
/// # Ok::<(), chess::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

macro_rules! squares {
    ($($name:ident)*) => {
        /// The squares by name.
        #[allow(missing_docs)]
        impl Square {
            squares!(@ 0, $($name)*);
        }
    };
    (@ $index:expr, $name:ident $($rest:ident)*) => {
        pub const $name: Square = Square($index);
        squares!(@ $index + 1, $($rest)*);
    };
    (@ $index:expr,) => {};
}

squares! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 64;

    /// The square on this file and rank.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square((rank as u8) << 3 | file as u8)
    }

    /// The square with this index; only the lowest six bits count.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Square {
        Square(index as u8 & 63)
    }

    /// From 0 (a1) to 63 (h8).
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask lets the compiler drop bounds checks of table lookups.
        (self.0 & 63) as usize
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square::from_index)
    }

    /// Its file.
    #[inline(always)]
    pub const fn file(self) -> File {
        File::new(self.0 as usize)
    }

    /// Its rank.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank::new(self.0 as usize >> 3)
    }

    /// The square `offset` indices away, which must be on the board.
    #[inline(always)]
    pub(crate) const fn step(self, offset: i32) -> Square {
        Square((self.0 as i32 + offset) as u8 & 63)
    }

    /// The square one rank further in the direction of this colour's pawns, if there is one.
    pub const fn forward(self, color: Color) -> Option<Square> {
        match color {
            Color::White if self.0 < 56 => Some(Square(self.0 + 8)),
            Color::Black if self.0 >= 8 => Some(Square(self.0 - 8)),
            _ => None,
        }
    }

    /// The same square seen from the other side of the board: e2 becomes e7.
    #[inline(always)]
    #[must_use]
    pub const fn flip_rank(self) -> Square {
        Square(self.0 ^ 0o70)
    }

    /// The square mirrored left to right: e2 becomes d2.
    #[inline(always)]
    #[must_use]
    pub const fn flip_file(self) -> Square {
        Square(self.0 ^ 0o07)
    }

    /// The square as this colour sees it: itself for White, the other end of its file for Black.
    #[inline(always)]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Square {
        Square(self.0 ^ (0o70 * color as u8))
    }

    /// King steps between two squares.
    pub const fn distance(self, other: Square) -> u32 {
        let files = (self.0 & 7).abs_diff(other.0 & 7);
        let ranks = (self.0 >> 3).abs_diff(other.0 >> 3);
        if files > ranks { files as u32 } else { ranks as u32 }
    }
}

/// The text is not a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid square: expected a-h and 1-8")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let mut letters = text.chars();
        let file = letters.next().and_then(File::from_letter).ok_or(ParseSquareError)?;
        let rank = letters.next().and_then(Rank::from_letter).ok_or(ParseSquareError)?;
        if letters.next().is_some() { Err(ParseSquareError) } else { Ok(Square::new(file, rank)) }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
