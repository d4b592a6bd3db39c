//! The float network of the trainer.

use chess::{Color, Position};

use crate::layers::{HeadLists, Layers};
use crate::network::{Network, Row};
use crate::shape::{
    FIRST_LAYER, Head, LISTS, List, SCALE, SECOND_INPUTS, SECOND_LAYER, Shape, output_bucket,
};
use support::random::Random;

/// A float network. [`Shape`] defines the order of the weights.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNetwork {
    /// The shape.
    pub shape: Shape,
    /// `feature * hidden + unit`.
    pub feature_weights: Vec<f32>,
    /// By unit.
    pub feature_bias: Vec<f32>,
    /// `(bucket * FIRST_LAYER + unit) * hidden + input`; empty unless the head is layered.
    pub first_weights: Vec<f32>,
    /// `bucket * FIRST_LAYER + unit`; empty unless the head is layered.
    pub first_bias: Vec<f32>,
    /// `(bucket * SECOND_LAYER + unit) * SECOND_INPUTS + input`; empty unless the head is layered.
    pub second_weights: Vec<f32>,
    /// `bucket * SECOND_LAYER + unit`; empty unless the head is layered.
    pub second_bias: Vec<f32>,
    /// `bucket * 2 * hidden + unit`; units of the side to move first. With a layered head `bucket * SECOND_LAYER + unit`.
    pub output_weights: Vec<f32>,
    /// By bucket.
    pub output_bias: Vec<f32>,
}

impl FloatNetwork {
    /// The network of these [lists](Shape::lists).
    pub fn from_lists(shape: Shape, lists: [Vec<f32>; LISTS]) -> FloatNetwork {
        let [
            feature_weights,
            feature_bias,
            first_weights,
            first_bias,
            second_weights,
            second_bias,
            output_weights,
            output_bias,
        ] = lists;
        FloatNetwork {
            shape,
            feature_weights,
            feature_bias,
            first_weights,
            first_bias,
            second_weights,
            second_bias,
            output_weights,
            output_bias,
        }
    }

    /// All parameters, in the order of [`Shape::lists`].
    pub fn lists(&self) -> [&Vec<f32>; LISTS] {
        [
            &self.feature_weights,
            &self.feature_bias,
            &self.first_weights,
            &self.first_bias,
            &self.second_weights,
            &self.second_bias,
            &self.output_weights,
            &self.output_bias,
        ]
    }

    /// The network of this shape with all weights 0.
    pub fn zero(shape: Shape) -> FloatNetwork {
        FloatNetwork::from_lists(shape, shape.lists().map(|list| vec![0.0; list.count]))
    }

    /// A network of random weights, about as large as trained ones are: for tests and measurements.
    pub fn random(shape: Shape, seed: u64) -> FloatNetwork {
        let mut random = Random::new(seed);
        let sizes = match shape.head() {
            Head::Single => [0.3, 0.5, 0.0, 0.0, 0.0, 0.0, 0.2, 0.2],
            // The sums of the first layer are about as large with any number of inputs.
            Head::Layered => [0.3, 0.5, 4.0 / (shape.hidden() as f32).sqrt(), 0.3, 0.5, 0.3, 1.0, 0.2],
        };
        let mut sizes = sizes.into_iter();
        let lists = shape.lists().map(|list| {
            let size = sizes.next().unwrap_or(0.0);
            (0..list.count).map(|_| random.symmetric() * size).collect()
        });
        FloatNetwork::from_lists(shape, lists)
    }

    /// Whether the lists have the lengths of the shape.
    pub fn is_complete(&self) -> bool {
        self.lists().map(Vec::len) == self.shape.lists().map(|list| list.count)
    }

    /// The number of weights that [`quantise`](Self::quantise) would clip: too large, or NaN.
    pub fn beyond_limits(&self) -> usize {
        let count = |list: &[f32], limit: f32| list.iter().filter(|x| x.is_nan() || x.abs() > limit).count();
        self.lists().into_iter().zip(self.shape.lists()).map(|(list, of)| count(list, of.limit)).sum()
    }

    /// The quantised network. Weights are rounded and clipped to the limits; NaN becomes 0.
    ///
    /// # Panics
    /// If the network is not [complete](Self::is_complete).
    pub fn quantise(&self) -> Network {
        assert!(self.is_complete(), "the lists have the lengths of the shape");
        let rounded = |index: usize| {
            let List { limit, one, .. } = self.shape.lists()[index];
            self.lists()[index].iter().map(move |&number| round(number, limit, one))
        };
        let head: HeadLists = std::array::from_fn(|index| rounded(index + 2).collect());
        Network {
            shape: self.shape,
            feature_weights: Row::pack(rounded(0).map(|weight| weight as i16)),
            feature_bias: Row::pack(rounded(1).map(|bias| bias as i16)),
            layers: Layers::new(self.shape, &head),
        }
    }

    /// The network with its output scaled by `factor`.
    #[must_use]
    pub fn scaled(mut self, factor: f32) -> FloatNetwork {
        self.output_weights.iter_mut().chain(&mut self.output_bias).for_each(|weight| *weight *= factor);
        self
    }

