//! Examines revisions of an engine's repository. Each is checked out in a work tree of its own, built and tested; results are
//! kept beside the repository's objects, so that an interrupted command continues, and nothing is measured twice.

mod bisect;
mod build;
mod git;
mod history;
mod results;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use support::files::{remove_file, replace};
use support::hash::fnv1a;
use support::shell::{quoted, split_arguments};

use super::catalogue::{CheckId, FindingId};
use super::check::Thoroughness;
use super::examine::{CheckStarted, ExaminationPlan};
use super::finding::{Finding, Verdict};
use super::subject::Subject;

pub use bisect::{BisectResult, Bisection, bisect};
pub use git::{CommitTitle, Repository};
pub use history::{HistoryRow, RevisionHistory};
use results::Results;

/// The folder in Git's own: no build system looks there.
const FOLDER: &str = "vedette-doctor";

/// What is done with each revision.
#[derive(Clone, Debug)]
pub struct BuildPlan {
    /// A folder of the repository.
    pub repository: PathBuf,
    /// Shell command, run in the root of the work tree.
    pub build: String,
    /// The time limit of a build.
    pub build_limit: Duration,
    /// Program and arguments; a relative path of the program begins at the root of the work tree.
    pub engine: String,
    pub options: Vec<(String, String)>,
    pub checks: Vec<CheckId>,
    pub thoroughness: Thoroughness,
    /// Name and version of this program.
    pub doctor: String,
}

impl BuildPlan {
    /// Results of jobs with another key cannot be used.
    fn key(&self) -> String {
        let Self { repository: _, build_limit: _, build, engine, options, checks, thoroughness, doctor } =
            self;
        let text = format!("{build:?} {engine:?} {options:?} {checks:?} {thoroughness:?} {doctor:?}");
        format!("{:016x}", fnv1a(text.bytes()))
    }
}

/// The result of one revision, a line of the results file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Examined {
    job: String,
    pub commit: String,
    /// Why it could not be built.
    pub not_built: Option<String>,
    /// Without plots and commands.
    pub findings: Vec<Finding>,
}

/// What a revision says about one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingState {
    Fails(String),
    Passes(String),
    /// It does not build or start, or the finding was skipped.
    Unknown(String),
}

impl Examined {
    /// Whether a finding fails.
    pub fn answer(&self, id: FindingId) -> FindingState {
        if let Some(reason) = &self.not_built {
            return FindingState::Unknown(format!("not built: {reason}"));
        }
        if let Some(finding) = self.findings.iter().find(|finding| finding.is(id)) {
            let summary = finding.summary.clone();
            return match finding.verdict {
                Verdict::Fail => FindingState::Fails(summary),
                Verdict::Pass | Verdict::Warning => FindingState::Passes(summary),
                Verdict::Skipped => FindingState::Unknown(format!("skipped: {summary}")),
            };
        }
        let prevents = |finding: &&Finding| {
            let is_start =
                [FindingId::HandshakeStart, FindingId::HandshakeReady].iter().any(|&id| finding.is(id));
            finding.check == id.check().name() || is_start
        };
        // A finding that is reported only where it fails.
        let aborted =
            self.findings.iter().filter(|finding| finding.known().is_none() || finding.is_failure());
        match aborted
            .clone()
            .find(prevents)
            .filter(|finding| finding.known().is_none() || !is_of(finding, id))
        {
            Some(finding) => FindingState::Unknown(finding.summary.clone()),
            None => FindingState::Passes("not reported".to_owned()),
        }
    }
}

fn is_of(finding: &Finding, id: FindingId) -> bool {
    finding.check == id.check().name()
}

/// What happens with a revision now.
pub enum RevisionStep<'a> {
    Building,
    Examining(&'a CheckStarted),
}

/// Revisions of a repository, and what is known of them.
pub struct Revisions {
    pub repository: Repository,
    job: BuildPlan,
    key: String,
    folder: PathBuf,
    results: Results,
}

impl Revisions {
    /// Opens the repository and reads the results of earlier runs, unless `fresh`.
    ///
    /// # Errors
    /// It is not a repository, another process examines it, or its folder cannot be written.
    pub fn open(job: BuildPlan, fresh: bool) -> Result<Self, RevisionError> {
        let repository = Repository::open(&job.repository)?;
        let folder = repository.common_folder()?.join(FOLDER);
        let key = job.key();
        let results = Results::open(&folder, &key, fresh)?;
        let revisions = Self { repository, job, key, folder, results };
        if revisions.mark().exists() {
            revisions.repository.clean(&revisions.tree());
        }
        Ok(revisions)
    }

