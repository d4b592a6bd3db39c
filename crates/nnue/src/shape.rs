//! The network's shape and quantisation: the single definition that inference, trainer, file and tests use.
//!
//! ```text
//! 768 features per perspective and king bucket (1 or 4 buckets)
//!     -> accumulator of H units u, weights shared by both perspectives
//!
//! Head::Single:   [SCReLU of H units of the side to move, of H units of the other side] -> 1 output
//!
//! Head::Layered:  x = [u[i] * u[i + H/2], both clipped to 0..1, for i < H/2; side to move, then the other side]
//!                 y = 16 sums of x;  a = [16 y clipped to 0..1, 16 squares of y, at most 1]
//!                 z = 32 sums of a;  1 output: the sum of the squares of z, clipped to 0..1 before
//! ```
//!
//! One of 8 output buckets, by piece count, has the weights of everything behind the accumulator.
//!
//! In integers a unit's value 1.0 is [`UNIT_ONE`], its square 1.0 is [`ACTIVATION_ONE`], an output weight
//! of 1.0 is [`OUTPUT_ONE`]. Within [`FEATURE_WEIGHT_LIMIT`] and [`OUTPUT_WEIGHT_LIMIT`] nothing overflows:
//! 32 features and the bias fit into the 16 bits of a unit, and the sum of [`MAX_HIDDEN`] squares of both halves,
//! spread over 32 SIMD lanes, into 32 bits per lane. [`layered`] has the same for the layers of [`Head::Layered`].

use std::fmt;
use std::str::FromStr;

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

/// The number of hidden units of a layered network is a multiple of this.
pub const LAYERED_STEP: usize = 2 * HIDDEN_STEP;

/// Units of the first layer of [`Head::Layered`].
pub const FIRST_LAYER: usize = 16;

/// Inputs of the second layer: each unit of the first one clipped, and each squared.
pub const SECOND_INPUTS: usize = 2 * FIRST_LAYER;

/// Units of the second layer of [`Head::Layered`].
pub const SECOND_LAYER: usize = 32;

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

/// The integers of the layers of [`Head::Layered`].
pub mod layered {
    use super::{FIRST_LAYER, MAX_HIDDEN, SECOND_INPUTS, SECOND_LAYER, UNIT_ONE};

    /// The integer that stands for 1.0 in a product of two units, the inputs of the first layer: eight bits without sign.
    pub const PRODUCT_ONE: i32 = 128;

    /// A product of two units is shifted right by this much.
    pub const PRODUCT_SHIFT: u32 = (UNIT_ONE * UNIT_ONE / PRODUCT_ONE).ilog2();

    /// The integer that stands for 1.0 in a weight of the first layer.
    pub const FIRST_ONE: i32 = 64;

    /// The largest weight of the first layer: eight bits, and the sum of two products fits into 16.
    pub const FIRST_WEIGHT_MAX: i32 = 127;

    /// The integer that stands for 1.0 in a sum of the first layer, in its bias, and in what it passes on.
    pub const FIRST_SUM_ONE: i32 = PRODUCT_ONE * FIRST_ONE;

    /// The square of a sum of the first or the second layer is shifted right by this much.
    pub const SQUARE_SHIFT: u32 = FIRST_SUM_ONE.ilog2();

    /// The integer that stands for 1.0 in a weight of the second layer.
    pub const SECOND_ONE: i32 = 2048;

    /// The largest weight of the second layer.
    pub const SECOND_WEIGHT_MAX: i32 = 3 * SECOND_ONE;

    /// The integer that stands for 1.0 in a sum of the second layer, and in its bias.
    pub const SECOND_SUM_ONE: i32 = FIRST_SUM_ONE * SECOND_ONE;

    /// A sum of the second layer is shifted right by this much, so that 1.0 is as in the first layer.
    pub const SECOND_SHIFT: u32 = SECOND_ONE.ilog2();

    /// The integer that stands for 1.0 in an output weight.
    pub const OUTPUT_ONE: i32 = 2048;

    /// The largest output weight.
    pub const OUTPUT_WEIGHT_MAX: i32 = 4 * OUTPUT_ONE - 1;

