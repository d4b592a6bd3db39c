//! The results of revisions: a file that grows by a line for each.

use std::collections::HashMap;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};

use support::files::{AppendFile, CONTENT_LIMIT, FileLock, create_dir_all, read_limited, sync_parent};

use super::{Examined, RevisionError};

/// The results of one job, and the file with those of all jobs. The folder is locked.
pub struct Results {
    path: PathBuf,
    file: AppendFile,
    known: HashMap<String, Examined>,
    _lock: FileLock,
}

impl Results {
    /// Opens the file in a folder, and reads the results of a job, unless `fresh`. A torn last line is dropped.
    ///
    /// # Errors
    /// Another process has the folder, or it cannot be written.
    pub fn open(folder: &Path, job: &str, fresh: bool) -> Result<Results, RevisionError> {
        create_dir_all(folder).map_err(|error| RevisionError::file(folder, &error))?;
        let lock = FileLock::create(&folder.join("lock")).map_err(|error| match error {
            TryLockError::WouldBlock => RevisionError::Busy,
            TryLockError::Error(error) => RevisionError::file(folder, &error),
        })?;
        let path = folder.join("results.jsonl");
        let (file, lines) = open(&path).map_err(|error| RevisionError::file(&path, &error))?;
        let lines = lines.lines().filter_map(|line| serde_json::from_str::<Examined>(line).ok());
        let known = lines.filter(|examined| examined.job == job && !fresh);
        let known = known.map(|examined| (examined.commit.clone(), examined)).collect();
        Ok(Results { path, file, known, _lock: lock })
    }

    pub fn get(&self, commit: &str) -> Option<&Examined> {
        self.known.get(commit)
    }

    /// Appends a result, which is on the disk when this returns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, examined: Examined) -> Result<(), RevisionError> {
        let line = serde_json::to_string(&examined).map_err(|error| RevisionError::Git(error.to_string()))?;
        let written = self.file.append(format!("{line}\n").as_bytes()).and_then(|()| self.file.sync());
        written.map_err(|error| RevisionError::file(&self.path, &error))?;
        self.known.insert(examined.commit.clone(), examined);
        Ok(())
    }
}

/// Opens the file, and returns its whole lines.
fn open(path: &Path) -> io::Result<(AppendFile, String)> {
    let mut file = AppendFile::open(path)?;
    let mut bytes = read_limited(path, CONTENT_LIMIT)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if whole < bytes.len() {
        file.truncate(whole as u64)?;
        bytes.truncate(whole);
    }
    sync_parent(path)?;
    Ok((file, String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::fs;
    use support::files::faults::{Interruption, Survival, every_crash, every_fault};

    const COMMITS: [&str; 4] = ["a1", "b2", "c3", "d4"];

    fn result(commit: &str) -> Examined {
        // Characters of several bytes, which a crash can tear.
        let reason = Some("−−−−−−−−−−−−±±±±±±±±±±±±".to_owned());
        Examined { job: "job".to_owned(), commit: commit.to_owned(), not_built: reason, findings: Vec::new() }
    }

    /// Adds the results that are missing; `written` counts those that were acknowledged.
    fn work(folder: &Path, written: &Cell<usize>) -> Result<(), RevisionError> {
        let folder = folder.join("results");
        for commit in COMMITS {
            // Each in a run of its own.
            let mut results = Results::open(&folder, "job", false)?;
            if results.get(commit).is_none() {
                results.add(result(commit))?;
            }
            written.set(written.get() + 1);
        }
        Ok(())
    }

    /// What was acknowledged is there, and nothing is measured twice.
    fn check(folder: &Path, written: &Cell<usize>, point: &Interruption) {
        let results = Results::open(&folder.join("results"), "job", false).expect("readable");
        for commit in &COMMITS[..written.get()] {
            assert_eq!(results.get(commit), Some(&result(commit)), "{point}: {commit}");
        }
        drop(results);
        work(folder, &Cell::new(0)).unwrap_or_else(|error| panic!("{point}: {error}"));
        let text = fs::read_to_string(folder.join("results/results.jsonl")).expect("a text");
        let commits: Vec<Examined> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        assert_eq!(commits, COMMITS.map(result), "{point}: {text}");
    }

    #[test]
    fn crash_loses_no_result() {
        let root = tempfile::tempdir().expect("a folder");
        let written = Cell::new(0);
        let (prepare, work) = (|_: &Path| written.set(0), |folder: &Path| work(folder, &written));
        let check_crash = |folder: &Path, point: &Interruption| check(folder, &written, point);
        let crashes = every_crash(root.path(), &Survival::ALL, prepare, work, check_crash);
        let check_fault = |folder: &Path, point: &Interruption, _| check(folder, &written, point);
        let faults = every_fault(root.path(), prepare, work, check_fault);
        println!("results of revisions: {crashes} crashes, {faults} faults");
        assert!(crashes > 100 && faults > 30, "{crashes} {faults}");
    }

    #[test]
    fn results_of_other_jobs_are_ignored() {
        let folder = tempfile::tempdir().expect("a folder");
        Results::open(folder.path(), "job", false)
            .and_then(|mut results| results.add(result("a1")))
            .expect("added");
        let is_known =
            |job, fresh| Results::open(folder.path(), job, fresh).expect("readable").get("a1").is_some();
        assert_eq!(
            (is_known("job", false), is_known("job", true), is_known("other", false)),
            (true, false, false)
        );
        let first = Results::open(folder.path(), "job", false).expect("readable");
        assert!(matches!(Results::open(folder.path(), "job", false), Err(RevisionError::Busy)));
        drop(first);
    }
}
