//! The network's shape and quantisation: the single definition that inference, trainer, file and tests use.
//!
//! ```text
//! 768 features per perspective and king bucket (1 or 4 buckets)
//!     -> accumulator of H units, weights shared by both perspectives -> SCReLU
//! [H of the side to move, H of the other side] -> 1 output, from one of 8 output buckets by piece count
//! ```
//!
//! In integers a unit's value 1.0 is [`UNIT_ONE`], its square 1.0 is [`ACTIVATION_ONE`], an output weight
//! of 1.0 is [`OUTPUT_ONE`]. Within [`FEATURE_WEIGHT_LIMIT`] and [`OUTPUT_WEIGHT_LIMIT`] nothing overflows:
//! 32 features and the bias fit into the 16 bits of a unit, and the sum of [`MAX_HIDDEN`] squares of both halves,
//! spread over 32 SIMD lanes, into 32 bits per lane.

use std::fmt;

use chess::{Bitboard, Color, File, Piece, Position, Square};

/// Features of one perspective and king bucket: own or enemy, six roles, 64 squares.
pub const PIECE_SQUARES: usize = 2 * 6 * Square::COUNT;

/// The numbers of king buckets that a network may have.
pub const KING_BUCKETS: [usize; 2] = [1, 4];

/// Output buckets.
pub const OUTPUT_BUCKETS: usize = 8;

/// The number of hidden units is a multiple of this.
pub const HIDDEN_STEP: usize = 64;

/// The most hidden units a network may have.
pub const MAX_HIDDEN: usize = 2048;

/// The integer that stands for 1.0 in a hidden unit, where its value is clipped.
pub const UNIT_ONE: i32 = 512;

/// A clipped unit is shifted left by this much, squared, and the upper 16 bits are kept.
pub const SQUARE_SHIFT: u32 = 6;

/// The integer that stands for 1.0 after squaring.
pub const ACTIVATION_ONE: i32 = ((UNIT_ONE as i64) << SQUARE_SHIFT).pow(2).wrapping_shr(16) as i32;

/// The integer that stands for 1.0 in an output weight.
pub const OUTPUT_ONE: i32 = 512;

/// The integer that stands for 1.0 in an output's sum and its bias.
pub const SUM_ONE: i32 = ACTIVATION_ONE * OUTPUT_ONE;

/// Centipawns of an output of 1.0. A trained output is the logit of the expected score, so a position of
/// this value is won with a probability of 73 %.
pub const SCALE: i32 = 400;

/// The largest integer of a feature weight or a unit's bias: 32 of one and one of the other fit into `i16`.
pub const FEATURE_WEIGHT_MAX: i16 = (i16::MAX as i32 / 33) as i16;

/// The largest integer of an output weight.
pub const OUTPUT_WEIGHT_MAX: i16 = 1016;

/// The largest size of a feature weight or a unit's bias. The trainer keeps weights within it.
pub const FEATURE_WEIGHT_LIMIT: f32 = FEATURE_WEIGHT_MAX as f32 / UNIT_ONE as f32;

/// The largest size of an output weight. The trainer keeps weights within it.
pub const OUTPUT_WEIGHT_LIMIT: f32 = OUTPUT_WEIGHT_MAX as f32 / OUTPUT_ONE as f32;

/// The largest size of an output's bias.
pub const OUTPUT_BIAS_LIMIT: f32 = 100.0;

const _: () = {
    assert!(FEATURE_WEIGHT_MAX as i32 * 33 <= i16::MAX as i32);
    let terms_in_a_lane = 2 * MAX_HIDDEN as i64 / 32;
    assert!(terms_in_a_lane * ACTIVATION_ONE as i64 * OUTPUT_WEIGHT_MAX as i64 <= i32::MAX as i64);
    assert!(UNIT_ONE << SQUARE_SHIFT <= 1 << 15, "the square's upper half is a positive i16");
    assert!(OUTPUT_BIAS_LIMIT * (SUM_ONE as f32) < i32::MAX as f32);
};

/// The size of a network's layers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    hidden: usize,
    king_buckets: usize,
}

/// An invalid shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeError {
    /// This many hidden units.
    Hidden(usize),
    /// This many king buckets.
    KingBuckets(usize),
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::Hidden(count) => {
                write!(
                    f,
                    "invalid hidden size {count}: expected a multiple of {HIDDEN_STEP} up to {MAX_HIDDEN}"
                )
            }
            ShapeError::KingBuckets(count) => {
                let [one, many] = KING_BUCKETS;
                write!(f, "invalid number of king buckets {count}: expected {one} or {many}")
            }
        }
    }
}

