//! The causes that the doctor knows, each with the alarms that it would raise; one file for each field.

mod clock;
mod draws;
mod evaluation;
mod leaves;
mod legality;
mod limits;
mod mates;
mod pruning;
mod table;
mod windows;
mod words;

use super::evidence::tells_hangs;
use crate::finding::Finding;

/// A cause.
pub struct Explanation {
    /// Its short name.
    pub id: &'static str,
    /// The cause in a sentence.
    pub cause: &'static str,
    /// What to look at and test next.
    pub advice: &'static str,
    /// Findings and the probability that each is an alarm when this is the cause.
    pub predicts: &'static [(&'static str, f64)],
}

impl Explanation {
    /// The probability that this finding is an alarm when this is the cause; `None` when the cause says nothing about it.
    pub(super) fn probability(&self, finding: &Finding) -> Option<f64> {
        let is_meant = |name: &str| match name.strip_suffix(HANGS) {
            Some(id) => finding.id == id && (!finding.is_alarm() || tells_hangs(finding)),
            None => finding.id == name,
        };
        self.predicts.iter().find(|(name, _)| is_meant(name)).map(|&(_, probability)| probability)
    }

    /// Whether every alarm is there without which the cause is out of the question.
    pub(super) fn is_possible(&self, findings: &[Finding]) -> bool {
        let is_alarm = |id: &str| findings.iter().any(|finding| finding.id == id && finding.is_alarm());
        self.predicts.iter().all(|&(id, probability)| probability < ALWAYS || is_alarm(id))
    }

    /// Whether only an engine with a hash table can have it.
    pub(super) fn is_about_the_table(&self) -> bool {
        table::CAUSES.iter().any(|cause| cause.id == self.id)
    }
}

/// At the end of a finding's name: only searches that do not end are predicted, not crashes.
pub(super) const HANGS: &str = "/hangs";

/// Without it the cause is out of the question.
const ALWAYS: f64 = 0.9999;
/// Certain but for bad luck.
const SURE: f64 = 0.97;
/// More often than not.
pub(super) const LIKELY: f64 = 0.75;
/// Depends on the engine.
pub(super) const MAYBE: f64 = 0.35;
/// In some engines, where the play hides it.
const SELDOM: f64 = 0.15;
/// More seldom than by accident: such an alarm points to another cause.
const HARDLY: f64 = 0.004;
/// What the cause cannot bring about at all.
const NEVER: f64 = 0.0005;

/// All of them, field by field. Where two fit equally well, the first of them is named first.
pub fn explanations() -> impl Iterator<Item = &'static Explanation> {
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
        words::CAUSES,
    ]
    .into_iter()
    .flatten()
}