    /// The same network with more king buckets, each with the weights of the single one. `None` if it already has several, and
    /// not this many.
    pub fn with_king_buckets(&self, king_buckets: usize) -> Option<FloatNetwork> {
        let shape = self.shape.with_king_buckets(king_buckets).ok()?;
        match self.shape.king_buckets() {
            1 => {
                let feature_weights = self.feature_weights.repeat(king_buckets);
                Some(FloatNetwork { shape, feature_weights, ..self.clone() })
            }
            same => (same == king_buckets).then(|| self.clone()),
        }
    }

    /// The evaluation of a position in centipawns for the side to move, without rounding: the model
    /// that the trainer trains.
    ///
    /// # Panics
    /// If the network is not [complete](Self::is_complete).
    pub fn evaluate(&self, position: &Position) -> f32 {
        assert!(self.is_complete(), "the lists have the lengths of the shape");
        let bucket = output_bucket(position.occupied().count());
        let units = [position.turn(), !position.turn()].map(|color| self.units(position, color));
        let value = match self.shape.head() {
            Head::Single => self.single(bucket, &units),
            Head::Layered => self.layered(bucket, &units),
        };
        value * SCALE as f32
    }

    /// The accumulator of one perspective.
    fn units(&self, position: &Position, color: Color) -> Vec<f32> {
        let hidden = self.shape.hidden();
        let mut units = self.feature_bias.clone();
        for feature in self.shape.active(position, color) {
            let row = &self.feature_weights[feature * hidden..][..hidden];
            units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
        }
        units
    }

    fn single(&self, bucket: usize, units: &[Vec<f32>; 2]) -> f32 {
        let hidden = self.shape.hidden();
        let weights = &self.output_weights[bucket * 2 * hidden..][..2 * hidden];
        let products = units.iter().flatten().zip(weights).map(|(x, w)| x.clamp(0.0, 1.0).powi(2) * w);
        self.output_bias[bucket] + products.sum::<f32>()
    }

    fn layered(&self, bucket: usize, units: &[Vec<f32>; 2]) -> f32 {
        let half = self.shape.hidden() / 2;
        let clip = |x: &f32| x.clamp(0.0, 1.0);
        let products: Vec<f32> = units
            .iter()
            .flat_map(|units| units[..half].iter().zip(&units[half..]).map(|(a, b)| clip(a) * clip(b)))
            .collect();
        let first = sums(&self.first_weights, &self.first_bias, bucket * FIRST_LAYER, FIRST_LAYER, &products);
        let squares = first.iter().map(|sum| (sum * sum).min(1.0));
        let first: Vec<f32> = first.iter().map(clip).chain(squares).collect();
        debug_assert_eq!(first.len(), SECOND_INPUTS);
        let second =
            sums(&self.second_weights, &self.second_bias, bucket * SECOND_LAYER, SECOND_LAYER, &first);
        let weights = &self.output_weights[bucket * SECOND_LAYER..][..SECOND_LAYER];
        let output: f32 = second.iter().zip(weights).map(|(z, weight)| clip(z).powi(2) * weight).sum();
        self.output_bias[bucket] + output
    }
}

/// The sums of `count` units of a layer, of which the first is `begin`.
fn sums(weights: &[f32], bias: &[f32], begin: usize, count: usize, inputs: &[f32]) -> Vec<f32> {
    let rows = weights.chunks_exact(inputs.len()).zip(bias).skip(begin).take(count);
    rows.map(|(row, bias)| bias + row.iter().zip(inputs).map(|(w, x)| w * x).sum::<f32>()).collect()
}

