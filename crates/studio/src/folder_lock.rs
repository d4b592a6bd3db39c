//! One studio per data folder: it holds a file lock of the operating system, which ends with the process.

use std::fmt;
use std::fs::TryLockError;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use support::files::FileLock;

use crate::store::Store;

const LOCK: &str = "studio.lock";
/// The state file with the instance that holds the lock.
const STATE: &str = "studio";

/// A running studio.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    pub process: u32,
    /// Its URL, without the token that it may require.
    pub url: String,
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {} (process {})", self.url, self.process)
    }
}

/// The lock of a data folder; it is released on drop.
#[derive(Debug)]
pub struct FolderLock {
    _lock: FileLock,
}

#[derive(Debug)]
pub enum LockError {
    /// Another studio has the lock; it may not have written its address yet.
    InUse(Option<Instance>),
    Io(io::Error),
}

impl FolderLock {
    pub fn acquire(folder: &Path) -> Result<FolderLock, LockError> {
        match FileLock::create(&folder.join(LOCK)) {
            Ok(lock) => Ok(FolderLock { _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(LockError::InUse(Store::state_in(folder, STATE))),
            Err(TryLockError::Error(error)) => Err(LockError::Io(error)),
        }
    }
}

/// Writes the address of the studio that holds the lock.
pub fn write_address(store: &Store, url: &str) -> io::Result<()> {
    store.write_state(STATE, &Instance { process: std::process::id(), url: url.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_is_exclusive_and_names_its_holder() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let store = Store::open(folder.to_owned()).expect("a folder");
        let lock = FolderLock::acquire(folder).expect("free");
        assert!(matches!(FolderLock::acquire(folder), Err(LockError::InUse(None))), "no address yet");
        write_address(&store, "http://127.0.0.1:8111/").expect("written");
        let Err(LockError::InUse(Some(holder))) = FolderLock::acquire(folder) else { panic!("two at once") };
        let text = format!("at http://127.0.0.1:8111/ (process {})", std::process::id());
        assert_eq!(holder.to_string(), text);
        drop(lock);
        // A child process that another test is just starting inherits the file until its exec.
        let again = (0..500).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            FolderLock::acquire(folder).ok()
        });
        drop(again.expect("released"));
    }
}
