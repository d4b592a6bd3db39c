//! What computes the value from the accumulators, in integers: one layer, or three ([`shape`](crate::shape)).

use crate::network::{ROW, Row};
use crate::shape::{
    FIRST_LAYER, Head, LISTS, MAX_HIDDEN, OUTPUT_BUCKETS, SECOND_INPUTS, SECOND_LAYER, Shape, UNIT_ONE,
    layered,
};

/// The lists of a network without those of the features, in the order of [`Shape::lists`].
pub(crate) type HeadLists = [Vec<i32>; LISTS - 2];

/// Inputs of the first layer that are multiplied together, four bytes.
pub(crate) const CHUNK: usize = 4;

/// Chunks of a row of bytes.
pub(crate) const CHUNKS: usize = 2 * ROW / CHUNK;

/// The layers behind the accumulators.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Layers {
    Single(SingleLayer),
    /// By output bucket.
    Layered(Box<[Stack]>),
}

/// The weights of squared units.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SingleLayer {
    /// By output bucket and unit.
    weights: Box<[Row]>,
    bias: [i32; OUTPUT_BUCKETS],
}

/// The three layers of an output bucket. Weights are in the order in which vector instructions read them.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Stack {
    /// A row of bytes for each chunk of inputs: the four weights of each unit.
    pub first_weights: Box<[Row]>,
    pub first_bias: [i32; FIRST_LAYER],
    /// For each unit of the first layer a pair of weights for each unit of this one: that of the clipped value, and that of
    /// the square.
    pub second_weights: [[Row; 2]; FIRST_LAYER],
    pub second_bias: [i32; SECOND_LAYER],
    pub output_weights: [i16; SECOND_LAYER],
    pub output_bias: i32,
}

impl Layers {
    /// The layers of these lists, which have the lengths of the shape.
    pub fn new(shape: Shape, lists: &HeadLists) -> Layers {
        match shape.head() {
            Head::Single => {
                let [.., weights, bias] = lists;
                Layers::Single(SingleLayer {
                    weights: Row::pack(weights.iter().map(|&weight| weight as i16)),
                    bias: std::array::from_fn(|bucket| bias[bucket]),
                })
            }
            Head::Layered => {
                Layers::Layered((0..OUTPUT_BUCKETS).map(|bucket| Stack::new(shape, bucket, lists)).collect())
            }
        }
    }

    /// The lists of which [`new`](Self::new) makes these layers.
    pub fn lists(&self) -> HeadLists {
        match self {
            Layers::Single(single) => {
                let mut lists = HeadLists::default();
                lists[4] = Row::unpack(&single.weights).map(i32::from).collect();
                lists[5] = single.bias.to_vec();
                lists
            }
            Layers::Layered(stacks) => {
                let mut lists = HeadLists::default();
                stacks.iter().for_each(|stack| stack.append_to(&mut lists));
                lists
            }
        }
    }
}

impl SingleLayer {
    /// The weights of one bucket: for the side to move, and for the other side.
    #[inline(always)]
    pub fn rows(&self, bucket: usize) -> [&[Row]; 2] {
        let rows = self.weights.len() / OUTPUT_BUCKETS;
        let (ours, theirs) = self.weights[bucket * rows..][..rows].split_at(rows / 2);
        [ours, theirs]
    }

    #[inline(always)]
    pub fn bias(&self, bucket: usize) -> i32 {
        self.bias[bucket]
    }
}

