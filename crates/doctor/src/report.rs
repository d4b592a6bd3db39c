//! The report: the result of a run as data. It is written as JSON (schema in `docs/doctor-reference.md`) and read for
//! comparisons; text and HTML are made from it.

use serde::{Deserialize, Serialize};

use super::catalogue::CheckId;
use super::check::Thoroughness;
use super::diagnosis::Diagnosis;
use super::finding::{Finding, Verdict};
use super::incident::Incident;
use super::same_tree::Tree;
use super::subject::Subject;

/// Version of the JSON format. Schema 1 had other names for verdicts, errors and some findings; it can still be read.
pub const SCHEMA: u32 = 2;
/// The first schema that can be read.
pub const MIN_SCHEMA: u32 = 1;

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub schema: u32,
    /// Name and version of the program that wrote it.
    pub doctor: String,
    /// `id name` of the engine.
    pub engine: String,
    pub subject: Subject,
    pub thoroughness: Thoroughness,
    pub seconds: f64,
    /// System load per CPU at the start and at the end, where known.
    pub load: Vec<f64>,
    pub interrupted: bool,
    pub searches: u64,
    /// Processes started.
    pub starts: u32,
    /// Names of the checks that were run, in order.
    pub checks: Vec<String>,
    #[serde(default)]
    pub check_seconds: Vec<f64>,
    pub findings: Vec<Finding>,
    pub diagnosis: Diagnosis,
    /// Searches that a comparison with another build can read; none where the engine is not deterministic.
    #[serde(default)]
    pub trees: Vec<Tree>,
    /// The first crashes and hangs.
    pub incidents: Vec<Incident>,
}

impl Report {
    pub fn with_verdict(&self, verdict: Verdict) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.verdict == verdict)
    }

    /// Whether nothing failed.
    pub fn is_healthy(&self) -> bool {
        self.with_verdict(Verdict::Fail).next().is_none()
    }

    pub fn worst_of(&self, check: CheckId) -> Verdict {
        let verdicts = self.findings.iter().filter(|finding| finding.check == check.name());
        let rank = |verdict: &Verdict| match verdict {
            Verdict::Skipped => 0,
            Verdict::Pass => 1,
            Verdict::Warning => 2,
            Verdict::Fail => 3,
        };
        verdicts.map(|finding| finding.verdict).max_by_key(rank).unwrap_or(Verdict::Skipped)
    }

    pub fn finding(&self, id: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.id == id)
    }
}
