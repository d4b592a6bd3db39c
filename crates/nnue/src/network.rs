//! The quantised network.

use chess::{Bitboard, Color, Position, Role, Square};

use crate::float::FloatNetwork;
use crate::layers::Layers;
use crate::shape::{
    HIDDEN_STEP, LISTS, SCALE, SQUARE_SHIFT, SUM_ONE, Shape, UNIT_ONE, layered, output_bucket,
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
        let numbers: Vec<i16> = numbers.collect();
        let row = |part: &[i16]| {
            let mut row = Row::ZERO;
            row.0[..part.len()].copy_from_slice(part);
            row
        };
        numbers.chunks(ROW).map(row).collect()
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
    pub(crate) layers: Layers,
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

    /// The output's sum of a bucket without its bias, in centipawns.
    #[inline(always)]
    pub(crate) fn value(&self, bucket: usize, sum: i64) -> i32 {
        let (bias, one) = match &self.layers {
            Layers::Single(single) => (single.bias(bucket), SUM_ONE),
            Layers::Layered(stacks) => (stacks[bucket].output_bias, layered::SUM_ONE),
        };
        ((sum + i64::from(bias)) * i64::from(SCALE) / i64::from(one)) as i32
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
        let turn = position.turn();
        let units = [turn, !turn].map(|perspective| self.units(position, pieces, perspective));
        let [ours, theirs] = &units;
        let sum = match &self.layers {
            Layers::Single(single) => {
                let weights = single.rows(bucket);
                units.iter().zip(weights).map(|(units, weights)| weighted_half(units, weights)).sum()
            }
            Layers::Layered(stacks) => stacks[bucket].sum_slowly([ours, theirs]),
        };
        self.value(bucket, sum)
    }

    /// The accumulator of one perspective.
    fn units(&self, position: &Position, pieces: Bitboard, perspective: Color) -> Vec<i16> {
        let mut units: Vec<i16> = Row::unpack(&self.feature_bias).collect();
        for feature in self.shape.active_of(position, pieces, perspective) {
            let weights = Row::unpack(self.feature_rows(feature));
            units.iter_mut().zip(weights).for_each(|(unit, weight)| *unit += weight);
        }
        units
    }

    /// The network in floating point, equal up to rounding.
    pub fn to_float(&self) -> FloatNetwork {
        let mut of = self.shape.lists().into_iter();
        let lists = self.lists().map(|list| {
            let one = of.next().map_or(1, |of| of.one) as f32;
            list.into_iter().map(|number| number as f32 / one).collect()
        });
        FloatNetwork::from_lists(self.shape, lists)
    }

    /// The integers of the network, in the order of [`Shape::lists`].
    pub fn lists(&self) -> [Vec<i32>; LISTS] {
        let wide = |rows| Row::unpack(rows).map(i32::from).collect();
        let [a, b, c, d, e, f] = self.layers.lists();
        [wide(&self.feature_weights), wide(&self.feature_bias), a, b, c, d, e, f]
    }
}

fn weighted_half(units: &[i16], weights: &[Row]) -> i64 {
    let weights = Row::unpack(weights).map(i64::from);
    units.iter().zip(weights).map(|(&unit, weight)| i64::from(activation(unit)) * weight).sum()
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
