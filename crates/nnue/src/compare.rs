//! Comparison of two networks: two generations, or float and quantised.

use chess::Position;

use crate::file::AnyNetwork;
use crate::shape::{OUTPUT_BUCKETS, output_bucket};

/// Sums over positions, from which the statistics come.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Difference {
    /// Positions that were compared.
    pub positions: u64,
    sum: f64,
    absolute: f64,
    square: f64,
}

impl Difference {
    fn add(&mut self, difference: f64) {
        self.positions += 1;
        self.sum += difference;
        self.absolute += difference.abs();
        self.square += difference * difference;
    }

    fn share(&self, sum: f64) -> f64 {
        if self.positions == 0 { 0.0 } else { sum / self.positions as f64 }
    }

    /// The mean of second minus first.
    pub fn mean(&self) -> f64 {
        self.share(self.sum)
    }

    /// The mean absolute difference.
    pub fn mean_absolute(&self) -> f64 {
        self.share(self.absolute)
    }

    /// The root mean square difference.
    pub fn root_mean_square(&self) -> f64 {
        self.share(self.square).sqrt()
    }
}

/// A comparison of two networks on the same positions, in centipawns for the side to move.
#[derive(Clone, Debug, Default)]
pub struct NetworkComparison {
    /// Over all positions.
    pub all: Difference,
    /// By output bucket.
    pub buckets: [Difference; OUTPUT_BUCKETS],
    /// The position with the largest difference, with both values.
    pub largest: Option<(Position, [f32; 2])>,
    /// Positions with evaluations of opposite sign.
    pub contradictions: u64,
    sums: [f64; 2],
    squares: [f64; 2],
    product: f64,
}

impl NetworkComparison {
    /// Adds a position.
    pub fn add(&mut self, first: &AnyNetwork, second: &AnyNetwork, position: &Position) {
        let values = [first.evaluate(position), second.evaluate(position)];
        let [a, b] = values.map(f64::from);
        let difference = b - a;
        self.all.add(difference);
        self.buckets[output_bucket(position.occupied().count())].add(difference);
        let distance = |[a, b]: [f32; 2]| (a - b).abs();
        if self.largest.as_ref().is_none_or(|&(_, largest)| distance(values) > distance(largest)) {
            self.largest = Some((*position, values));
        }
        self.contradictions += u64::from(a * b < 0.0);
        self.sums = [self.sums[0] + a, self.sums[1] + b];
        self.squares = [self.squares[0] + a * a, self.squares[1] + b * b];
        self.product += a * b;
    }

    /// The correlation of both evaluations. `None` while one of them is constant.
    pub fn correlation(&self) -> Option<f64> {
        let n = self.all.positions as f64;
        let covariance = self.product * n - self.sums[0] * self.sums[1];
        let [a, b] = [0, 1].map(|i| self.squares[i] * n - self.sums[i] * self.sums[i]);
        (a > 0.0 && b > 0.0).then(|| covariance / (a * b).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FloatNetwork;
    use crate::shape::Shape;

    fn positions() -> Vec<Position> {
        let mut list = vec![Position::startpos()];
        for ply in 0..60_usize {
            let moves = list[ply].legal_moves();
            let Some(&mv) = moves.get(ply * 31 % moves.len().max(1)) else { break };
            list.push(list[ply].after(mv));
        }
        list
    }

    #[test]
    fn network_agrees_with_itself() {
        let network = AnyNetwork::Float(FloatNetwork::random(Shape::new(64).unwrap(), 2));
        let mut comparison = NetworkComparison::default();
        for position in positions() {
            comparison.add(&network, &network, &position);
        }
        assert_eq!(comparison.all.positions, positions().len() as u64);
        assert!(comparison.all.root_mean_square().abs() < 1e-9);
        assert_eq!(comparison.contradictions, 0);
        assert!((comparison.correlation().unwrap() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn rounding_differs_less_than_another_network() {
        let float = FloatNetwork::random(Shape::new(64).unwrap(), 2);
        let rounded = AnyNetwork::Integer(float.quantise());
        let other = AnyNetwork::Float(FloatNetwork::random(Shape::new(64).unwrap(), 3));
        let float = AnyNetwork::Float(float);
        let (mut near, mut far) = (NetworkComparison::default(), NetworkComparison::default());
        for position in positions() {
            near.add(&float, &rounded, &position);
            far.add(&float, &other, &position);
        }
        assert!(near.all.mean_absolute() > 0.0 && near.all.mean_absolute() < 5.0);
        assert!(far.all.mean_absolute() > 20.0);
        assert!(far.all.root_mean_square() >= far.all.mean_absolute());
        assert!(near.correlation() > far.correlation());
        let sum: u64 = far.buckets.iter().map(|bucket| bucket.positions).sum();
        assert_eq!(sum, far.all.positions);
        let (position, [a, b]) = far.largest.unwrap();
        assert_eq!((a, b), (float.evaluate(&position), other.evaluate(&position)));
    }
}
