//! The report: everything that an examination found, as data. It is written as JSON (`docs/doctor.md` has the schema) and
//! read again for comparisons; the other forms are made of it.

use serde::{Deserialize, Serialize};

use super::check::Thoroughness;
use super::diagnosis::Diagnosis;
use super::finding::{Finding, Verdict};
use super::patient::{Incident, Subject};

/// The version of the schema; it grows when a field changes its meaning.
pub const SCHEMA: u32 = 1;

/// What an examination found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of this schema.
    pub schema: u32,
    /// The examining program.
    pub doctor: String,
    /// `id name` of the engine.
    pub engine: String,
    /// How it was started.
    pub subject: Subject,
    /// How thorough the examination was.
    pub thoroughness: Thoroughness,
    /// Seconds it took.
    pub seconds: f64,
    /// Programs for each processor at the start and at the end, where the system tells.
    pub load: Vec<f64>,
    /// Whether it was ended before its time.
    pub interrupted: bool,
    /// Searches asked for.
    pub searches: u64,
    /// Processes started.
    pub starts: u32,
    /// Checks that were made, in order.
    pub checks: Vec<String>,
    /// Seconds that each of them took.
    #[serde(default)]
    pub check_seconds: Vec<f64>,
    /// What they found.
    pub findings: Vec<Finding>,
    /// What it means.
    pub diagnosis: Diagnosis,
    /// Crashes and hangs, the first ones.
    pub incidents: Vec<Incident>,
}

impl Report {
    /// Findings of this meaning.
    pub fn with_verdict(&self, verdict: Verdict) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.verdict == verdict)
    }

    /// Whether nothing is wrong.
    pub fn is_healthy(&self) -> bool {
        self.with_verdict(Verdict::Alarm).next().is_none()
    }

    /// The finding of this name.
    pub fn finding(&self, id: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.id == id)
    }
}