    /// The integer that stands for 1.0 in an output's sum and its bias.
    pub const SUM_ONE: i32 = FIRST_SUM_ONE * OUTPUT_ONE;

    /// The largest size of a weight of the first layer.
    pub const FIRST_WEIGHT_LIMIT: f32 = FIRST_WEIGHT_MAX as f32 / FIRST_ONE as f32;

    /// The largest size of a weight of the second layer.
    pub const SECOND_WEIGHT_LIMIT: f32 = SECOND_WEIGHT_MAX as f32 / SECOND_ONE as f32;

    /// The largest size of an output weight.
    pub const OUTPUT_WEIGHT_LIMIT: f32 = OUTPUT_WEIGHT_MAX as f32 / OUTPUT_ONE as f32;

    /// The largest size of a bias of the first and the second layer.
    pub const BIAS_LIMIT: f32 = 30.0;

    /// The largest size of an output's bias.
    pub const OUTPUT_BIAS_LIMIT: f32 = 60.0;

    const _: () = {
        let one = FIRST_SUM_ONE as i64;
        assert!(PRODUCT_ONE << PRODUCT_SHIFT == UNIT_ONE * UNIT_ONE);
        assert!(one * one == one << SQUARE_SHIFT && SECOND_SUM_ONE == FIRST_SUM_ONE << SECOND_SHIFT);
        assert!(2 * PRODUCT_ONE * FIRST_WEIGHT_MAX <= i16::MAX as i32, "a sum of two products");
        let first = MAX_HIDDEN as i64 * (PRODUCT_ONE * FIRST_WEIGHT_MAX) as i64 + BIAS_LIMIT as i64 * one;
        let second =
            SECOND_INPUTS as i64 * one * SECOND_WEIGHT_MAX as i64 + BIAS_LIMIT as i64 * SECOND_SUM_ONE as i64;
        assert!(first <= i32::MAX as i64 && second <= i32::MAX as i64);
        assert!(SECOND_INPUTS == 2 * FIRST_LAYER && SECOND_WEIGHT_MAX <= i16::MAX as i32);
        assert!(OUTPUT_WEIGHT_MAX <= i16::MAX as i32 && one <= i16::MAX as i64);
        assert!(SECOND_LAYER as i64 * one * OUTPUT_WEIGHT_MAX as i64 <= i32::MAX as i64);
        assert!(OUTPUT_BIAS_LIMIT * (SUM_ONE as f32) < i32::MAX as f32);
    };
}

/// The lists of parameters of a network: weights and biases of the features, of the first, the second and the output layer.
pub const LISTS: usize = 8;

/// A list of parameters: the weights or the biases of a layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct List {
    /// What it has, in messages.
    pub name: &'static str,
    /// How many there are; 0 for a layer that the network does not have.
    pub count: usize,
    /// The largest size of a parameter. The trainer keeps them within it.
    pub limit: f32,
    /// The integer that stands for 1.0.
    pub one: i32,
}

impl List {
    /// The largest integer of a parameter.
    pub const fn max(self) -> i32 {
        (self.limit * self.one as f32) as i32
    }
}

/// What computes the value from the accumulators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Head {
    /// One layer: squared units, weighted.
    #[default]
    Single,
    /// Three layers: products of pairs of units -> 16 -> 32 -> 1.
    Layered,
}

impl Head {
    /// Both heads.
    pub const ALL: [Head; 2] = [Head::Single, Head::Layered];

    /// The name in recipes and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Head::Single => "single",
            Head::Layered => "layered",
        }
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Not the name of a head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownHead(String);

impl fmt::Display for UnknownHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown head {:?}: expected {} or {}", self.0, Head::Single, Head::Layered)
    }
}

impl std::error::Error for UnknownHead {}

impl FromStr for Head {
    type Err = UnknownHead;

    fn from_str(name: &str) -> Result<Head, UnknownHead> {
        Head::ALL.into_iter().find(|head| head.name() == name).ok_or_else(|| UnknownHead(name.to_owned()))
    }
}

