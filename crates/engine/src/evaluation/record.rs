//! The features of a position with their counts. The tuner fits weights to records, and the `eval` table is
//! printed from one.

use chess::Position;

use super::endgame;
use super::pawns::PawnStructure;
use super::tapered::Tapered;
use super::terms::{FEATURES, Feature};
use super::trace::{EvaluationTrace, RelativeSide};
use super::{Balance, blend, danger};

/// A feature that one side has, and how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureCount {
    /// Its side.
    pub side: RelativeSide,
    /// Its index.
    pub feature: Feature,
    /// How often.
    pub count: i32,
}

/// Everything that an evaluation depends on, except for the weights.
#[derive(Clone, Debug)]
pub struct EvaluationRecord {
    /// The features of both sides. One may occur several times.
    pub entries: Vec<FeatureCount>,
    /// From 24 (all pieces) to 0 (none).
    pub phase: i32,
    /// Endgame scale in 64ths: for our advantage, and for theirs.
    pub scales: [i32; 2],
    /// Centipawns added for us for driving a bare king to the edge.
    pub drive: i32,
}

impl EvaluationTrace for Vec<FeatureCount> {
    fn record(&mut self, side: RelativeSide, feature: Feature, count: i32) {
        if count != 0 {
            self.push(FeatureCount { side, feature, count });
        }
    }
}

impl EvaluationRecord {
    /// Evaluates the position and records all features.
    pub fn new(position: &Position) -> EvaluationRecord {
        let mut entries = Vec::with_capacity(160);
        let pawns = PawnStructure::new(position, &mut entries);
        let balance = Balance::new(position, &pawns, &mut entries);
        let (phase, drive) = (balance.phase, balance.drive());
        let scales = [endgame::scale(&balance.us), endgame::scale(&balance.them)];
        EvaluationRecord { entries, phase, scales, drive }
    }

    /// The evaluation with these weights, exactly as the evaluation would compute it.
    pub fn value(&self, weights: &[Tapered; FEATURES]) -> i32 {
        let sum = self.sum(weights, RelativeSide::Us) - self.sum(weights, RelativeSide::Them);
        let scale = self.scales[usize::from(sum.endgame() < 0)];
        blend(sum, self.phase, scale, self.drive)
    }

    /// One side's terms added up.
    fn sum(&self, weights: &[Tapered; FEATURES], side: RelativeSide) -> Tapered {
        let (mut plain, mut units) = (Tapered::ZERO, Tapered::ZERO);
        for entry in self.entries.iter().filter(|entry| entry.side == side) {
            let value = weights[entry.feature.index()] * entry.count;
            if entry.feature.is_danger() {
                units += value;
            } else {
                plain += value;
            }
        }
        plain + danger::value(units)
    }
}