    /// The result of a commit that was examined before.
    pub fn known(&self, commit: &str) -> Option<&Examined> {
        self.results.get(commit)
    }

    fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    /// Exists while something is built: after `kill -9` there may be half an object file.
    fn mark(&self) -> PathBuf {
        self.folder.join("building")
    }

    /// Builds and tests a commit, unless its result is known.
    ///
    /// # Errors
    /// It was interrupted, or files cannot be written. A commit that does not build is a result.
    pub fn examine(
        &mut self,
        commit: &str,
        interrupt: &Arc<AtomicBool>,
        mut listen: impl FnMut(&RevisionStep),
    ) -> Result<&Examined, RevisionError> {
        if self.results.get(commit).is_none() {
            let examined = self.measure(commit, interrupt, &mut listen)?;
            self.results.add(examined)?;
        }
        self.results.get(commit).ok_or(RevisionError::Interrupted)
    }

    fn measure(
        &self,
        commit: &str,
        interrupt: &Arc<AtomicBool>,
        listen: &mut impl FnMut(&RevisionStep),
    ) -> Result<Examined, RevisionError> {
        let mut examined = Examined {
            job: self.key.clone(),
            commit: commit.to_owned(),
            not_built: None,
            findings: Vec::new(),
        };
        listen(&RevisionStep::Building);
        let tree = self.tree();
        self.repository.check_out(&tree, commit)?;
        let mark = self.mark();
        replace(&mark, commit.as_bytes()).map_err(|error| RevisionError::file(&mark, &error))?;
        let log = self.folder.join("build.log");
        let failed = build::build(&self.job.build, &tree, &log, self.job.build_limit, interrupt)?;
        remove_file(&mark).map_err(|error| RevisionError::file(&mark, &error))?;
        let command = match failed.map_or_else(|| engine_in(&tree, &self.job.engine), Err) {
            Ok(command) => command,
            Err(reason) => return Ok(Examined { not_built: Some(reason), ..examined }),
        };
        let plan = ExaminationPlan {
            subject: Subject { command, options: self.job.options.clone() },
            thoroughness: self.job.thoroughness,
            only: self.job.checks.clone(),
            time_limit: None,
            doctor: self.job.doctor.clone(),
        };
        let report = plan.run(interrupt, |progress| listen(&RevisionStep::Examining(progress)));
        if report.interrupted {
            return Err(RevisionError::Interrupted);
        }
        let trim = |finding: Finding| Finding { repro: Vec::new(), plots: Vec::new(), ..finding };
        examined.findings = report.findings.into_iter().map(trim).collect();
        Ok(examined)
    }

    /// Removes the work tree and its builds; the results stay.
    pub fn remove_tree(&self) {
        self.repository.remove_tree(&self.tree());
    }
}

/// The command of the engine that was built, or why there is none.
fn engine_in(tree: &Path, command: &str) -> Result<String, String> {
    let arguments = split_arguments(command);
    let program = tree.join(arguments.first().map_or("", String::as_str));
    if !program.is_file() {
        return Err(format!("the build left no file '{}'", arguments.first().map_or("", String::as_str)));
    }
    let program = program.to_string_lossy().into_owned();
    let command = std::iter::once(&program).chain(&arguments[1..]).map(|argument| quoted(argument));
    Ok(command.collect::<Vec<_>>().join(" "))
}

/// Why revisions cannot be examined.
#[derive(Debug)]
pub enum RevisionError {
    Git(String),
    /// There is no such revision.
    Unknown(String),
    /// Another process examines the repository.
    Busy,
    Interrupted,
    File(String),
    /// The ends of a bisection do not fit.
    Ends(String),
}

impl RevisionError {
    fn file(path: &Path, error: &io::Error) -> Self {
        Self::File(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for RevisionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Git(message) | Self::File(message) | Self::Ends(message) => f.write_str(message),
            Self::Unknown(revision) => write!(f, "unknown revision '{revision}'"),
            Self::Busy => f.write_str("another run of vedette doctor is using this repository"),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for RevisionError {}
