//! Drafts: files under a temporary name until they are complete.

use std::fs::{self, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::disk::{remove_dir_all, remove_file, rename, sync_parent};
use super::{File, lock};

/// The end of a draft's name.
const ENDING: &str = ".part";
/// The end of the name of a draft's scratch folder.
const SCRATCH: &str = ".scratch";

/// A file that will get its name when it is complete. It is in the same folder, since files cannot be renamed across file
/// systems, and locked, so that a later process can distinguish a draft in use from one that a crash has left.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    /// Closed by [`publish`](Self::publish).
    file: Option<File>,
}

impl Draft {
    /// A new, empty draft of `target`. Drafts left by dead processes are removed.
    pub fn of(target: &Path) -> io::Result<Draft> {
        remove_stale(target);
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = with_ending(target, &format!(".{}-{number}{ENDING}", std::process::id()));
            match lock(&path, File::create_new) {
                Ok(file) => return Ok(Draft { path, file: Some(file) }),
                // Another process removed it as stale before it was locked, or used the same number.
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }

    /// The file to write to.
    pub fn file(&mut self) -> io::Result<&mut File> {
        self.file.as_mut().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// A folder for temporary files, removed with the draft.
    pub fn scratch(&self) -> io::Result<PathBuf> {
        let path = with_ending(&self.path, SCRATCH);
        super::create_dir_all(&path)?;
        Ok(path)
    }

    /// Gives the draft the name of `target` once its content is on the disk, and returns the file, which is still locked.
    pub fn publish(mut self, target: &Path) -> io::Result<File> {
        self.file()?.sync()?;
        self.remove_scratch()?;
        rename(&self.path, target)?;
        let file = self.file.take().ok_or(io::ErrorKind::NotFound)?;
        sync_parent(target)?;
        Ok(file)
    }

    fn remove_scratch(&self) -> io::Result<()> {
        let scratch = with_ending(&self.path, SCRATCH);
        if scratch.exists() { remove_dir_all(&scratch) } else { Ok(()) }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // What stays is removed by the next process that writes the same file.
        if self.file.is_some() && self.remove_scratch().is_ok() {
            let _ = remove_file(&self.path);
        }
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Removes drafts of a file that dead processes have left.
fn remove_stale(target: &Path) {
    let folder = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = target.file_name() else { return };
    remove_where(folder, |draft| draft.strip_prefix(name.as_encoded_bytes()).is_some_and(is_number));
}

/// Removes drafts in a folder that dead processes have left.
pub fn remove_drafts(folder: &Path) {
    remove_where(folder, |draft| {
        let dot = draft.iter().rposition(|&byte| byte == b'.');
        dot.is_some_and(|dot| is_number(&draft[dot..]))
    });
}

/// Removes drafts that are not locked; `is_wanted` gets a name without its ending.
fn remove_where(folder: &Path, is_wanted: impl Fn(&[u8]) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (file_name, is_file) = (entry.file_name(), entry.file_type().is_ok_and(|kind| kind.is_file()));
        let draft = file_name.as_encoded_bytes().strip_suffix(ENDING.as_bytes());
        if !is_file || !draft.is_some_and(&is_wanted) {
            continue;
        }
        let path = entry.path();
        // Removed while it is locked: its owner looks whether it is still there once it has the lock.
        let Ok(file) = fs::File::open(&path) else { continue };
        if file.try_lock().is_ok() {
            let scratch = with_ending(&path, SCRATCH);
            if !scratch.exists() || remove_dir_all(&scratch).is_ok() {
                let _ = remove_file(&path);
            }
        }
    }
}

/// `.12-3`
fn is_number(text: &[u8]) -> bool {
    let Some(text) = text.strip_prefix(b".") else { return false };
    let mut parts = text.split(|&byte| byte == b'-');
    let mut is_part =
        || parts.next().is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit));
    is_part() && is_part() && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_drafts() {
        assert!(is_number(b".12-3"));
        for other in [&b""[..], b".", b".-", b".1-", b".-1", b".1-2-3", b".a-1", b"12-3", b".json"] {
            assert!(!is_number(other), "{other:?}");
        }
    }

    #[test]
    fn only_drafts_of_dead_processes_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let target = path("file");
        let mut in_use = Draft::of(&target).expect("writable");
        in_use.scratch().expect("writable");
        for name in ["file.1-2.part", "file.json.1-2.part", "file.part"] {
            fs::write(path(name), "half").expect("writable");
        }
        fs::create_dir(path("file.1-2.part.scratch")).expect("writable");
        fs::write(path("file.1-2.part.scratch/1"), "half").expect("writable");
        let other = Draft::of(&target).expect("writable");
        assert!(!path("file.1-2.part").exists() && !path("file.1-2.part.scratch").exists());
        assert!(path("file.json.1-2.part").exists() && path("file.part").exists(), "of other files");
        in_use.file().expect("open");
        assert!(in_use.path.exists() && other.path.exists());
        remove_drafts(folder.path());
        assert!(!path("file.json.1-2.part").exists() && path("file.part").exists());
        in_use.publish(&target).expect("writable");
        drop(other);
        let mut left: Vec<_> =
            fs::read_dir(folder.path()).expect("ours").flatten().map(|entry| entry.file_name()).collect();
        left.sort();
        assert_eq!(left, ["file", "file.part"]);
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_link_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (target, victim) = (folder.path().join("file"), folder.path().join("victim"));
        fs::write(&victim, "precious").expect("writable");
        // The names that the next drafts of this process would have.
        for number in 0..1000 {
            let draft = format!("file.{}-{number}.part", std::process::id());
            std::os::unix::fs::symlink(&victim, folder.path().join(draft)).expect("a link");
        }
        super::super::replace(&target, b"new").expect("writable");
        assert_eq!(fs::read(&victim).expect("there"), b"precious");
        assert_eq!(fs::read(&target).expect("there"), b"new");
    }
}
