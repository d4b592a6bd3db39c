//! Advisory locks on files.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

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
    /// [`TryLockError::WouldBlock`] if another process holds the lock, [`TryLockError::Error`] if the file cannot be
    /// opened.
    pub fn create(path: &Path) -> Result<Self, TryLockError> {
        Self::open(path, OpenOptions::new().create(true).truncate(false).write(true))
    }

    /// Locks a file that exists.
    ///
    /// # Errors
    /// As [`create`](Self::create); a missing file is an error.
    pub fn existing(path: &Path) -> Result<Self, TryLockError> {
        Self::open(path, OpenOptions::new().read(true).write(true))
    }

    fn open(path: &Path, options: &OpenOptions) -> Result<Self, TryLockError> {
        Ok(Self { path: path.to_owned(), _file: open_locked(path, options)? })
    }

    /// The locked file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Opens a file and locks it; the lock is held until the file is closed.
///
/// The file must be opened for reading or writing: Windows has no lock on a file opened only to append.
///
/// # Errors
/// [`TryLockError::WouldBlock`] if another process holds the lock, [`TryLockError::Error`] if the file cannot be opened.
pub fn open_locked(path: &Path, options: &OpenOptions) -> Result<File, TryLockError> {
    let file = options.open(path).map_err(TryLockError::Error)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
        // Some network file systems have no locks: the user must take care there.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
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
}
