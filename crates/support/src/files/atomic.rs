//! Files that are replaced atomically: a reader sees the old content or the new one, never a part.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::open_writable;

/// A file that will be replaced. Until then the old content stays.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    file: File,
    /// Whether there is a draft that will replace the file. Devices and pipes are written directly.
    has_draft: bool,
}

impl AtomicFile {
    /// Checks that the file can be written, without changing it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn open(path: &Path) -> io::Result<Self> {
        let is_special = fs::metadata(path).is_ok_and(|there| !there.is_file());
        if is_special {
            let file = open_writable(path, OpenOptions::new().write(true))?;
            return Ok(Self { path: path.to_owned(), file, has_draft: false });
        }
        // Replace the target of a symbolic link, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut file = Self { file: File::create(draft_of(&path))?, path, has_draft: true };
        // A full disk fails at the first byte.
        file.file.write_all(b"\n")?;
        Ok(file)
    }

    /// Replaces the content. It is synced to disk before the file is renamed.
    ///
    /// # Errors
    /// It cannot be written; the old content stays.
    pub fn finish(mut self, content: &[u8]) -> io::Result<()> {
        if !self.has_draft {
            return self.file.write_all(content);
        }
        let draft = draft_of(&self.path);
        // Created again: another process that writes the same file may have renamed the draft.
        self.file = File::create(&draft)?;
        self.file.write_all(content)?;
        self.file.sync_all()?;
        fs::rename(&draft, &self.path)?;
        self.has_draft = false;
        Ok(())
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if self.has_draft {
            let _ = fs::remove_file(draft_of(&self.path));
        }
    }
}

/// The draft of a file, in the same directory, since files cannot be renamed across file systems.
pub fn draft_of(path: &Path) -> PathBuf {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".part");
    PathBuf::from(draft)
}

/// Replaces a file atomically.
///
/// # Errors
/// It cannot be written; the old content stays.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    AtomicFile::open(path)?.finish(content)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn last_writer_wins() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let (first, second) = (AtomicFile::open(&path), AtomicFile::open(&path));
        first.expect("a writable folder").finish(b"a long text").expect("a writable folder");
        second.expect("a writable folder").finish(b"short").expect("a writable folder");
        assert_eq!(fs::read(&path).expect("it is there"), b"short");
    }

    #[test]
    fn failure_leaves_no_draft() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let late = AtomicFile::open(&path).expect("a writable folder");
        fs::create_dir(&path).expect("a folder in the way");
        assert!(late.finish(b"new").is_err() && replace(&path, b"new").is_err());
        assert!(path.is_dir() && !draft_of(&path).exists());
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
    fn devices_are_written_directly() {
        assert!(AtomicFile::open(Path::new("/dev/full")).is_err());
        replace(Path::new("/dev/null"), b"text").expect("it takes everything");
    }
}