impl Stack {
    fn new(shape: Shape, bucket: usize, lists: &HeadLists) -> Stack {
        let [first_weights, first_bias, second_weights, second_bias, output_weights, output_bias] = lists;
        let inputs = shape.hidden();
        let first = |chunk: usize, unit: usize, input: usize| {
            first_weights[(bucket * FIRST_LAYER + unit) * inputs + CHUNK * chunk + input] as u8
        };
        let second = |input: usize, unit: usize| {
            second_weights[(bucket * SECOND_LAYER + unit) * SECOND_INPUTS + input] as i16
        };
        let row_of_bytes = |chunk: usize| {
            let byte = |at: usize| first(chunk, at / CHUNK, at % CHUNK);
            Row(std::array::from_fn(|pair| i16::from_le_bytes([byte(2 * pair), byte(2 * pair + 1)])))
        };
        Stack {
            first_weights: (0..inputs / CHUNK).map(row_of_bytes).collect(),
            first_bias: std::array::from_fn(|unit| first_bias[bucket * FIRST_LAYER + unit]),
            second_weights: std::array::from_fn(|input| {
                [0, SECOND_LAYER / 2].map(|begin| {
                    Row(std::array::from_fn(|at| second(input + at % 2 * FIRST_LAYER, begin + at / 2)))
                })
            }),
            second_bias: std::array::from_fn(|unit| second_bias[bucket * SECOND_LAYER + unit]),
            output_weights: std::array::from_fn(|unit| output_weights[bucket * SECOND_LAYER + unit] as i16),
            output_bias: output_bias[bucket],
        }
    }

    /// The weight of the first layer for an input.
    pub fn first(&self, unit: usize, input: usize) -> i32 {
        let at = CHUNK * unit + input % CHUNK;
        let bytes = self.first_weights[input / CHUNK].0[at / 2].to_le_bytes();
        i32::from(bytes[at % 2] as i8)
    }

    /// The weight of the second layer for an input: clipped values of the first layer, then its squares.
    pub fn second(&self, unit: usize, input: usize) -> i32 {
        let rows = &self.second_weights[input % FIRST_LAYER];
        let at = 2 * unit + input / FIRST_LAYER;
        rows[at / ROW].0[at % ROW].into()
    }

    fn append_to(&self, lists: &mut HeadLists) {
        let [first_weights, first_bias, second_weights, second_bias, output_weights, output_bias] = lists;
        let inputs = CHUNK * self.first_weights.len();
        for unit in 0..FIRST_LAYER {
            first_weights.extend((0..inputs).map(|input| self.first(unit, input)));
        }
        first_bias.extend(self.first_bias);
        for unit in 0..SECOND_LAYER {
            second_weights.extend((0..SECOND_INPUTS).map(|input| self.second(unit, input)));
        }
        second_bias.extend(self.second_bias);
        output_weights.extend(self.output_weights.map(i32::from));
        output_bias.push(self.output_bias);
    }

    /// The output's sum without its bias for accumulators of the side to move and of the other side: the reference for all
    /// that is faster, in the order of the definition.
    pub fn sum_slowly(&self, units: [&[i16]; 2]) -> i64 {
        let products: Vec<i32> = units
            .into_iter()
            .flat_map(|units| {
                let (first, second) = units.split_at(units.len() / 2);
                first.iter().zip(second).map(|(&a, &b)| product(a, b).into())
            })
            .collect();
        let sums = (0..FIRST_LAYER).map(|unit| {
            let products = products.iter().enumerate();
            self.first_bias[unit] + products.map(|(input, x)| x * self.first(unit, input)).sum::<i32>()
        });
        let values: Vec<[i32; 2]> = sums.map(first_values).collect();
        let inputs: Vec<i32> = (0..2).flat_map(|kind| values.iter().map(move |value| value[kind])).collect();
        (0..SECOND_LAYER)
            .map(|unit| {
                let inputs = inputs.iter().enumerate();
                let sum = inputs.map(|(input, a)| a * self.second(unit, input)).sum::<i32>();
                let value = second_value(self.second_bias[unit] + sum);
                i64::from(value) * i64::from(self.output_weights[unit])
            })
            .sum()
    }

    /// The values of all units of the first layer, from its sums without their bias: for each unit the clipped value in the
    /// lower half of the integer, the square in the upper.
    #[inline(always)]
    pub fn first_pairs(&self, sums: [i32; FIRST_LAYER]) -> [i32; FIRST_LAYER] {
        // The compiler vectorises this.
        let mut pairs = [0; FIRST_LAYER];
        for (pair, (sum, bias)) in pairs.iter_mut().zip(sums.iter().zip(&self.first_bias)) {
            let [clipped, square] = first_values(sum + bias);
            *pair = clipped | square << 16;
        }
        pairs
    }

