//! One studio for one data folder: whoever serves it holds the system's lock on a file in it. The lock ends with the
//! process, however that ends, so that nobody stumbles over one that was left behind.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use support::files;

use crate::store::Store;

/// The file that is locked.
const LOCK: &str = "studio.lock";
/// The state that tells who has the lock.
const STATE: &str = "studio";

/// A studio that serves a data folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// Its process.
    pub process: u32,
    /// Its address, without the token that it may ask for.
    pub url: String,
}

impl fmt::Display for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {} (process {})", self.url, self.process)
    }
}

/// A data folder that no other studio can serve as long as this lives.
#[derive(Debug)]
pub struct Claim {
    _lock: File,
}

/// Why a data folder cannot be served.
#[derive(Debug)]
pub enum Taken {
    /// Another studio serves it; it may not have told its address yet.
    By(Option<Running>),
    /// The file cannot be written.
    File(io::Error),
}

impl Claim {
    /// Takes a data folder.
    ///
    /// # Errors
    /// Another studio serves it, or it cannot be written to.
    pub fn take(folder: &Path) -> Result<Claim, Taken> {
        let mut options = OpenOptions::new();
        match files::open_locked(&folder.join(LOCK), options.create(true).truncate(false).write(true)) {
            Ok(lock) => Ok(Claim { _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(Taken::By(Store::state_in(folder, STATE))),
            Err(TryLockError::Error(error)) => Err(Taken::File(error)),
        }
    }

    /// Tells others where the studio is.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn tell(&self, store: &Store, url: &str) -> io::Result<()> {
        store.write_state(STATE, &Running { process: std::process::id(), url: url.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_studio_is_told_who_has_the_folder_until_the_first_one_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let store = Store::open(folder.to_owned()).expect("a folder");
        let claim = Claim::take(folder).expect("nobody is there");
        assert!(matches!(Claim::take(folder), Err(Taken::By(None))), "it has not told its address yet");
        claim.tell(&store, "http://127.0.0.1:8111/").expect("written");
        let Err(Taken::By(Some(running))) = Claim::take(folder) else { panic!("two at once") };
        let words = format!("at http://127.0.0.1:8111/ (process {})", std::process::id());
        assert_eq!(running.to_string(), words);
        drop(claim);
        // A process that another test is just starting has the file, too, until it has become another program.
        let again = (0..500).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            Claim::take(folder).ok()
        });
        drop(again.expect("free again, whatever the file still says"));
    }
}
