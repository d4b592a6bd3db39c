//! The system's lock on a file. It ends with the process, however that ends, so that nobody stumbles over one that was left
//! behind.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

/// Opens a file and locks it. The lock is held until the file is closed.
///
/// The file must be opened to be read or written: Windows knows no lock on one that is only added to.
///
/// # Errors
/// [`TryLockError::WouldBlock`] if somebody else has the lock, [`TryLockError::Error`] if the file cannot be opened.
pub fn open_locked(path: &Path, options: &OpenOptions) -> Result<File, TryLockError> {
    let file = options.open(path).map_err(TryLockError::Error)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
        // Some file systems of networks have no locks: the user must take care there.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_locked_once_until_it_is_closed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        let mut options = OpenOptions::new();
        options.write(true);
        assert!(matches!(open_locked(&path, &options), Err(TryLockError::Error(_))), "it is not there");
        options.create(true).truncate(false);
        let first = open_locked(&path, &options).expect("nobody has it");
        assert!(matches!(open_locked(&path, &options), Err(TryLockError::WouldBlock)));
        drop(first);
        open_locked(&path, &options).expect("free again");
    }
}
