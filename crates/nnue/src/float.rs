//! The float network of the trainer.

use chess::Position;

use crate::network::{Network, Row};
use crate::shape::{
    FEATURE_WEIGHT_LIMIT, OUTPUT_BIAS_LIMIT, OUTPUT_BUCKETS, OUTPUT_ONE, OUTPUT_WEIGHT_LIMIT, SCALE, SUM_ONE,
    Shape, UNIT_ONE, output_bucket,
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
    /// `bucket * 2 * hidden + unit`; units of the side to move first.
    pub output_weights: Vec<f32>,
    /// By bucket.
    pub output_bias: Vec<f32>,
}

impl FloatNetwork {
    /// The network of this shape with all weights 0.
    pub fn zero(shape: Shape) -> FloatNetwork {
        FloatNetwork {
            shape,
            feature_weights: vec![0.0; shape.feature_weights()],
            feature_bias: vec![0.0; shape.hidden()],
            output_weights: vec![0.0; shape.output_weights()],
            output_bias: vec![0.0; OUTPUT_BUCKETS],
        }
    }

    /// A network of random weights, about as large as trained ones are: for tests and measurements.
    pub fn random(shape: Shape, seed: u64) -> FloatNetwork {
        let mut random = Random::new(seed);
        let mut numbers = |count, size| (0..count).map(|_| random.symmetric() * size).collect();
        FloatNetwork {
            shape,
            feature_weights: numbers(shape.feature_weights(), 0.3),
            feature_bias: numbers(shape.hidden(), 0.5),
            output_weights: numbers(shape.output_weights(), 0.2),
            output_bias: numbers(OUTPUT_BUCKETS, 0.2),
        }
    }

    /// Whether the lists have the lengths of the shape.
    pub fn is_complete(&self) -> bool {
        self.feature_weights.len() == self.shape.feature_weights()
            && self.feature_bias.len() == self.shape.hidden()
            && self.output_weights.len() == self.shape.output_weights()
            && self.output_bias.len() == OUTPUT_BUCKETS
    }

    /// The number of weights that [`quantise`](Self::quantise) would clip: too large, or NaN.
    pub fn beyond_limits(&self) -> usize {
        let count = |list: &[f32], limit: f32| list.iter().filter(|x| x.is_nan() || x.abs() > limit).count();
        count(&self.feature_weights, FEATURE_WEIGHT_LIMIT)
            + count(&self.feature_bias, FEATURE_WEIGHT_LIMIT)
            + count(&self.output_weights, OUTPUT_WEIGHT_LIMIT)
            + count(&self.output_bias, OUTPUT_BIAS_LIMIT)
    }

    /// The quantised network. Weights are rounded and clipped to the limits; NaN becomes 0.
    ///
    /// # Panics
    /// If the network is not [complete](Self::is_complete).
    pub fn quantise(&self) -> Network {
        assert!(self.is_complete(), "the lists have the lengths of the shape");
        let feature = |&weight: &f32| round(weight, FEATURE_WEIGHT_LIMIT, UNIT_ONE) as i16;
        let output = |&weight: &f32| round(weight, OUTPUT_WEIGHT_LIMIT, OUTPUT_ONE) as i16;
        Network {
            shape: self.shape,
            feature_weights: Row::pack(self.feature_weights.iter().map(feature)),
            feature_bias: Row::pack(self.feature_bias.iter().map(feature)),
            output_weights: Row::pack(self.output_weights.iter().map(output)),
            output_bias: std::array::from_fn(|bucket| {
                round(self.output_bias[bucket], OUTPUT_BIAS_LIMIT, SUM_ONE)
            }),
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
        let hidden = self.shape.hidden();
        let bucket = output_bucket(position.occupied().count());
        let weights = &self.output_weights[bucket * 2 * hidden..][..2 * hidden];
        let mut sum = self.output_bias[bucket];
        for (half, color) in [position.turn(), !position.turn()].into_iter().enumerate() {
            let mut units = self.feature_bias.clone();
            for feature in self.shape.active(position, color) {
                let row = &self.feature_weights[feature * hidden..][..hidden];
                units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
            }
            let weights = &weights[half * hidden..][..hidden];
            sum += units.iter().zip(weights).map(|(x, w)| x.clamp(0.0, 1.0).powi(2) * w).sum::<f32>();
        }
        sum * SCALE as f32
    }
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
        for hidden in [64, 256, 512] {
            let network = FloatNetwork::random(Shape::new(hidden).unwrap(), hidden as u64).quantise();
            assert!(network.to_float().quantise() == network);
        }
    }

    #[test]
    fn scaled_network_scales_evaluation() {
        let network = FloatNetwork::random(Shape::new(64).unwrap(), 5);
        let scaled = network.clone().scaled(0.5);
        for fen in FENS {
            let position = Position::from_fen(fen).unwrap();
            let (whole, half) = (network.evaluate(&position), scaled.evaluate(&position));
            assert!((whole * 0.5 - half).abs() < 0.01, "{fen}: {whole} {half}");
        }
    }

    #[test]
    fn quantised_matches_float() {
        for hidden in [64, 256, 512] {
            let float = FloatNetwork::random(Shape::new(hidden).unwrap(), hidden as u64);
            let network = float.quantise();
            for fen in FENS {
                let position = Position::from_fen(fen).unwrap();
                let (exact, rounded) = (float.evaluate(&position), network.evaluate_slow(&position));
                assert!((exact - rounded as f32).abs() < 15.0, "{fen}: {exact} {rounded}");
                assert!(exact.abs() > 1.0, "{fen}: {exact} proves nothing");
            }
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
        assert_eq!(network.output_weights[0].0[5..7], [-OUTPUT_WEIGHT_MAX, 0]);
    }
}
