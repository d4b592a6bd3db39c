//! The known causes, each with the findings that it makes fail; one file per field.

mod clock;
mod draws;
mod evaluation;
mod leaves;
mod legality;
mod limits;
mod mates;
mod output;
mod pruning;
mod table;
mod windows;

use super::evidence::has_hangs;
use crate::catalogue::FindingId;
use crate::diagnosis::price::Price;
use crate::finding::Finding;

pub struct Cause {
    pub id: &'static str,
    /// As the title of an issue.
    pub cause: &'static str,
    /// What it costs in games.
    pub price: Price,
    /// What to look at and to test next.
    pub advice: &'static str,
    /// Findings, and the probability that each fails with this cause.
    pub predicts: &'static [(FindingId, f64)],
}

/// Causes whose prediction of crashes and hangs is about hangs only.
const HANGS_ONLY: &[&str] = &["bounds-misused"];

impl Cause {
    /// The probability that this finding fails with this cause; `None` when the cause does not predict it.
    pub(super) fn probability(&self, finding: &Finding) -> Option<f64> {
        let (_, probability) = self.predicts.iter().find(|(id, _)| finding.is(*id))?;
        let is_crash =
            finding.is(FindingId::LegalityStability) && finding.is_failure() && !has_hangs(finding);
        (!is_crash || !HANGS_ONLY.contains(&self.id)).then_some(*probability)
    }

    /// Whether all findings fail without which the cause is impossible.
    pub(super) fn is_possible(&self, findings: &[Finding]) -> bool {
        let fails = |id| findings.iter().any(|finding| finding.is(id) && finding.is_failure());
        self.predicts.iter().all(|&(id, probability)| probability < ALWAYS || fails(id))
    }

    /// Whether only an engine with a hash table can have it.
    pub(super) fn needs_table(&self) -> bool {
        table::CAUSES.iter().any(|cause| cause.id == self.id)
    }
}

/// Impossible without it.
const ALWAYS: f64 = 0.9999;
const SURE: f64 = 0.97;
pub(super) const LIKELY: f64 = 0.75;
/// Depends on the engine.
pub(super) const MAYBE: f64 = 0.35;
const SELDOM: f64 = 0.15;
/// Less often than by accident: such a failure points to another cause.
const HARDLY: f64 = 0.004;
const NEVER: f64 = 0.0005;

/// All causes. Of two that fit equally well the first is ranked first.
pub fn causes() -> impl Iterator<Item = &'static Cause> {
    [
        evaluation::CAUSES,
        windows::CAUSES,
        limits::CAUSES,
        clock::CAUSES,
        leaves::CAUSES,
        table::CAUSES,
        mates::CAUSES,
        legality::CAUSES,
        draws::CAUSES,
        pruning::CAUSES,
        output::CAUSES,
    ]
    .into_iter()
    .flatten()
}
