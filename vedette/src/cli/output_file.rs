//! Output files of commands: replaced atomically, with the path in every error. A long command opens its output before it
//! starts work, so that a path that cannot be written fails at once.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use support::files;

/// An output file. Until it is finished, the old content stays.
pub struct OutputFile {
    /// The path as the user gave it.
    path: PathBuf,
    file: files::AtomicFile,
}

impl OutputFile {
    /// Checks that the file can be written, without touching the old content.
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = files::AtomicFile::open(path).map_err(|error| path_error(path, &error))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Replaces the old content.
    pub fn finish(self, text: &str) -> Result<(), String> {
        self.file.finish(text.as_bytes()).map_err(|error| path_error(&self.path, &error))
    }
}

/// Checks that a file can be written at the end of the work. Pipes and devices report their errors then.
pub fn check(path: &Path) -> Result<(), String> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(format!("{}: is a directory", path.display())),
        Ok(there) if !there.is_file() => Ok(()),
        _ => OutputFile::open(path).map(drop),
    }
}

/// An error message that starts with the path.
pub fn path_error(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Replaces a file atomically.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    OutputFile::open(path)?.finish(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unwritable_path_fails_at_once() {
        let error = OutputFile::open(Path::new("/no/such/folder/file")).err().expect("there is none");
        assert!(error.starts_with("/no/such/folder/file: "), "{error}");
    }

    #[test]
    fn check_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        check(&folder.join("new")).expect("a writable folder");
        assert_eq!(fs::read_dir(folder).expect("there").count(), 0);
        assert!(check(folder).is_err() && check(&folder.join("none/new")).is_err());
    }
}
