//! Files that are replaced in one step: whoever reads one finds the old text or the new one, never a part. Long work opens
//! its files before it begins, so that a name that cannot be written costs nothing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lab::writable;

/// A file that is going to be written. Until then the old one stays as it is.
pub struct WholeFile {
    path: PathBuf,
    file: File,
    /// The file beside it that will take its place; `None` where the name is that of a device or a pipe.
    draft: Option<PathBuf>,
}

impl WholeFile {
    /// Finds out whether the file can be written, without touching what is there.
    pub fn open(path: &Path) -> Result<Self, String> {
        Self::begin(path).map_err(|error| told(path, &error))
    }

    fn begin(path: &Path) -> io::Result<Self> {
        let is_special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
        if is_special {
            let file = writable::open(path, OpenOptions::new().write(true))?;
            return Ok(Self { path: path.to_owned(), file, draft: None });
        }
        // What a link points to is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut beside = path.as_os_str().to_owned();
        beside.push(".part");
        let draft = PathBuf::from(beside);
        let mut whole = Self { file: File::create(&draft)?, path, draft: Some(draft) };
        // A full disk refuses the first byte.
        whole.file.write_all(b"\n")?;
        Ok(whole)
    }

    /// Writes it.
    pub fn finish(mut self, text: &str) -> Result<(), String> {
        self.replace(text).map_err(|error| told(&self.path, &error))
    }

    fn replace(&mut self, text: &str) -> io::Result<()> {
        let Some(draft) = self.draft.take() else { return self.file.write_all(text.as_bytes()) };
        let written = fs::write(&draft, text).and_then(|()| fs::rename(&draft, &self.path));
        written.inspect_err(|_| remove(&draft))
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(draft) = &self.draft {
            remove(draft);
        }
    }
}

/// Nothing depends on a draft that is given up.
fn remove(draft: &Path) {
    let _ = fs::remove_file(draft);
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

/// Writes a file by way of another one beside it.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    WholeFile::open(path)?.finish(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_text_stays_until_the_new_one_is_whole() {
        let path = std::env::temp_dir().join(format!("vedette-whole-{}", std::process::id()));
        write(&path, "old").expect("a writable folder");
        let given_up = WholeFile::open(&path).expect("a writable folder");
        assert_eq!(fs::read_to_string(&path).expect("the old one"), "old");
        drop(given_up);
        assert_eq!(fs::read_to_string(&path).expect("the old one"), "old");
        WholeFile::open(&path).expect("a writable folder").finish("new").expect("a writable folder");
        assert_eq!(fs::read_to_string(&path).expect("the new one"), "new");
        assert!(!path.with_extension("part").exists());
        fs::remove_file(&path).expect("there");
    }

    #[test]
    fn a_name_that_cannot_be_written_is_told_at_once() {
        let said = WholeFile::open(Path::new("/no/such/folder/file")).err().expect("there is none");
        assert!(said.starts_with("/no/such/folder/file: "), "{said}");
    }

    #[test]
    fn a_check_leaves_nothing_behind() {
        let folder = std::env::temp_dir().join(format!("vedette-check-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a writable folder");
        check(&folder.join("new")).expect("a writable folder");
        assert_eq!(fs::read_dir(&folder).expect("there").count(), 0);
        assert!(check(&folder).is_err() && check(&folder.join("none/new")).is_err());
        fs::remove_dir(&folder).expect("ours");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_told_at_once() {
        let said = WholeFile::open(Path::new("/dev/full")).err().expect("it is full");
        assert!(said.starts_with("/dev/full: "), "{said}");
        write(Path::new("/dev/null"), "text").expect("it takes everything");
    }
}
