//! The few questions that are asked of Git.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use support::files::remove_dir_all;

use super::RevisionError;

/// A repository, used with the program `git`.
pub struct Repository {
    path: PathBuf,
}

/// What people call a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitTitle {
    pub commit: String,
    pub short: String,
    /// Year, month, day of the commit.
    pub date: String,
    pub author: String,
    pub subject: String,
}

/// Between the fields of a title.
const SEPARATOR: char = '\u{1f}';

impl Repository {
    /// Opens the repository that a folder belongs to.
    ///
    /// # Errors
    /// It belongs to none, or `git` cannot be started.
    pub fn open(path: &Path) -> Result<Self, RevisionError> {
        let repository = Self { path: path.to_owned() };
        repository.ask(&["rev-parse", "--git-dir"])?;
        Ok(repository)
    }

    /// The folder of Git's own files, which all work trees share.
    pub(super) fn common_folder(&self) -> Result<PathBuf, RevisionError> {
        let folder = self.path.join(self.ask(&["rev-parse", "--git-common-dir"])?);
        std::path::absolute(&folder).map_err(|error| RevisionError::file(&folder, &error))
    }

    /// The commit that a revision means.
    ///
    /// # Errors
    /// There is no such revision.
    pub fn commit(&self, revision: &str) -> Result<String, RevisionError> {
        let wanted = format!("{revision}^{{commit}}");
        self.ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted])
            .map_err(|_| RevisionError::Unknown(revision.to_owned()))
    }

    /// The commits of a range such as `v1..v2`, the oldest first, without those that merges brought in.
    ///
    /// # Errors
    /// The range is invalid.
    pub fn range(&self, range: &str) -> Result<Vec<String>, RevisionError> {
        let arguments = ["rev-list", "--first-parent", "--reverse", "--end-of-options", range];
        let list = self.ask(&arguments).map_err(|_| RevisionError::Unknown(range.to_owned()))?;
        Ok(list.lines().map(str::to_owned).collect())
    }

    /// A commit and its ancestors, the newest first, without those that merges brought in.
    pub(super) fn first_parents(&self, commit: &str) -> Result<Vec<String>, RevisionError> {
        let list = self.ask(&["rev-list", "--first-parent", commit])?;
        Ok(list.lines().map(str::to_owned).collect())
    }

    pub(super) fn parents(&self, commit: &str) -> Result<Vec<String>, RevisionError> {
        let line = self.ask(&["rev-list", "--parents", "--max-count=1", commit])?;
        Ok(line.split(' ').skip(1).map(str::to_owned).collect())
    }

    pub(super) fn is_ancestor(&self, older: &str, newer: &str) -> bool {
        self.ask(&["merge-base", "--is-ancestor", older, newer]).is_ok()
    }

    /// The commits from which a change can come that `new` has and the commits of `old` have not: those that halve the rest
    /// best come first, as for `git bisect`.
    pub(super) fn candidates(&self, new: &str, old: &HashSet<String>) -> Result<Vec<String>, RevisionError> {
        let mut arguments = vec!["rev-list", "--bisect-all", new, "--not"];
        arguments.extend(old.iter().map(String::as_str));
        let list = self.ask(&arguments)?;
        Ok(list.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
    }

    /// # Errors
    /// There is no such commit.
    pub fn title(&self, commit: &str) -> Result<CommitTitle, RevisionError> {
        let format = format!("--format=%h{SEPARATOR}%cs{SEPARATOR}%an{SEPARATOR}%s");
        let line = self.ask(&["show", "--no-patch", "--no-show-signature", &format, commit])?;
        let mut fields = line.splitn(4, SEPARATOR).map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        Ok(CommitTitle {
            commit: commit.to_owned(),
            short: next(),
            date: next(),
            author: next(),
            subject: next(),
        })
    }

    /// Puts a commit into a work tree, which is made if it is missing or damaged. Files that Git does not know stay, so that
    /// a build is incremental.
    pub(super) fn check_out(&self, tree: &Path, commit: &str) -> Result<(), RevisionError> {
        if tree.join(".git").exists()
            && Self::ask_in(tree, &["checkout", "--force", "--detach", "--quiet", commit]).is_ok()
        {
            return Ok(());
        }
        self.remove_tree(tree);
        let tree = tree.to_string_lossy();
        self.ask(&["worktree", "add", "--force", "--detach", "--quiet", &tree, commit]).map(drop)
    }

    /// Deletes what builds left behind.
    pub(super) fn clean(&self, tree: &Path) {
        if tree.join(".git").exists() && Self::ask_in(tree, &["clean", "-ffdxq"]).is_err() {
            self.remove_tree(tree);
        }
    }

    /// Removes a work tree; what is left of it is made again.
    pub(super) fn remove_tree(&self, tree: &Path) {
        let _ = remove_dir_all(tree);
        let _ = self.ask(&["worktree", "prune"]);
    }

    fn ask(&self, arguments: &[&str]) -> Result<String, RevisionError> {
        Self::ask_in(&self.path, arguments)
    }

    fn ask_in(folder: &Path, arguments: &[&str]) -> Result<String, RevisionError> {
        let mut command = Command::new("git");
        command
            .args(["-c", "core.hooksPath=/dev/null", "-C"])
            .arg(folder)
            .args(arguments)
            .stdin(Stdio::null());
        // Set where a hook started this program.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
            command.env_remove(variable);
        }
        let output = command.output().map_err(|error| RevisionError::Git(format!("git: {error}")))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned());
        }
        let message = String::from_utf8_lossy(&output.stderr);
        Err(RevisionError::Git(format!("git {}: {}", arguments[0], message.trim())))
    }
}