impl std::error::Error for ShapeError {}

impl Shape {
    /// The shape with this many hidden units and one king bucket.
    ///
    /// # Errors
    /// If it is not a multiple of [`HIDDEN_STEP`] between that and [`MAX_HIDDEN`].
    pub const fn new(hidden: usize) -> Result<Shape, ShapeError> {
        if hidden == 0 || !hidden.is_multiple_of(HIDDEN_STEP) || hidden > MAX_HIDDEN {
            return Err(ShapeError::Hidden(hidden));
        }
        Ok(Shape { hidden, king_buckets: 1 })
    }

    /// The same shape with this many king buckets.
    ///
    /// # Errors
    /// If it is none of [`KING_BUCKETS`].
    pub const fn with_king_buckets(self, king_buckets: usize) -> Result<Shape, ShapeError> {
        let [one, many] = KING_BUCKETS;
        if king_buckets != one && king_buckets != many {
            return Err(ShapeError::KingBuckets(king_buckets));
        }
        Ok(Shape { king_buckets, ..self })
    }

    /// Hidden units of one perspective.
    #[inline(always)]
    pub const fn hidden(self) -> usize {
        self.hidden
    }

    /// King buckets.
    #[inline(always)]
    pub const fn king_buckets(self) -> usize {
        self.king_buckets
    }

    /// Features of one perspective.
    #[inline(always)]
    pub const fn features(self) -> usize {
        self.king_buckets * PIECE_SQUARES
    }

    /// The number of feature weights. The weight of `feature` to `unit` is at `feature * hidden + unit`.
    pub const fn feature_weights(self) -> usize {
        self.features() * self.hidden
    }

    /// The number of output weights. Those of a bucket begin at `bucket * 2 * hidden`: first the units
    /// of the side to move, then those of the other side.
    pub const fn output_weights(self) -> usize {
        OUTPUT_BUCKETS * 2 * self.hidden
    }

    /// The view of a perspective with its king on this square.
    #[inline(always)]
    pub const fn view(self, perspective: Color, king: Square) -> View {
        let mirrored = king.file().index() >= File::E.index();
        let king_bucket = if self.king_buckets == 1 { 0 } else { king_bucket(perspective, king) };
        View { king_bucket, mirrored }
    }

    /// The active features of a position for one perspective, in the order of the squares from a1 to h8.
    pub fn active(self, position: &Position, perspective: Color) -> impl Iterator<Item = usize> {
        self.active_of(position, position.occupied(), perspective)
    }

    /// The active features of some of a position's pieces.
    pub(crate) fn active_of(
        self,
        position: &Position,
        pieces: Bitboard,
        perspective: Color,
    ) -> impl Iterator<Item = usize> {
        let view = self.view(perspective, position.king(perspective));
        pieces
            .into_iter()
            .filter_map(move |square| Some(view.feature(perspective, position.piece_at(square)?, square)))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({PIECE_SQUARES} mirrored")?;
        if self.king_buckets > 1 {
            write!(f, " x {} by king", self.king_buckets)?;
        }
        write!(f, " -> {}) x 2 -> 1 x {OUTPUT_BUCKETS}", self.hidden)
    }
}

/// The bucket of a king: back rank, back rank on the d- or e-file, second rank, or further up, from its own side's view.
const fn king_bucket(perspective: Color, king: Square) -> u8 {
    let king = king.relative_to(perspective);
    let is_central = matches!(king.file(), File::D | File::E);
    match king.rank().index() {
        0 => is_central as u8,
        1 => 2,
        _ => 3,
    }
}

/// How a perspective sees the board: its king bucket, and whether files are mirrored, so that its king is always on files a to
/// d. While the view stays the same, a move changes only the features of the pieces that move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    king_bucket: u8,
    mirrored: bool,
}

impl View {
    /// The maximum number of views of a shape.
    pub(crate) const COUNT: usize = 2 * KING_BUCKETS[1];

