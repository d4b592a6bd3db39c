//! Times of single moves, and the ratio of two groups.

use std::time::Duration;

use chess::Position;

use crate::check::Examination;
use crate::confidence::{BoundSide, Confidence, margin_of_difference, margin_of_error};
use crate::repro_log::concat_repro;
use crate::samples::mean;
use crate::search_output::SearchOutput;

/// Searches with the same `go`.
#[derive(Default)]
pub struct Times(Vec<SearchOutput>);

const TIMEOUT: Duration = Duration::from_secs(3);

impl Times {
    /// One search per position, each after `ucinewgame`. None is cut short at the end of the time budget, because it could not
    /// be compared.
    pub fn measure(exam: &mut Examination, positions: &[Position], go: &str) -> Self {
        let mut times = Self::default();
        for position in positions {
            if !exam.has_time() {
                break;
            }
            times.0.extend(exam.engine.search_fresh(position, go, TIMEOUT));
        }
        times
    }

    pub fn searches(&self) -> &[SearchOutput] {
        &self.0
    }

    /// The geometric mean.
    pub fn millis(&self) -> f64 {
        1000.0 * mean(&self.logs()).exp()
    }

    /// Commands for a search of each kind in the same position.
    pub fn beside(&self, other: &Self) -> Vec<String> {
        let same = |one: &SearchOutput| other.0.iter().find(|two| two.position == one.position);
        let both = self.0.iter().find_map(|one| Some((one, same(one)?)));
        both.map_or_else(Vec::new, |(one, two)| concat_repro(&one.repro(), &two.repro()))
    }

    /// Adds searches of further positions.
    pub fn extend(&mut self, further: Self) {
        self.0.extend(further.0);
    }

    /// Whether both are of the same positions in the same order.
    fn has_positions_of(&self, other: &Self) -> bool {
        let positions = |times: &Self| times.0.iter().map(|result| result.position).collect::<Vec<_>>();
        positions(self) == positions(other)
    }

    /// Logarithms of the times in seconds.
    fn logs(&self) -> Vec<f64> {
        self.0.iter().map(|result| result.elapsed.as_secs_f64().max(0.001).ln()).collect()
    }

    #[cfg(test)]
    pub fn of(millis: &[u64]) -> Self {
        Self(millis.iter().map(|&time| SearchOutput::with_times(time, time)).collect())
    }
}

pub struct Ratio {
    pub value: f64,
    /// Margin of error (95 %).
    pub error: f64,
    /// Whether it is at least the bound.
    pub is_above: bool,
    pub confidence: Confidence,
}

/// Milliseconds below which the clock has no influence.
const MIN_TIME: f64 = 10.0;

pub const TOO_QUICK: &str = "too few moves, or all take less than 10 ms";

impl Ratio {
    /// `None` with too few moves, or if all are too quick.
    pub fn of(longer: &Times, shorter: &Times, bound: f64) -> Option<Self> {
        if longer.millis() < MIN_TIME && shorter.millis() < MIN_TIME {
            return None;
        }
        let value = longer.millis() / shorter.millis();
        let is_above = value >= bound;
        let (long, short) = (longer.logs(), shorter.logs());
        let side = BoundSide::above_if(is_above);
        // Positions differ more than the clocks do.
        let (margin, confidence) = if longer.has_positions_of(shorter) {
            let pairs: Vec<f64> = long.iter().zip(&short).map(|(long, short)| long - short).collect();
            (margin_of_error(&pairs)?, Confidence::of_mean(&pairs, bound.ln(), side))
        } else {
            let confidence = Confidence::of_difference(&long, &short, bound.ln(), side);
            (margin_of_difference(&long, &short)?, confidence)
        };
        Some(Self { value, error: value * margin, is_above, confidence })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratio_has_a_margin_of_error() {
        let ratio =
            |longer: &[u64], shorter: &[u64]| Ratio::of(&Times::of(longer), &Times::of(shorter), 1.25);
        let steady = ratio(&[400, 410, 390], &[100, 101, 99]).expect("enough times");
        assert!(steady.is_above && steady.confidence.level > 0.99 && steady.error < 0.3);
        let noisy = ratio(&[400, 60, 900], &[100, 300, 30]).expect("enough times");
        assert!(noisy.confidence.level < 0.9 && noisy.error > 1.0);
    }

    /// Ten times as long in one position as in the other, with either clock.
    #[test]
    fn positions_are_compared_with_themselves() {
        let [one, other] =
            [Position::startpos(), Position::startpos().after(Position::startpos().legal_moves()[0])];
        let of = |times: [u64; 2], positions: [Position; 2]| {
            let searches = times.into_iter().zip(positions);
            Times(
                searches
                    .map(|(time, position)| SearchOutput { position, ..SearchOutput::with_times(time, time) })
                    .collect(),
            )
        };
        let level =
            |longer, shorter| Ratio::of(&longer, &shorter, 1.25).expect("enough times").confidence.level;
        let short = || of([100, 1000], [one, other]);
        assert!(level(of([101, 1020], [one, other]), short()) > 0.95);
        assert!(level(of([1020, 101], [other, one]), short()) < 0.8);
    }

    #[test]
    fn quick_moves_have_no_ratio() {
        let ratio =
            |longer: &[u64], shorter: &[u64]| Ratio::of(&Times::of(longer), &Times::of(shorter), 1.25);
        assert!(ratio(&[2, 2, 2], &[2, 2, 2]).is_none());
        assert!(ratio(&[200], &[100]).is_none());
    }

    #[test]
    fn repro_uses_the_same_position() {
        let start = Position::startpos();
        let other = start.after(start.legal_moves()[0]);
        let of = |position, go: &str| {
            let asked = ["uci", "ucinewgame", go].map(str::to_owned).into();
            SearchOutput { position, asked, ..SearchOutput::with_times(1, 1) }
        };
        let short = Times(vec![of(other, "go short other"), of(start, "go short")]);
        let long = Times(vec![of(start, "go long")]);
        assert_eq!(short.beside(&long), ["uci", "ucinewgame", "go short", "ucinewgame", "go long"]);
        assert!(short.beside(&Times::default()).is_empty());
    }
}
