//! Sums of terms. Every term goes through [`TermSum::add`], which looks up the weight, adds it and reports it
//! to an [`EvaluationTrace`]. So the tuner and `eval` always see the terms that the search uses. The trace is a
//! compile-time parameter and [`NoTrace`] costs nothing.

use super::tapered::Tapered;
use super::terms::Feature;
use super::weights::WEIGHTS;

/// Whose feature it is, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum RelativeSide {
    /// The side to move.
    Us = 0,
    /// The other side.
    Them = 1,
}

/// Receives the features of an evaluation.
pub trait EvaluationTrace {
    /// A side has a feature `count` times.
    fn record(&mut self, side: RelativeSide, feature: Feature, count: i32);
}

/// Ignores them, at no cost.
#[derive(Clone, Copy, Default)]
pub struct NoTrace;

impl EvaluationTrace for NoTrace {
    #[inline(always)]
    fn record(&mut self, _: RelativeSide, _: Feature, _: i32) {}
}

/// The running sum of one side's terms.
pub(super) struct TermSum<'a, T> {
    trace: &'a mut T,
    side: RelativeSide,
    sum: Tapered,
}

impl<'a, T: EvaluationTrace> TermSum<'a, T> {
    pub(super) fn new(trace: &'a mut T, side: RelativeSide) -> Self {
        TermSum { trace, side, sum: Tapered::ZERO }
    }

    /// Adds a feature once.
    #[inline(always)]
    pub(super) fn add(&mut self, feature: Feature) {
        self.trace.record(self.side, feature, 1);
        self.sum += WEIGHTS[feature.index()];
    }

    /// Adds a feature several times.
    #[inline(always)]
    pub(super) fn add_times(&mut self, feature: Feature, count: u32) {
        self.trace.record(self.side, feature, count as i32);
        self.sum += WEIGHTS[feature.index()] * count as i32;
    }

    /// The sum so far.
    #[inline(always)]
    pub(super) fn sum(&self) -> Tapered {
        self.sum
    }
}
