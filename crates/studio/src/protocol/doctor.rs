//! Doctor runs and their reports.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use super::bounded;
use crate::store::Id;

/// More than there are.
const MAX_CHECKS: usize = 200;

#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct DoctorStart {
    /// Name of an external engine; none for Vedette.
    pub engine: Option<String>,
    pub thoroughness: Thoroughness,
    /// Names of the checks to run; empty for all.
    #[serde(deserialize_with = "bounded::<MAX_CHECKS, _, _>")]
    pub only: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(TS))]
pub enum Thoroughness {
    Quick,
    Full,
}

/// A check that can be selected.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct CheckInfo {
    pub name: String,
    pub title: String,
    pub group: String,
    /// Seconds that it may take; 0 if it is left out.
    pub quick: u64,
    pub full: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct DoctorProgress {
    pub id: Id,
    pub engine: String,
    /// The check in progress.
    pub title: String,
    pub number: usize,
    pub of: usize,
    /// Upper bound of the time left, in seconds.
    pub left: u64,
    /// All checks of the run, in their order.
    pub checks: Vec<CheckState>,
    pub finished: bool,
    pub error: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct CheckState {
    pub title: String,
    /// The worst verdict; none before the check is done.
    pub verdict: Option<Verdict>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(TS))]
pub enum Verdict {
    Pass,
    Skipped,
    Warning,
    Fail,
}

/// A report, for the page.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct DoctorReport {
    pub id: Id,
    pub engine: String,
    /// Name and version of the doctor.
    pub doctor: String,
    pub seconds: f64,
    pub interrupted: bool,
    pub headline: String,
    pub causes: Vec<ReportCause>,
    pub findings: Vec<ReportFinding>,
    /// The same for an issue.
    pub markdown: String,
}

/// What may explain the failures.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReportCause {
    pub cause: String,
    pub advice: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReportFinding {
    pub id: String,
    pub group: String,
    pub verdict: Verdict,
    pub summary: String,
    /// When it fails.
    pub threshold: String,
    /// UCI commands that reproduce it.
    pub repro: Vec<String>,
}

/// What changed between two reports.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Comparison {
    /// New failures.
    pub worse: Vec<Change>,
    /// Fixed failures.
    pub better: Vec<Change>,
    /// Other verdicts that changed.
    pub other: Vec<Change>,
    /// The same verdict with another number.
    pub moved: Vec<Change>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Change {
    pub finding: String,
    pub before: Option<Verdict>,
    pub after: Option<Verdict>,
    /// Before, after and unit.
    pub effect: Option<(f64, f64, String)>,
    pub summary: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReportSummary {
    pub id: Id,
    pub engine: String,
    pub healthy: bool,
    pub failures: usize,
    /// Number of checks that were run.
    pub checks: usize,
    pub interrupted: bool,
    pub seconds: f64,
    pub causes: Vec<String>,
}
