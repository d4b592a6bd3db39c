//! A simulated disk for tests: it fails or crashes at a chosen step, and forgets what was not synced.
//!
//! A [`SimulatedDisk`] covers a folder; every file that this process writes there through [`files`](super) is on it, in any
//! thread. A *step* changes the disk: creating, writing, truncating, syncing, renaming and removing. [`every_crash`] and
//! [`every_fault`] run an operation once for each of its steps:
//!
//! ```
//! use std::fs;
//! use support::files::{faults, replace};
//!
//! let root = tempfile::tempdir()?;
//! let points = faults::every_crash(
//!     root.path(),
//!     &faults::Survival::ALL,
//!     |folder| fs::write(folder.join("file"), "old").expect("writable"),
//!     |folder| replace(&folder.join("file"), b"new"),
//!     |folder, point| {
//!         let content = fs::read_to_string(folder.join("file")).expect("there");
//!         assert!(content == "old" || content == "new", "{point}: {content}");
//!     },
//! );
//! assert!(points > 10);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! After a crash, what was not synced may survive or not. Content and names are independent: a file may have its name and not
//! its content, or the other way round. [`Survival`] has the cases.

mod enumerate;
mod simulation;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

pub use enumerate::{Interruption, every_crash, every_fault};
pub(super) use simulation::OpenFile;
use simulation::Simulation;

use crate::sync::lock;

/// What goes wrong, from a step on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The disk is full: a write takes half of its bytes and the next one fails; files cannot be created.
    Full,
    /// The file system has become read-only: nothing can be changed.
    ReadOnly,
    /// This one step fails with an I/O error.
    Once,
    /// Syncing fails, and a power failure loses the content even if later calls succeed.
    Sync,
    /// Each write takes half of its bytes. Not an error: the rest must be written in another call.
    ShortWrites,
}

impl Fault {
    pub const ALL: [Fault; 5] = [Fault::Full, Fault::ReadOnly, Fault::Once, Fault::Sync, Fault::ShortWrites];
}

/// How much of the unsynced content survives a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Whole,
    /// The first half of it.
    Half,
    /// The length without the bytes.
    Zeros,
    Nothing,
}

/// What survives a crash without a sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Survival {
    pub content: Content,
    /// Whether files are created, renamed and removed without a sync of their folder.
    pub names: bool,
}

impl Survival {
    /// The process was killed: the operating system writes everything.
    pub const KILLED: Survival = Survival { content: Content::Whole, names: true };

    /// The power failed: only what was synced is there.
    pub const SYNCED: Survival = Survival { content: Content::Nothing, names: false };

    /// All combinations of content and names.
    pub const ALL: [Survival; 8] = [
        Survival::KILLED,
        Survival::SYNCED,
        Survival { content: Content::Whole, names: false },
        Survival { content: Content::Half, names: false },
        Survival { content: Content::Zeros, names: false },
        Survival { content: Content::Half, names: true },
        Survival { content: Content::Zeros, names: true },
        Survival { content: Content::Nothing, names: true },
    ];
}

impl fmt::Display for Survival {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = if self.names { "all" } else { "synced" };
        write!(f, "{:?} of the unsynced content, {names} names", self.content)
    }
}

/// What happens on a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskEvent {
    /// From this step on.
    Fault(usize, Fault),
    /// Everything stops at this step; a `torn` write has written half of its bytes.
    Crash { step: usize, torn: bool },
}

/// The simulated disk under a folder, until this is dropped.
#[derive(Debug)]
pub struct SimulatedDisk(Arc<Simulation>);

/// Disks in use: usually none, and then nothing else is looked at.
static COUNT: AtomicUsize = AtomicUsize::new(0);
static DISKS: Mutex<Vec<Arc<Simulation>>> = Mutex::new(Vec::new());

impl SimulatedDisk {
    /// Puts a disk under a folder. What is in the folder is on the disk and synced.
    ///
    /// # Panics
    /// The folder cannot be read: this is for tests.
    pub fn new(folder: &Path, event: Option<DiskEvent>) -> SimulatedDisk {
        let simulation = Arc::new(Simulation::new(folder, event));
        lock(&DISKS).push(Arc::clone(&simulation));
        COUNT.fetch_add(1, Ordering::SeqCst);
        SimulatedDisk(simulation)
    }

    /// The steps so far, with the names of the files.
    pub fn steps(&self) -> Vec<String> {
        self.0.steps()
    }

    pub fn has_crashed(&self) -> bool {
        self.0.has_crashed()
    }

    /// Ends the simulation, and makes the folder what a restart after a power failure finds.
    ///
    /// # Panics
    /// The folder cannot be written.
    pub fn restart(self, survival: Survival) {
        self.0.restart(survival);
    }
}

impl Drop for SimulatedDisk {
    fn drop(&mut self) {
        lock(&DISKS).retain(|disk| !Arc::ptr_eq(disk, &self.0));
        COUNT.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The disk that a path is on, if it is a simulated one.
pub(super) fn disk_of(path: &Path) -> Option<Arc<Simulation>> {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return None;
    }
    let path = real_path(path);
    lock(&DISKS).iter().find(|disk| path.starts_with(disk.folder())).cloned()
}

/// A path without symbolic links, except perhaps the last part, which need not exist.
fn real_path(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (parent.canonicalize(), path.file_name()) {
        (Ok(parent), Some(name)) => parent.join(name),
        _ => path.to_owned(),
    }
}
