//! Files that are replaced in one step: whoever reads one finds the old content or the new one, never a part, whatever
//! happens meanwhile.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::open_writable;

/// A file that is going to be written. Until then the old one stays as it is.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    file: File,
    /// Whether there is a draft beside the file that will take its place. A device or a pipe is written straight: it has
    /// nothing that could be kept.
    has_draft: bool,
}

impl WholeFile {
    /// Finds out whether the file can be written, without touching what is there.
    ///
    /// # Errors
    /// It cannot.
    pub fn open(path: &Path) -> io::Result<Self> {
        let is_special = fs::metadata(path).is_ok_and(|there| !there.is_file());
        if is_special {
            let file = open_writable(path, OpenOptions::new().write(true))?;
            return Ok(Self { path: path.to_owned(), file, has_draft: false });
        }
        // What a link points to is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut whole = Self { file: File::create(draft_of(&path))?, path, has_draft: true };
        // A full disk refuses the first byte.
        whole.file.write_all(b"\n")?;
        Ok(whole)
    }

    /// Writes it. The content is on the disk before the name points there.
    ///
    /// # Errors
    /// It cannot be written; the old one is still there.
    pub fn finish(mut self, content: &[u8]) -> io::Result<()> {
        if !self.has_draft {
            return self.file.write_all(content);
        }
        let draft = draft_of(&self.path);
        // Made anew: another program that writes the same file may have moved the one that was opened.
        self.file = File::create(&draft)?;
        self.file.write_all(content)?;
        self.file.sync_all()?;
        fs::rename(&draft, &self.path)?;
        self.has_draft = false;
        Ok(())
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if self.has_draft {
            // Nothing depends on a draft that is given up.
            let _ = fs::remove_file(draft_of(&self.path));
        }
    }
}

/// Where the draft of a file is: beside it, since a name can only be moved within a file system.
pub fn draft_of(path: &Path) -> PathBuf {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".part");
    PathBuf::from(draft)
}

/// Replaces a file in one step.
///
/// # Errors
/// It cannot be written; the old one is still there.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    WholeFile::open(path)?.finish(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_content_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let read = || fs::read_to_string(&path).expect("it is there");
        replace(&path, b"old").expect("a writable folder");
        let given_up = WholeFile::open(&path).expect("a writable folder");
        assert_eq!(read(), "old");
        drop(given_up);
        assert_eq!(read(), "old");
        WholeFile::open(&path).expect("a writable folder").finish(b"new").expect("a writable folder");
        assert_eq!(read(), "new");
        assert_eq!(fs::read_dir(folder.path()).expect("ours").count(), 1, "no draft is left");
    }

    #[test]
    fn two_that_write_one_file_leave_the_content_of_the_last() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let (first, second) = (WholeFile::open(&path), WholeFile::open(&path));
        first.expect("a writable folder").finish(b"a long text").expect("a writable folder");
        second.expect("a writable folder").finish(b"short").expect("a writable folder");
        assert_eq!(fs::read(&path).expect("it is there"), b"short");
    }

    #[test]
    fn a_failure_leaves_what_is_there_and_no_draft() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let late = WholeFile::open(&path).expect("a writable folder");
        fs::create_dir(&path).expect("a folder in the way");
        assert!(late.finish(b"new").is_err() && replace(&path, b"new").is_err());
        assert!(path.is_dir() && !draft_of(&path).exists());
        assert!(WholeFile::open(&folder.path().join("none/file")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one() {
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
    fn a_device_is_written_straight_and_a_full_one_told_at_once() {
        assert!(WholeFile::open(Path::new("/dev/full")).is_err());
        replace(Path::new("/dev/null"), b"text").expect("it takes everything");
    }
}