/// The size of a network's layers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    hidden: usize,
    king_buckets: usize,
    head: Head,
}

/// An invalid shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeError {
    /// This many hidden units.
    Hidden(usize),
    /// This many king buckets.
    KingBuckets(usize),
    /// This many hidden units with [`Head::Layered`].
    LayeredHidden(usize),
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
            ShapeError::LayeredHidden(count) => {
                write!(
                    f,
                    "invalid hidden size {count} of a layered network: expected a multiple of {LAYERED_STEP}"
                )
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
        Ok(Shape { hidden, king_buckets: 1, head: Head::Single })
    }

    /// The same shape with this head.
    ///
    /// # Errors
    /// If the head is layered, and the number of hidden units not a multiple of [`LAYERED_STEP`].
    pub const fn with_head(self, head: Head) -> Result<Shape, ShapeError> {
        if matches!(head, Head::Layered) && !self.hidden.is_multiple_of(LAYERED_STEP) {
            return Err(ShapeError::LayeredHidden(self.hidden));
        }
        Ok(Shape { head, ..self })
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

    /// What computes the value from the accumulators.
    #[inline(always)]
    pub const fn head(self) -> Head {
        self.head
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

    /// The number of output weights. With [`Head::Single`] those of a bucket begin at `bucket * 2 * hidden`: first the
    /// units of the side to move, then those of the other side. With [`Head::Layered`] that of a unit of the second layer
    /// is at `bucket * SECOND_LAYER + unit`.
    pub const fn output_weights(self) -> usize {
        match self.head {
            Head::Single => OUTPUT_BUCKETS * 2 * self.hidden,
            Head::Layered => OUTPUT_BUCKETS * SECOND_LAYER,
        }
    }

    /// The number of weights of the first layer; 0 with [`Head::Single`]. That of an input, which are [`hidden`](Self::hidden)
    /// many, to a unit is at `(bucket * FIRST_LAYER + unit) * hidden + input`.
    pub const fn first_weights(self) -> usize {
        self.first_biases() * self.hidden
    }

    /// The number of biases of the first layer; 0 with [`Head::Single`]. That of a unit is at `bucket * FIRST_LAYER + unit`.
    pub const fn first_biases(self) -> usize {
        match self.head {
            Head::Single => 0,
            Head::Layered => OUTPUT_BUCKETS * FIRST_LAYER,
        }
    }

    /// The number of weights of the second layer; 0 with [`Head::Single`]. That of an input, of which there are
    /// [`SECOND_INPUTS`], to a unit is at `(bucket * SECOND_LAYER + unit) * SECOND_INPUTS + input`.
    pub const fn second_weights(self) -> usize {
        self.second_biases() * SECOND_INPUTS
    }

    /// The number of biases of the second layer; 0 with [`Head::Single`]. That of a unit is at `bucket * SECOND_LAYER + unit`.
    pub const fn second_biases(self) -> usize {
        match self.head {
            Head::Single => 0,
            Head::Layered => OUTPUT_BUCKETS * SECOND_LAYER,
        }
    }

    /// All parameters, in their order in files of floating-point numbers: weights and biases of the features, of the first
    /// layer, of the second layer and of the output.
    pub const fn lists(self) -> [List; LISTS] {
        let (output, sum, output_limit, bias_limit) = match self.head {
            Head::Single => (OUTPUT_ONE, SUM_ONE, OUTPUT_WEIGHT_LIMIT, OUTPUT_BIAS_LIMIT),
            Head::Layered => (
                layered::OUTPUT_ONE,
                layered::SUM_ONE,
                layered::OUTPUT_WEIGHT_LIMIT,
                layered::OUTPUT_BIAS_LIMIT,
            ),
        };
        [
            List {
                name: "feature weight",
                count: self.feature_weights(),
                limit: FEATURE_WEIGHT_LIMIT,
                one: UNIT_ONE,
            },
            List { name: "feature bias", count: self.hidden, limit: FEATURE_WEIGHT_LIMIT, one: UNIT_ONE },
            List {
                name: "weight of the first layer",
                count: self.first_weights(),
                limit: layered::FIRST_WEIGHT_LIMIT,
                one: layered::FIRST_ONE,
            },
            List {
                name: "bias of the first layer",
                count: self.first_biases(),
                limit: layered::BIAS_LIMIT,
                one: layered::FIRST_SUM_ONE,
            },
            List {
                name: "weight of the second layer",
                count: self.second_weights(),
                limit: layered::SECOND_WEIGHT_LIMIT,
                one: layered::SECOND_ONE,
            },
            List {
                name: "bias of the second layer",
                count: self.second_biases(),
                limit: layered::BIAS_LIMIT,
                one: layered::SECOND_SUM_ONE,
            },
            List { name: "output weight", count: self.output_weights(), limit: output_limit, one: output },
            List { name: "output bias", count: OUTPUT_BUCKETS, limit: bias_limit, one: sum },
        ]
    }

    /// The view of a perspective with its king on this square.
    #[inline(always)]
    pub const fn view(self, perspective: Color, king: Square) -> KingView {
        let mirrored = king.file().index() >= File::E.index();
        let king_bucket = if self.king_buckets == 1 { 0 } else { king_bucket(perspective, king) };
        KingView { king_bucket, mirrored }
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
        match self.head {
            Head::Single => write!(f, " -> {}) x 2 -> 1 x {OUTPUT_BUCKETS}", self.hidden),
            Head::Layered => write!(
                f,
                " -> {} -> {} products) x 2 -> ({FIRST_LAYER} x 2 -> {SECOND_LAYER} -> 1) x {OUTPUT_BUCKETS}",
                self.hidden,
                self.hidden / 2
            ),
        }
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
pub struct KingView {
    king_bucket: u8,
    mirrored: bool,
}

impl KingView {
    /// The maximum number of views of a shape.
    pub(crate) const COUNT: usize = 2 * KING_BUCKETS[1];

    /// A number below [`KingView::COUNT`].
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

    const PLAIN: Shape = Shape { hidden: 64, king_buckets: 1, head: Head::Single };
    const BY_KING: Shape = Shape { hidden: 64, king_buckets: 4, head: Head::Single };

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
        assert_eq!(PLAIN.with_head(Head::Layered), Err(ShapeError::LayeredHidden(64)));
        let layered = Shape::new(LAYERED_STEP).unwrap().with_head(Head::Layered).unwrap();
        assert_eq!(layered.with_king_buckets(4).unwrap().head(), Head::Layered);
        assert_eq!(layered.with_head(Head::Single), Shape::new(LAYERED_STEP));
    }

    #[test]
    fn lists_have_the_lengths_of_the_layers() {
        let counts = |shape: Shape| shape.lists().map(|list| list.count);
        assert_eq!(counts(BY_KING), [4 * 768 * 64, 64, 0, 0, 0, 0, 8 * 2 * 64, 8]);
        let layered = Shape::new(1024).unwrap().with_head(Head::Layered).unwrap();
        let expected = [768 * 1024, 1024, 8 * 16 * 1024, 8 * 16, 8 * 32 * 32, 8 * 32, 8 * 32, 8];
        assert_eq!(counts(layered), expected);
        for list in [PLAIN, layered].into_iter().flat_map(Shape::lists) {
            let exact = f64::from(list.limit) * f64::from(list.one);
            assert!((exact - f64::from(list.max())).abs() < 1e-9, "{list:?}");
        }
    }

    #[test]
    fn heads_have_names() {
        for head in Head::ALL {
            assert_eq!(head.to_string().parse(), Ok(head));
        }
        let message = "deep".parse::<Head>().unwrap_err().to_string();
        assert_eq!(message, "unknown head \"deep\": expected single or layered");
        let layered = Shape::new(1024).unwrap().with_head(Head::Layered).unwrap();
        assert_eq!(PLAIN.to_string(), "(768 mirrored -> 64) x 2 -> 1 x 8");
        let text = "(768 mirrored -> 1024 -> 512 products) x 2 -> (16 x 2 -> 32 -> 1) x 8";
        assert_eq!(layered.to_string(), text);
    }
}