    /// A number below [`View::COUNT`].
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.king_bucket as usize * 2 + self.mirrored as usize
    }

    /// The index of the feature of a piece on a square.
    ///
    /// Features are ordered by king bucket, own pieces before the enemy's, then roles from pawn to king, then squares from a1 to h8 as
    /// that colour counts ranks, with the files mirrored if the king stands on the files e to h.
    #[inline(always)]
    pub const fn feature(self, perspective: Color, piece: Piece, square: Square) -> usize {
        let square = square.relative_to(perspective);
        let square = if self.mirrored { square.flip_file() } else { square };
        let enemy = piece.color() as usize ^ perspective as usize;
        let kind = self.king_bucket as usize * 12 + enemy * 6 + piece.role().index();
        kind * Square::COUNT + square.index()
    }
}

/// The output bucket of a position with this many pieces.
#[inline(always)]
pub const fn output_bucket(pieces: u32) -> usize {
    let bucket = pieces.saturating_sub(2) as usize / (32 / OUTPUT_BUCKETS);
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Role;

    const PLAIN: Shape = Shape { hidden: 64, king_buckets: 1 };
    const BY_KING: Shape = Shape { hidden: 64, king_buckets: 4 };

    fn feature(shape: Shape, king: Square, piece: Piece, square: Square) -> usize {
        shape.view(Color::White, king).feature(Color::White, piece, square)
    }

    #[test]
    fn first_and_last_feature_index() {
        let own_pawn = Piece::new(Color::White, Role::Pawn);
        let enemy_king = Piece::new(Color::Black, Role::King);
        for shape in [PLAIN, BY_KING] {
            assert_eq!(feature(shape, Square::A1, own_pawn, Square::A1), 0);
            assert_eq!(feature(shape, Square::A1, own_pawn, Square::E4), 28);
        }
        assert_eq!(feature(PLAIN, Square::A8, enemy_king, Square::H8), PLAIN.features() - 1);
        assert_eq!(feature(BY_KING, Square::A8, enemy_king, Square::H8), BY_KING.features() - 1);
    }

    #[test]
    fn king_on_the_right_half_mirrors_files() {
        let rook = Piece::new(Color::White, Role::Rook);
        for shape in [PLAIN, BY_KING] {
            let left = feature(shape, Square::D1, rook, Square::A1);
            assert_eq!(feature(shape, Square::E1, rook, Square::H1), left);
            assert_ne!(feature(shape, Square::E1, rook, Square::A1), left);
        }
    }

    #[test]
    fn king_buckets_of_both_sides() {
        for (king, bucket) in [
            (Square::A1, 0),
            (Square::C1, 0),
            (Square::D1, 1),
            (Square::E1, 1),
            (Square::F1, 0),
            (Square::E2, 2),
            (Square::H2, 2),
            (Square::E3, 3),
            (Square::G8, 3),
        ] {
            assert_eq!(king_bucket(Color::White, king), bucket, "{king}");
            assert_eq!(king_bucket(Color::Black, king.flip_rank()), bucket, "{king} of Black");
            assert_eq!(PLAIN.view(Color::White, king).king_bucket, 0);
        }
    }

    #[test]
    fn black_view_equals_mirrored_white_view() {
        let position =
            Position::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        let position = position.unwrap();
        let mirrored = position.color_mirrored();
        for shape in [PLAIN, BY_KING] {
            let sorted = |position: &Position, color| {
                let mut features: Vec<usize> = shape.active(position, color).collect();
                features.sort_unstable();
                features
            };
            assert_eq!(sorted(&position, Color::White), sorted(&mirrored, Color::Black));
            assert_eq!(sorted(&position, Color::Black), sorted(&mirrored, Color::White));
            assert_eq!(sorted(&position, Color::White).len(), 32);
        }
    }

    #[test]
    fn four_pieces_per_output_bucket() {
        assert_eq!(output_bucket(2), 0);
        assert_eq!(output_bucket(5), 0);
        assert_eq!(output_bucket(6), 1);
        assert_eq!(output_bucket(29), 6);
        assert_eq!(output_bucket(30), 7);
        assert_eq!(output_bucket(32), 7);
    }

    #[test]
    fn invalid_shapes_are_rejected() {
        for hidden in [0, 1, 63, 100, MAX_HIDDEN + HIDDEN_STEP] {
            assert_eq!(Shape::new(hidden), Err(ShapeError::Hidden(hidden)));
        }
        assert!(Shape::new(MAX_HIDDEN).is_ok());
        for count in [0, 2, 3, 5] {
            assert_eq!(PLAIN.with_king_buckets(count), Err(ShapeError::KingBuckets(count)));
        }
        assert_eq!(PLAIN.with_king_buckets(4), Ok(BY_KING));
    }
}
