//! Files that are replaced atomically: a reader sees the old content or the new one, never a part.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::File;
use super::draft::Draft;

/// A file that will be replaced. Until then the old content stays.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    way: Way,
}

#[derive(Debug)]
enum Way {
    /// Devices and pipes are written directly.
    Direct(File),
    /// Shows that the folder can be written to.
    Draft { _draft: Draft },
}

impl AtomicFile {
    /// Checks that the file can be written, without changing it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Ok(Self { path: path.to_owned(), way: Way::Direct(File::special(path)?) });
        }
        let path = target_of(path);
        let mut draft = Draft::of(&path)?;
        // A full disk fails at the first byte.
        draft.file()?.write_all(b"\n")?;
        Ok(Self { path, way: Way::Draft { _draft: draft } })
    }

    /// Replaces the content.
    ///
    /// # Errors
    /// As [`replace`].
    pub fn finish(self, content: &[u8]) -> io::Result<()> {
        match self.way {
            Way::Direct(mut file) => file.write_all(content),
            // Not the draft created at the start: it may have been removed.
            Way::Draft { .. } => publish(&self.path, content).map(drop),
        }
    }
}

/// Replaces a file atomically. The content is on the disk before the file is renamed, and the name when this returns.
///
/// # Errors
/// It cannot be written; the old content stays. If only the folder cannot be synced, the file may have either content after a
/// power failure.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return File::special(path)?.write_all(content);
    }
    publish(&target_of(path), content).map(drop)
}

/// Replaces a file atomically and returns it, locked since before it had its name.
///
/// # Errors
/// As [`replace`].
pub fn publish(path: &Path, content: &[u8]) -> io::Result<File> {
    let mut draft = Draft::of(path)?;
    draft.file()?.write_all(content)?;
    draft.publish(path)
}

/// What a symbolic link leads to: that is replaced, not the link.
fn target_of(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::faults::{Survival, every_crash, every_fault};

    #[test]
    fn old_content_stays_until_finished() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let read = || fs::read_to_string(&path).expect("it is there");
        replace(&path, b"old").expect("a writable folder");
        let given_up = AtomicFile::open(&path).expect("a writable folder");
        assert_eq!(read(), "old");
        drop(given_up);
        assert_eq!(read(), "old");
        AtomicFile::open(&path).expect("a writable folder").finish(b"new").expect("a writable folder");
        assert_eq!(read(), "new");
        assert_eq!(fs::read_dir(folder.path()).expect("ours").count(), 1, "no draft is left");
    }

    #[test]
    fn writers_do_not_disturb_each_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let contents: Vec<Vec<u8>> = (1..=4_u8).map(|byte| vec![byte; 1000 * usize::from(byte)]).collect();
        std::thread::scope(|scope| {
            for content in &contents {
                scope.spawn(|| (0..50).for_each(|_| replace(&path, content).expect("a writable folder")));
            }
        });
        assert!(contents.contains(&fs::read(&path).expect("it is there")));
        assert_eq!(fs::read_dir(folder.path()).expect("ours").count(), 1, "no draft is left");
    }

    #[test]
    fn failure_leaves_no_draft() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let late = AtomicFile::open(&path).expect("a writable folder");
        fs::create_dir(&path).expect("a folder in the way");
        assert!(late.finish(b"new").is_err() && replace(&path, b"new").is_err());
        assert!(path.is_dir() && fs::read_dir(folder.path()).expect("ours").count() == 1);
        assert!(AtomicFile::open(&folder.path().join("none/file")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_link_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").expect("a writable folder");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        replace(&link, b"new").expect("a writable folder");
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).expect("it is there"), b"new");
    }

    #[cfg(target_os = "linux")]
    #[test]
    #[cfg_attr(miri, ignore = "Miri has no device numbers")]
    fn devices_are_written_directly() {
        assert!(AtomicFile::open(Path::new("/dev/full")).is_err());
        replace(Path::new("/dev/null"), b"text").expect("it takes everything");
    }

    /// After a crash at any step the file has one content or the other, whatever of the unsynced work survives, and the
    /// content that was acknowledged last is there. The next writer cleans up.
    #[test]
    fn crash_leaves_old_or_new_content() {
        let root = tempfile::tempdir().expect("a folder");
        let written = std::cell::Cell::new(0);
        let contents = [&b"first"[..], b"the second", b"3"];
        let points = every_crash(
            root.path(),
            &Survival::ALL,
            |_| written.set(0),
            |folder| {
                for content in contents {
                    replace(&folder.join("file"), content)?;
                    written.set(written.get() + 1);
                }
                io::Result::Ok(())
            },
            |folder, point| {
                let path = folder.join("file");
                let found = fs::read(&path).ok();
                let possible = |done: usize| done.checked_sub(1).map(|index| contents[index].to_vec());
                let done = written.get();
                let new = (done < contents.len()).then(|| possible(done + 1));
                assert!(found == possible(done) || Some(found.clone()) == new, "{point}: {found:?}");
                replace(&path, b"last").expect("writable again");
                assert_eq!(fs::read_dir(folder).expect("ours").count(), 1, "{point}: a draft is left");
            },
        );
        assert!(points > 100, "{points}");
    }

    #[test]
    fn failure_leaves_old_content() {
        let root = tempfile::tempdir().expect("a folder");
        let faults = every_fault(
            root.path(),
            |folder| fs::write(folder.join("file"), "old").expect("writable"),
            |folder| replace(&folder.join("file"), b"a new content"),
            |folder, point, result| {
                let found = fs::read(folder.join("file")).expect("there");
                let renamed = found == b"a new content";
                assert!(renamed || (found == b"old" && result.is_err()), "{point}: {found:?}, {result:?}");
                replace(&folder.join("file"), b"last").expect("writable again");
                assert_eq!(fs::read_dir(folder).expect("ours").count(), 1, "{point}: a draft is left");
            },
        );
        assert!(faults >= 15, "{faults}");
    }
}