/// The nearest integer for a number within a limit, where `one` stands for 1.0.
fn round(number: f32, limit: f32, one: i32) -> i32 {
    (number.clamp(-limit, limit) * one as f32).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{FEATURE_WEIGHT_MAX, OUTPUT_WEIGHT_MAX};

    const FENS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/8/3k4/8/8/3P4/3K4 b - - 0 1",
        "6k1/5pp1/3q3p/1p1pN3/1P1P4/4Q2P/5PP1/6K1 b - - 0 33",
    ];

    fn shapes() -> [Shape; 5] {
        let single = |hidden| Shape::new(hidden).unwrap();
        let layered = |hidden| single(hidden).with_head(Head::Layered).unwrap();
        [single(64), single(256), single(512), layered(128), layered(1024)]
    }

    #[test]
    fn widened_buckets_evaluate_equally() {
        let plain = FloatNetwork::random(Shape::new(64).unwrap(), 4);
        let mut by_king = plain.with_king_buckets(4).unwrap();
        for fen in FENS {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(
                by_king.quantise().evaluate_slow(&position),
                plain.quantise().evaluate_slow(&position),
                "{fen}"
            );
        }
        // In three of the positions a king stands in the middle of its first rank.
        by_king.feature_weights[plain.feature_weights.len()..][..plain.feature_weights.len()].fill(0.0);
        let differs = FENS.map(|fen| {
            let position = Position::from_fen(fen).unwrap();
            by_king.quantise().evaluate_slow(&position) != plain.quantise().evaluate_slow(&position)
        });
        assert_eq!(differs, [true, true, false, true, false]);
        assert!(by_king.with_king_buckets(1).is_none() && plain.with_king_buckets(2).is_none());
        assert_eq!(by_king.with_king_buckets(4), Some(by_king.clone()));
    }

    #[test]
    fn quantise_inverts_to_float() {
        for shape in shapes() {
            let network = FloatNetwork::random(shape, shape.hidden() as u64).quantise();
            assert!(network.to_float().quantise() == network);
        }
    }

    #[test]
    fn scaled_network_scales_evaluation() {
        for shape in shapes() {
            let network = FloatNetwork::random(shape, 5);
            let scaled = network.clone().scaled(0.5);
            for fen in FENS {
                let position = Position::from_fen(fen).unwrap();
                let (whole, half) = (network.evaluate(&position), scaled.evaluate(&position));
                assert!((whole * 0.5 - half).abs() < 0.01, "{fen}: {whole} {half}");
            }
        }
    }

    #[test]
    fn quantised_matches_float() {
        for shape in shapes() {
            let float = FloatNetwork::random(shape, shape.hidden() as u64);
            // Random layers multiply what the rounding of weights changes.
            let float = if shape.head() == Head::Single { float } else { float.quantise().to_float() };
            let network = float.quantise();
            for fen in FENS {
                let position = Position::from_fen(fen).unwrap();
                let (exact, rounded) = (float.evaluate(&position), network.evaluate_slow(&position));
                assert!((exact - rounded as f32).abs() < 15.0, "{fen}: {exact} {rounded}");
                assert!(exact.abs() > 1.0, "{fen}: {exact} proves nothing");
            }
        }
    }

    /// A layered network of which one pair of units counts, for every position alike.
    fn one_pair(first: f32, second: f32) -> FloatNetwork {
        let shape = Shape::new(128).unwrap().with_head(Head::Layered).unwrap();
        let mut network = FloatNetwork::zero(shape);
        network.feature_bias[5] = first;
        network.feature_bias[64 + 5] = second;
        network
    }

    #[test]
    fn layered_value_by_hand() {
        let position = Position::startpos();
        let bucket = output_bucket(32);
        let mut network = one_pair(0.5, 1.5);
        // x is 0.5 for both sides; y[3] = 0.25 - 2 * 0.5 - 0.5 * 0.5 = -1, whose square is at most 1.
        let first = bucket * FIRST_LAYER + 3;
        network.first_bias[first] = 0.25;
        network.first_weights[first * 128 + 5] = -2.0;
        network.first_weights[first * 128 + 64 + 5] = -0.5;
        // z[7] = 0.1 + 0.5 * 1 + 9 * 0
        let second = bucket * SECOND_LAYER + 7;
        network.second_bias[second] = 0.1;
        network.second_weights[second * SECOND_INPUTS + 3] = 9.0;
        network.second_weights[second * SECOND_INPUTS + FIRST_LAYER + 3] = 0.5;
        network.output_weights[second] = 2.0;
        network.output_bias[bucket] = -0.2;
        let expected = (0.6_f32 * 0.6 * 2.0 - 0.2) * 400.0;
        assert!((network.evaluate(&position) - expected).abs() < 0.01, "{}", network.evaluate(&position));
        // Other buckets have other weights.
        let fewer = Position::from_fen(FENS[3]).unwrap();
        assert!(network.evaluate(&fewer).abs() < 1e-9);
        // A unit below 0 makes its product 0: y[3] = 0.25, and z[7] is clipped to 1.
        network.feature_bias[5] = -0.5;
        assert!((network.evaluate(&position) - (2.0 - 0.2) * 400.0).abs() < 0.01);
    }

    #[test]
    fn lists_and_back() {
        for head in Head::ALL {
            let network = FloatNetwork::random(Shape::new(128).unwrap().with_head(head).unwrap(), 3);
            assert!(network.is_complete());
            assert_eq!(network.beyond_limits(), 0);
            assert_eq!(FloatNetwork::from_lists(network.shape, network.lists().map(Clone::clone)), network);
        }
    }

    #[test]
    fn clipped_weights_are_counted() {
        let mut float = FloatNetwork::zero(Shape::new(64).unwrap());
        assert_eq!(float.beyond_limits(), 0);
        float.feature_weights[3] = 9.0;
        float.feature_bias[0] = f32::NEG_INFINITY;
        float.output_weights[5] = -7.0;
        float.output_weights[6] = f32::NAN;
        assert_eq!(float.beyond_limits(), 4);
        let network = float.quantise();
        assert_eq!(network.feature_weights[0].0[3], FEATURE_WEIGHT_MAX);
        assert_eq!(network.feature_bias[0].0[0], -FEATURE_WEIGHT_MAX);
        assert_eq!(network.lists()[6][5..7], [-i32::from(OUTPUT_WEIGHT_MAX), 0]);
    }
}
