//! Runs an operation once for each step at which it can be interrupted.

use std::fmt::{self, Debug};
use std::fs;
use std::path::{Path, PathBuf};

use super::{DiskEvent, Fault, SimulatedDisk, Survival};

/// Where a run was interrupted, and how.
#[derive(Clone, Debug)]
pub struct Interruption {
    event: DiskEvent,
    survival: Option<Survival>,
    /// The step as text.
    step: String,
    /// The steps of the work up to the interruption.
    before: usize,
}

impl Interruption {
    pub fn fault(&self) -> Option<Fault> {
        match self.event {
            DiskEvent::Fault(_, fault) => Some(fault),
            DiskEvent::Crash { .. } => None,
        }
    }

    /// What survived the crash.
    pub fn survival(&self) -> Option<Survival> {
        self.survival
    }
}

impl fmt::Display for Interruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Interruption { event, step, before, .. } = self;
        match event {
            DiskEvent::Fault(_, fault) => write!(f, "{fault:?} from step {before} on ({step})"),
            DiskEvent::Crash { torn, .. } => {
                let how = if *torn { "in" } else { "before" };
                write!(f, "crash {how} step {before} ({step})")?;
                self.survival.map_or(Ok(()), |survival| write!(f, ", {survival}"))
            }
        }
    }
}

/// Runs `work` in a fresh folder prepared by `prepare`, with a crash at each of its steps and each survival; `check` gets the
/// folder as a restart finds it. Returns how many crashes there were.
///
/// `root` is an empty folder for the fresh ones. After the crash every operation of `work` fails, and it must return.
///
/// # Panics
/// The work fails without a crash.
pub fn every_crash<E: Debug>(
    root: &Path,
    survivals: &[Survival],
    prepare: impl Fn(&Path),
    work: impl Fn(&Path) -> Result<(), E>,
    check: impl Fn(&Path, &Interruption),
) -> usize {
    let folders = Folders { root, prepare };
    let steps = folders.steps(&work);
    let mut points = 0;
    for (step, what) in steps.iter().enumerate() {
        for torn in [false, true] {
            // Only writes can be torn.
            if torn && !what.starts_with("write") {
                continue;
            }
            for &survival in survivals {
                let folder = folders.fresh();
                let event = DiskEvent::Crash { step, torn };
                let disk = SimulatedDisk::new(&folder, Some(event));
                let _ = work(&folder);
                // The number of steps may depend on timing.
                let (crashed, before) = (disk.has_crashed(), disk.steps());
                disk.restart(survival);
                let step = before.last().cloned().unwrap_or_default();
                let point = Interruption { event, survival: Some(survival), step, before: before.len() };
                // Still simulated, so that nothing waits for the real disk.
                let disk = SimulatedDisk::new(&folder, None);
                check(&folder, &point);
                drop(disk);
                points += usize::from(crashed);
                fs::remove_dir_all(&folder).expect("ours");
            }
        }
    }
    points
}

/// Runs `work` in a fresh folder prepared by `prepare`, with each fault from each of its steps on; `check` gets the folder and
/// the result of the work once the disk works again. Returns how many faults there were.
///
/// # Panics
/// The work fails without a fault.
pub fn every_fault<E: Debug>(
    root: &Path,
    prepare: impl Fn(&Path),
    work: impl Fn(&Path) -> Result<(), E>,
    check: impl Fn(&Path, &Interruption, Result<(), E>),
) -> usize {
    let folders = Folders { root, prepare };
    let steps = folders.steps(&work);
    let mut points = 0;
    for fault in Fault::ALL {
        for (step, what) in steps.iter().enumerate() {
            // A fault that begins with a step of another kind is the same as one that begins later.
            let begins = match fault {
                Fault::Full => what.starts_with("write") || what.starts_with("create"),
                Fault::ShortWrites => what.starts_with("write"),
                Fault::Sync => what.starts_with("sync"),
                Fault::ReadOnly | Fault::Once => true,
            };
            if !begins {
                continue;
            }
            let folder = folders.fresh();
            let event = DiskEvent::Fault(step, fault);
            let disk = SimulatedDisk::new(&folder, Some(event));
            let result = work(&folder);
            drop(disk);
            let point = Interruption { event, survival: None, step: what.clone(), before: step };
            let disk = SimulatedDisk::new(&folder, None);
            check(&folder, &point, result);
            drop(disk);
            points += 1;
            fs::remove_dir_all(&folder).expect("ours");
        }
    }
    points
}

