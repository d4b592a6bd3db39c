//! Reads networks of bullet (<https://github.com/jw1912/bullet>): the `quantised.bin` of a checkpoint, if its layers are
//! Vedette's.
//!
//! 16-bit integers, padded to a multiple of 64 bytes with the letters `bullet`: weights of the features, bias of the units,
//! output weights by bucket (which bullet calls transposed), output biases. The inputs are
//! `ChessBucketsMirrored` with one bucket or with Vedette's four ([`shape`](crate::shape)), the activation is SCReLU,
//! and there is one output or one for each of `MaterialCount<8>`. The file says nothing of this; only its size shows the
//! number of units and buckets.

use std::fmt;

use crate::float::FloatNetwork;
use crate::shape::{HIDDEN_STEP, KING_BUCKETS, MAX_HIDDEN, OUTPUT_BUCKETS, SCALE, Shape};

const ALIGNMENT: usize = 64;
const PADDING: &[u8] = b"bullet";

/// How bullet has quantised a network; the default is that of its examples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BulletFormat {
    /// The integer that stands for 1.0 in a weight of a feature: `QA`.
    pub feature_one: i16,
    /// The integer that stands for 1.0 in an output weight: `QB`.
    pub output_one: i16,
    /// Centipawns of an output of 1.0: `eval_scale`.
    pub scale: f32,
}

impl Default for BulletFormat {
    fn default() -> Self {
        BulletFormat { feature_one: 255, output_one: 64, scale: SCALE as f32 }
    }
}

/// No network of a shape that Vedette has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownLayout {
    /// The size of the file.
    pub bytes: usize,
}

impl fmt::Display for UnknownLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} bytes are no network of bullet with {HIDDEN_STEP}, {}, … or {MAX_HIDDEN} units, 1 or 4 king buckets, and \
             1 or {OUTPUT_BUCKETS} output buckets",
            self.bytes,
            2 * HIDDEN_STEP
        )
    }
}

impl std::error::Error for UnknownLayout {}

impl FloatNetwork {
    /// Reads a network of bullet. A single output is copied to all output buckets.
    ///
    /// # Errors
    /// [`UnknownLayout`] if the size does not fit.
    pub fn read_bullet(bytes: &[u8], format: BulletFormat) -> Result<FloatNetwork, UnknownLayout> {
        let (shape, outputs) = layout(bytes).ok_or(UnknownLayout { bytes: bytes.len() })?;
        let (feature, output) = (f32::from(format.feature_one), f32::from(format.output_one));
        let (pairs, _) = bytes.as_chunks::<2>();
        let mut numbers = pairs.iter().map(|&pair| f32::from(i16::from_le_bytes(pair)));
        let mut take = |count: usize, one: f32| -> Vec<f32> {
            numbers.by_ref().take(count).map(|number| number / one).collect()
        };
        let copies = OUTPUT_BUCKETS / outputs;
        let network = FloatNetwork {
            feature_weights: take(shape.feature_weights(), feature),
            feature_bias: take(shape.hidden(), feature),
            output_weights: take(2 * shape.hidden() * outputs, output).repeat(copies),
            output_bias: take(outputs, feature * output).repeat(copies),
            ..FloatNetwork::zero(shape)
        };
        Ok(network.scaled(format.scale / SCALE as f32))
    }
}

/// The shape and the number of outputs. Only one fits: no two layouts have sizes within the padding of each other.
fn layout(bytes: &[u8]) -> Option<(Shape, usize)> {
    let layouts = KING_BUCKETS.into_iter().flat_map(|buckets| [(buckets, 1), (buckets, OUTPUT_BUCKETS)]);
    layouts
        .flat_map(|(king_buckets, outputs)| {
            (HIDDEN_STEP..=MAX_HIDDEN).step_by(HIDDEN_STEP).filter_map(move |hidden| {
                Some((Shape::new(hidden).ok()?.with_king_buckets(king_buckets).ok()?, outputs))
            })
        })
        .find(|&(shape, outputs)| {
            let numbers = shape.feature_weights() + shape.hidden() + (2 * shape.hidden() + 1) * outputs;
            is_padded(bytes, 2 * numbers)
        })
}

