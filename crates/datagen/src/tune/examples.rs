//! Training examples: features and counts, packed so that millions fit into memory.

use engine::evaluation::{EvaluationRecord, FEATURES, FeatureCount, RelativeSide};

use super::sample::TuningPosition;

/// A feature and its count; the other side's counts are negative where terms are linear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count {
    pub feature: u16,
    pub count: i16,
}

/// One position; its counts are in [`TuningExamples`].
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Index of its first count.
    start: usize,
    /// Number of linear counts; then the units of our attack, then those of theirs.
    plain: u16,
    our_units: u16,
    their_units: u16,
    phase: u8,
    scales: [u8; 2],
    drive: i16,
    points: f32,
    score: Option<i16>,
}

#[derive(Default)]
pub struct TuningExamples {
    rows: Vec<Row>,
    counts: Vec<Count>,
}

pub(super) struct TuningExample<'a> {
    pub plain: &'a [Count],
    /// Units of the attack on the enemy's king and on ours.
    pub units: [&'a [Count]; 2],
    pub phase: f64,
    pub scales: [f64; 2],
    pub drive: f64,
    /// The side to move's points, from 0 to 1.
    pub points: f64,
    /// The search score in centipawns for the side to move.
    pub score: Option<f64>,
}

impl TuningExamples {
    pub fn push(&mut self, sample: &TuningPosition) {
        let record = EvaluationRecord::new(&sample.position);
        let start = self.counts.len();
        let danger = |entry: &&FeatureCount| entry.feature.is_danger();
        let plain = self.append(record.entries.iter().filter(|entry| !danger(entry)), |side| match side {
            RelativeSide::Us => 1,
            RelativeSide::Them => -1,
        });
        let units = record.entries.iter().filter(danger);
        let our_units = self.append(units.clone().filter(|entry| entry.side == RelativeSide::Us), |_| 1);
        let their_units = self.append(units.filter(|entry| entry.side == RelativeSide::Them), |_| 1);
        self.rows.push(Row {
            start,
            plain,
            our_units,
            their_units,
            phase: record.phase as u8,
            scales: record.scales.map(|scale| scale as u8),
            drive: record.drive as i16,
            points: sample.points(),
            score: sample.mover_score().map(|score| score.clamp(i16::MIN.into(), i16::MAX.into()) as i16),
        });
    }

    /// Sums entries by feature, and appends those that do not cancel.
    fn append<'a>(
        &mut self,
        entries: impl Iterator<Item = &'a FeatureCount>,
        sign: impl Fn(RelativeSide) -> i32,
    ) -> u16 {
        let mut sums = [0_i32; FEATURES];
        for entry in entries {
            sums[entry.feature.index()] += sign(entry.side) * entry.count;
        }
        let before = self.counts.len();
        let counts = sums.iter().enumerate().filter(|&(_, &count)| count != 0);
        self.counts
            .extend(counts.map(|(feature, &count)| Count { feature: feature as u16, count: count as i16 }));
        (self.counts.len() - before) as u16
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn get(&self, index: usize) -> TuningExample<'_> {
        let row = &self.rows[index];
        let (plain, rest) = self.counts[row.start..].split_at(row.plain.into());
        let (ours, rest) = rest.split_at(row.our_units.into());
        let theirs = &rest[..row.their_units.into()];
        TuningExample {
            plain,
            units: [ours, theirs],
            phase: row.phase.into(),
            scales: row.scales.map(f64::from),
            drive: row.drive.into(),
            points: row.points.into(),
            score: row.score.map(f64::from),
        }
    }
}
