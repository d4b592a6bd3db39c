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
    pub finished: bool,
    pub error: Option<String>,
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