    /// The output's sum without its bias, from the sums of the second layer without their bias.
    #[inline(always)]
    pub fn output(&self, sums: &[i32; SECOND_LAYER]) -> i64 {
        // The compiler vectorises this, too: the limit of the weights allows 32 bits.
        let units = sums.iter().zip(&self.second_bias).zip(&self.output_weights);
        let products = units.map(|((sum, bias), &weight)| second_value(sum + bias) * i32::from(weight));
        products.sum::<i32>().into()
    }
}

/// An input of the first layer: the product of two units after clipping, from 0 to [`layered::PRODUCT_ONE`].
#[inline(always)]
pub(crate) fn product(a: i16, b: i16) -> i16 {
    // 16 bits throughout: compilers turn this into one vector instruction.
    let clip = |unit: i16| unit.clamp(0, UNIT_ONE as i16) as u16;
    let shifted = clip(a) << (16 - layered::PRODUCT_SHIFT);
    ((u32::from(shifted) * u32::from(clip(b))) >> 16) as i16
}

/// What a sum of the first layer passes on: clipped, and squared.
#[inline(always)]
fn first_values(sum: i32) -> [i32; 2] {
    let signed = sum.clamp(-layered::FIRST_SUM_ONE, layered::FIRST_SUM_ONE);
    [signed.max(0), (signed * signed) >> layered::SQUARE_SHIFT]
}

/// What a sum of the second layer passes on: clipped, then squared.
#[inline(always)]
fn second_value(sum: i32) -> i32 {
    let clipped = sum.clamp(0, layered::SECOND_SUM_ONE) >> layered::SECOND_SHIFT;
    (clipped * clipped) >> layered::SQUARE_SHIFT
}

/// Room for what the layers compute on the way.
pub(crate) struct Scratch {
    /// The inputs of the first layer, in bytes.
    pub products: [Row; MAX_HIDDEN / (2 * ROW)],
    /// The chunks that are not zero. Vector instructions write a few numbers beyond the last one.
    pub chunks: [u16; MAX_HIDDEN / CHUNK + CHUNKS],
}

impl Scratch {
    pub fn new() -> Box<Scratch> {
        Box::new(Scratch {
            products: [Row::ZERO; MAX_HIDDEN / (2 * ROW)],
            chunks: [0; MAX_HIDDEN / CHUNK + CHUNKS],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FloatNetwork;

    #[test]
    fn lists_and_back() {
        for head in Head::ALL {
            let shape = Shape::new(256).unwrap().with_head(head).unwrap();
            let network = FloatNetwork::random(shape, 4).quantise();
            let lists = network.layers.lists();
            assert!(Layers::new(shape, &lists) == network.layers);
            assert_eq!(lists.each_ref().map(Vec::len)[..], shape.lists().map(|list| list.count)[2..]);
        }
    }

    #[test]
    fn products_are_cut_off() {
        assert_eq!([product(512, 512), product(i16::MAX, 512), product(-1, 512)], [128, 128, 0]);
        assert_eq!([product(512, 4), product(512, 3), product(64, 32)], [1, 0, 1]);
        assert_eq!([product(64, 31), product(511, 512)], [0, 127]);
    }

    #[test]
    fn values_are_clipped() {
        let one = layered::FIRST_SUM_ONE;
        assert_eq!(first_values(one), [one, one]);
        assert_eq!(first_values(i32::MIN), [0, one]);
        assert_eq!(first_values(-one / 2), [0, one / 4]);
        assert_eq!(first_values(3 * one), [one, one]);
        let one = layered::SECOND_SUM_ONE;
        assert_eq!([i32::MIN, 0, one / 2, one, i32::MAX].map(second_value), [0, 0, 2048, 8192, 8192]);
    }
}