struct Folders<'a, P> {
    root: &'a Path,
    prepare: P,
}

impl<P: Fn(&Path)> Folders<'_, P> {
    /// Always of the same name, so that work that depends on it takes the same steps.
    fn fresh(&self) -> PathBuf {
        let folder = self.root.join("folder");
        fs::create_dir(&folder).expect("a writable folder");
        (self.prepare)(&folder);
        folder
    }

    /// The steps of the work if nothing goes wrong.
    fn steps<E: Debug>(&self, work: impl Fn(&Path) -> Result<(), E>) -> Vec<String> {
        let folder = self.fresh();
        let disk = SimulatedDisk::new(&folder, None);
        work(&folder).expect("a working disk");
        let steps = disk.steps();
        drop(disk);
        fs::remove_dir_all(&folder).expect("ours");
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{self, File};
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::io::{self, Write};

    /// What can be found of a file that was written, synced and renamed, with the syncs in `synced` left out.
    fn found(sync_file: bool, sync_folder: bool) -> BTreeSet<Option<String>> {
        let root = tempfile::tempdir().expect("a folder");
        let contents = RefCell::new(BTreeSet::new());
        every_crash(
            root.path(),
            &Survival::ALL,
            |folder| fs::write(folder.join("file"), "old").expect("writable"),
            |folder| {
                let mut draft = File::create_new(&folder.join("draft"))?;
                draft.write_all(b"new!")?;
                if sync_file {
                    draft.sync()?;
                }
                files::rename(&folder.join("draft"), &folder.join("file"))?;
                if sync_folder {
                    files::sync_parent(&folder.join("file"))?;
                }
                // A last step, to crash after everything.
                File::create_new(&folder.join("last"))?;
                io::Result::Ok(())
            },
            |folder, _| {
                let text =
                    fs::read(folder.join("file")).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                contents.borrow_mut().insert(text.ok());
            },
        );
        contents.into_inner()
    }

    fn texts(list: &[&str]) -> BTreeSet<Option<String>> {
        list.iter().map(|text| Some((*text).to_owned())).collect()
    }

    /// The disk finds the mistake that it was made for: a rename without a sync loses the content.
    #[test]
    fn unsynced_content_is_lost() {
        assert_eq!(found(true, true), texts(&["old", "new!"]));
        assert_eq!(found(false, true), texts(&["old", "new!", "ne", "", "\0\0\0\0"]));
    }

    #[test]
    fn unsynced_names_are_lost() {
        let root = tempfile::tempdir().expect("a folder");
        let (folder, file) = (root.path(), root.path().join("sub/file"));
        let survives = |synced: bool| {
            let disk = SimulatedDisk::new(folder, None);
            files::create_dir_all(&folder.join("sub")).expect("writable");
            File::create_new(&file)
                .and_then(|mut file| file.write_all(b"text").and_then(|()| file.sync()))
                .expect("writable");
            if synced {
                files::sync_parent(&file).expect("writable");
            }
            disk.restart(Survival::SYNCED);
            let survives = file.exists();
            fs::remove_dir_all(folder.join("sub")).expect("synced when it was created");
            survives
        };
        assert_eq!((survives(false), survives(true)), (false, true));
    }

    #[test]
    fn nothing_happens_after_a_crash() {
        let root = tempfile::tempdir().expect("a folder");
        let path = root.path().join("file");
        fs::write(&path, "old").expect("writable");
        let disk = SimulatedDisk::new(root.path(), Some(DiskEvent::Crash { step: 0, torn: true }));
        let mut file = File::append(&path).expect("opening is no step");
        assert!(file.write_all(b"1234").is_err() && disk.has_crashed());
        assert!(file.write_all(b"5678").is_err() && file.set_len(0).is_err() && file.sync().is_err());
        assert!(
            files::remove_file(&path).is_err() && files::rename(&path, &root.path().join("other")).is_err()
        );
        assert_eq!(disk.steps(), ["write 4 bytes to file"]);
        disk.restart(Survival::KILLED);
        assert_eq!(fs::read(&path).expect("there"), b"old12");
        File::append(&path).and_then(|mut file| file.write_all(b"!")).expect("the simulation is over");
    }
}