fn is_padded(bytes: &[u8], length: usize) -> bool {
    let Some(padding) = bytes.get(length..) else { return false };
    let is_aligned =
        padding.is_empty() || (padding.len() < ALIGNMENT && bytes.len().is_multiple_of(ALIGNMENT));
    is_aligned && padding.iter().zip(PADDING.iter().cycle()).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Color, Position};
    use support::random::Random;

    /// A file as bullet writes it.
    fn file(king_buckets: usize, hidden: usize, outputs: usize) -> Vec<i16> {
        let mut random = Random::new(7);
        let mut numbers = |count: usize, size: f32| -> Vec<i16> {
            (0..count).map(|_| (random.symmetric() * size) as i16).collect()
        };
        [
            numbers(768 * king_buckets * hidden, 60.0),
            numbers(hidden, 120.0),
            numbers(2 * hidden * outputs, 30.0),
            numbers(outputs, 3000.0),
        ]
        .concat()
    }

    fn as_bytes(numbers: &[i16]) -> Vec<u8> {
        let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let padding = bytes.len().next_multiple_of(64) - bytes.len();
        bytes.extend(b"bullet".iter().cycle().take(padding));
        bytes
    }

    /// The integer inference of bullet's examples, with inputs that are numbered as `ChessBucketsMirrored` does.
    fn evaluate(
        numbers: &[i16],
        buckets: &[usize; 32],
        hidden: usize,
        outputs: usize,
        position: &Position,
    ) -> i64 {
        let king_buckets = buckets.iter().max().unwrap() + 1;
        let (weights, rest) = numbers.split_at(768 * king_buckets * hidden);
        let (bias, rest) = rest.split_at(hidden);
        let (output_weights, output_bias) = rest.split_at(2 * hidden * outputs);
        let output = if outputs == 1 { 0 } else { (position.occupied().count() as usize - 2) / 4 };
        let mut sum = 0;
        for (side, perspective) in [position.turn(), !position.turn()].into_iter().enumerate() {
            let seen =
                |square: chess::Square| square.index() ^ if perspective == Color::Black { 56 } else { 0 };
            let king = seen(position.king(perspective));
            let flip = if king % 8 > 3 { 7 } else { 0 };
            let bucket = buckets[king / 8 * 4 + (king ^ flip) % 8];
            let mut units: Vec<i64> = bias.iter().map(|&bias| bias.into()).collect();
            for square in position.occupied() {
                let piece = position.piece_at(square).unwrap();
                let enemy = if piece.color() == perspective { 0 } else { 384 };
                let feature = 768 * bucket + enemy + 64 * piece.role().index() + (seen(square) ^ flip);
                for (unit, weight) in units.iter_mut().zip(&weights[feature * hidden..]) {
                    *unit += i64::from(*weight);
                }
            }
            let weights = &output_weights[(2 * output + side) * hidden..];
            sum += units
                .iter()
                .zip(weights)
                .map(|(unit, &weight)| unit.clamp(&0, &255).pow(2) * i64::from(weight))
                .sum::<i64>();
        }
        (sum / 255 + i64::from(output_bias[output])) * 400 / (255 * 64)
    }

    #[test]
    fn imported_networks_evaluate_as_in_bullet() {
        let mut four = [3; 32];
        four[..8].copy_from_slice(&[0, 0, 0, 1, 2, 2, 2, 2]);
        for (buckets, hidden, outputs) in [([0; 32], 64, 1), ([0; 32], 128, 8), (four, 64, 8)] {
            let king_buckets = buckets.iter().max().unwrap() + 1;
            let numbers = file(king_buckets, hidden, outputs);
            let network = FloatNetwork::read_bullet(&as_bytes(&numbers), BulletFormat::default()).unwrap();
            assert_eq!((network.shape.hidden(), network.shape.king_buckets()), (hidden, king_buckets));
            let (mut random, mut position) = (Random::new(3), Position::startpos());
            for _ in 0..300 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.below(moves.len())]);
                let expected = evaluate(&numbers, &buckets, hidden, outputs, &position);
                let found = network.evaluate(&position);
                assert!((found - expected as f32).abs() <= 1.5, "{found} {expected} {}", position.to_fen());
            }
        }
    }

    #[test]
    fn other_sizes_are_rejected() {
        let bytes = as_bytes(&file(1, 64, 1));
        let read = |bytes: &[u8]| FloatNetwork::read_bullet(bytes, BulletFormat::default());
        assert!(read(&bytes).is_ok());
        for length in [0, 64, bytes.len() - 64, bytes.len() - 1] {
            assert_eq!(read(&bytes[..length]), Err(UnknownLayout { bytes: length }));
        }
        assert!(read(&[&bytes[..], &[0; 64]].concat()).is_err());
    }
}
