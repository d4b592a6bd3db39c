//! One loop for one folder: whoever runs there holds the system's lock on a file in it. The lock ends with the process,
//! however that ends, so that nobody stumbles over one that was left behind.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::Path;

use support::files;

use super::state::StateError;

/// The file that is locked.
const LOCK: &str = "loop.lock";

/// A folder that no other loop can use as long as this lives.
#[derive(Debug)]
pub struct Claim {
    _lock: File,
}

impl Claim {
    /// Takes a folder, which is made if there is none.
    ///
    /// # Errors
    /// If another loop runs there, or it cannot be written to.
    pub fn take(folder: &Path) -> Result<Claim, StateError> {
        fs::create_dir_all(folder).map_err(|error| StateError::Io(folder.to_owned(), error))?;
        let path = folder.join(LOCK);
        match files::open_locked(&path, OpenOptions::new().create(true).truncate(false).write(true)) {
            Ok(lock) => Ok(Claim { _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(StateError::Running(folder.to_owned())),
            Err(TryLockError::Error(error)) => Err(StateError::Io(path, error)),
        }
    }
}
