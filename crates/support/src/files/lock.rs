//! Advisory locks on files.

use std::fs::{self, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::File;

/// The operating system's lock on a file, held until this is dropped. It ends with the process, so no stale lock is left
/// after a crash.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    _file: File,
}

impl FileLock {
    /// Locks a file, which is created if it is missing.
    ///
    /// # Errors
    /// As [`lock`].
    pub fn create(path: &Path) -> Result<Self, TryLockError> {
        Ok(Self { path: path.to_owned(), _file: lock(path, File::open_or_create)? })
    }

    /// Locks a file that exists.
    ///
    /// # Errors
    /// As [`lock`]; a missing file is an error.
    pub fn existing(path: &Path) -> Result<Self, TryLockError> {
        Ok(Self { path: path.to_owned(), _file: lock(path, File::open)? })
    }

    /// The locked file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Opens a file and locks it; the lock is held until the file is closed.
///
/// # Errors
/// [`TryLockError::WouldBlock`] if another process holds the lock, [`TryLockError::Error`] if the file cannot be opened.
pub fn lock(path: &Path, open: impl Fn(&Path) -> io::Result<File>) -> Result<File, TryLockError> {
    loop {
        let file = open(path).map_err(TryLockError::Error)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(TryLockError::WouldBlock),
            // Some network file systems have no locks; the file is then opened without one.
            Err(TryLockError::Error(_)) => return Ok(file),
            // Another process may have replaced the file between the two calls.
            Ok(()) if is_at(&file, path) => return Ok(file),
            Ok(()) => {}
        }
    }
}

/// Whether a path is still the name of an open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (Ok(open), Ok(named)) = (file.metadata(), fs::metadata(path)) else { return false };
    place(open) == place(named)
}

/// Elsewhere the standard library cannot compare files: the path must exist at least.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    fs::metadata(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_is_exclusive_until_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        assert!(matches!(FileLock::existing(&path), Err(TryLockError::Error(_))), "missing file");
        let first = FileLock::create(&path).expect("not locked");
        assert_eq!(first.path(), path);
        assert!(matches!(FileLock::create(&path), Err(TryLockError::WouldBlock)));
        assert!(matches!(FileLock::existing(&path), Err(TryLockError::WouldBlock)));
        drop(first);
        FileLock::existing(&path).expect("unlocked");
    }

    #[cfg(unix)]
    #[test]
    fn replaced_file_is_opened_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, other) = (folder.path().join("lock"), folder.path().join("other"));
        let opened = std::cell::Cell::new(0);
        let file = lock(&path, |path| {
            let file = File::open_or_create(path);
            // Another process replaces the file before it is locked, once.
            if opened.replace(opened.get() + 1) == 0 {
                fs::write(&other, "new").and_then(|()| fs::rename(&other, path)).expect("writable");
            }
            file
        });
        assert_eq!((opened.get(), file.expect("locked").metadata().expect("open").len()), (2, 3));
    }
}
