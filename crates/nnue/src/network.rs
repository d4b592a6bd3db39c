//! The quantised network.

use chess::{Bitboard, Color, Position, Role, Square};

use crate::float::FloatNetwork;
use crate::shape::{
    HIDDEN_STEP, OUTPUT_BUCKETS, OUTPUT_ONE, SCALE, SQUARE_SHIFT, SUM_ONE, Shape, UNIT_ONE, output_bucket,
};

/// Numbers in a [`Row`].
pub(crate) const ROW: usize = 32;

/// A cache line of 16-bit numbers, aligned for vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Row(pub [i16; ROW]);

const _: () = assert!(HIDDEN_STEP.is_multiple_of(ROW) && size_of::<Row>() == 64);

impl Row {
    pub const ZERO: Row = Row([0; ROW]);

    /// Numbers in their order; the last row is filled with zeros.
    pub fn pack(numbers: impl Iterator<Item = i16>) -> Box<[Row]> {
        let mut rows = Vec::with_capacity(numbers.size_hint().0.div_ceil(ROW));
        for (index, number) in numbers.enumerate() {
            if index % ROW == 0 {
                rows.push(Row::ZERO);
            }
            rows[index / ROW].0[index % ROW] = number;
        }
        rows.into_boxed_slice()
    }

    /// The numbers of rows in their order.
    pub fn unpack(rows: &[Row]) -> impl Iterator<Item = i16> {
        rows.iter().flat_map(|row| row.0)
    }
}

/// A quantised network. [`Shape`] defines the order of the weights.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    pub(crate) shape: Shape,
    pub(crate) feature_weights: Box<[Row]>,
    pub(crate) feature_bias: Box<[Row]>,
    pub(crate) output_weights: Box<[Row]>,
    pub(crate) output_bias: [i32; OUTPUT_BUCKETS],
}

impl Network {
    /// The shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The weights of one feature to all units.
    #[inline(always)]
    pub(crate) fn feature_rows(&self, feature: usize) -> &[Row] {
        debug_assert!(feature < self.shape.features());
        let rows = self.shape.hidden() / ROW;
        &self.feature_weights[feature * rows..][..rows]
    }

    /// The output weights of one bucket: for the side to move, and for the other side.
    #[inline(always)]
    pub(crate) fn output_rows(&self, bucket: usize) -> [&[Row]; 2] {
        let rows = self.shape.hidden() / ROW;
        let (ours, theirs) = self.output_weights[bucket * 2 * rows..][..2 * rows].split_at(rows);
        [ours, theirs]
    }

    /// A bucket's weighted sum in centipawns.
    #[inline(always)]
    pub(crate) fn value(&self, bucket: usize, sum: i64) -> i32 {
        ((sum + i64::from(self.output_bias[bucket])) * i64::from(SCALE) / i64::from(SUM_ONE)) as i32
    }

    /// The evaluation of a position in centipawns for the side to move, computed from scratch without
    /// vector instructions: the reference for everything faster.
    pub fn evaluate_slow(&self, position: &Position) -> i32 {
        self.evaluate_pieces(position, position.occupied())
    }

    /// The value of a piece to its own side, in centipawns: the evaluation with it less the evaluation
    /// without it. `None` for a king and for an empty square.
    pub fn piece_value(&self, position: &Position, square: Square) -> Option<i32> {
        let piece = position.piece_at(square).filter(|piece| piece.role() != Role::King)?;
        let without = self.evaluate_pieces(position, position.occupied().without(square));
        let gain = self.evaluate_slow(position) - without;
        Some(if piece.color() == position.turn() { gain } else { -gain })
    }

    /// The evaluation of a position with only these pieces.
    fn evaluate_pieces(&self, position: &Position, pieces: Bitboard) -> i32 {
        let bucket = output_bucket(pieces.count());
        let [ours, theirs] = self.output_rows(bucket);
        let turn = position.turn();
        let sum = self.weighted_half(position, pieces, turn, ours)
            + self.weighted_half(position, pieces, !turn, theirs);
        self.value(bucket, sum)
    }

    fn weighted_half(
        &self,
        position: &Position,
        pieces: Bitboard,
        perspective: Color,
        weights: &[Row],
    ) -> i64 {
        let mut units: Vec<i16> = Row::unpack(&self.feature_bias).collect();
        for feature in self.shape.active_of(position, pieces, perspective) {
            let weights = Row::unpack(self.feature_rows(feature));
            units.iter_mut().zip(weights).for_each(|(unit, weight)| *unit += weight);
        }
        let weights = Row::unpack(weights).map(i64::from);
        units.iter().zip(weights).map(|(&unit, weight)| i64::from(activation(unit)) * weight).sum()
    }

    /// The network in floating point, equal up to rounding.
    pub fn to_float(&self) -> FloatNetwork {
        let list = |rows, one: i32| Row::unpack(rows).map(|weight| f32::from(weight) / one as f32).collect();
        FloatNetwork {
            feature_weights: list(&self.feature_weights, UNIT_ONE),
            feature_bias: list(&self.feature_bias, UNIT_ONE),
            output_weights: list(&self.output_weights, OUTPUT_ONE),
            output_bias: self.output_bias.iter().map(|&bias| bias as f32 / SUM_ONE as f32).collect(),
            ..FloatNetwork::zero(self.shape)
        }
    }

    /// The numbers of the network as the file and the export list them: feature weights, unit biases,
    /// output weights, output biases.
    pub fn numbers(&self) -> (Vec<i16>, Vec<i16>, Vec<i16>, [i32; OUTPUT_BUCKETS]) {
        let list = |rows| Row::unpack(rows).collect();
        let output_bias = self.output_bias;
        (list(&self.feature_weights), list(&self.feature_bias), list(&self.output_weights), output_bias)
    }
}

/// SCReLU: a unit's value after clipping and squaring.
#[inline(always)]
pub(crate) fn activation(unit: i16) -> i16 {
    // 16 bits throughout: compilers turn this into one vector instruction.
    let clipped = (unit.clamp(0, UNIT_ONE as i16) as u16) << SQUARE_SHIFT;
    ((u32::from(clipped) * u32::from(clipped)) >> 16) as i16
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({})", self.shape)
    }
}
