//! Files of commands, which are replaced in one step; whatever goes wrong is told with the name of the file. Long work opens
//! its files before it begins, so that a name that cannot be written costs nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use record::files;

/// A file that is going to be written. Until then the old one stays as it is.
pub struct WholeFile {
    /// As the user named it.
    name: PathBuf,
    file: files::WholeFile,
}

impl WholeFile {
    /// Finds out whether the file can be written, without touching what is there.
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = files::WholeFile::open(path).map_err(|error| told(path, &error))?;
        Ok(Self { name: path.to_owned(), file })
    }

    /// Writes it.
    pub fn finish(self, text: &str) -> Result<(), String> {
        self.file.finish(text.as_bytes()).map_err(|error| told(&self.name, &error))
    }
}

/// Finds out whether a file could be written, and leaves everything as it is: for one that is written when the work is
/// done. What a pipe or a device says is heard then.
pub fn check(path: &Path) -> Result<(), String> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(format!("{}: it is a folder", path.display())),
        Ok(there) if !there.is_file() => Ok(()),
        _ => WholeFile::open(path).map(drop),
    }
}

/// An error with the name of the file that it is about.
pub fn told(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Replaces a file in one step.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    WholeFile::open(path)?.finish(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_cannot_be_written_is_told_at_once() {
        let said = WholeFile::open(Path::new("/no/such/folder/file")).err().expect("there is none");
        assert!(said.starts_with("/no/such/folder/file: "), "{said}");
    }

    #[test]
    fn a_check_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        check(&folder.join("new")).expect("a writable folder");
        assert_eq!(fs::read_dir(folder).expect("there").count(), 0);
        assert!(check(folder).is_err() && check(&folder.join("none/new")).is_err());
    }
}
