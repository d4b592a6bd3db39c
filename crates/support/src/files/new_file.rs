//! Large files that appear under their name when they are complete.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::File;
use super::draft::Draft;

/// A file that does not exist until [`finish`](Self::finish), however the work ends.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    writer: BufWriter<Draft>,
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file()?.flush()
    }
}

impl NewFile {
    /// # Errors
    /// There is a file of this name, or it cannot be written.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        refuse_existing(path)?;
        Ok(NewFile { path: path.to_owned(), writer: BufWriter::new(Draft::of(path)?) })
    }

    /// A folder for temporary files, removed with this.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn scratch(&self) -> io::Result<PathBuf> {
        self.writer.get_ref().scratch()
    }

    /// Gives the file its name, once its content is on the disk.
    ///
    /// # Errors
    /// It cannot be written, or there is a file of this name by now.
    pub fn finish(self) -> io::Result<()> {
        let draft = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        refuse_existing(&self.path)?;
        let _: File = draft.publish(&self.path)?;
        Ok(())
    }
}

fn refuse_existing(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn name_appears_at_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mut file = NewFile::create(&path).expect("writable");
        fs::write(file.scratch().expect("writable").join("1"), "temporary").expect("writable");
        file.write_all(b"content").expect("writable");
        assert!(!path.exists());
        file.finish().expect("writable");
        assert_eq!(fs::read(&path).expect("there"), b"content");
        assert!(NewFile::create(&path).is_err(), "never overwritten");
        let given_up = NewFile::create(&folder.path().join("other")).expect("writable");
        given_up.scratch().expect("writable");
        drop(given_up);
        assert_eq!(fs::read_dir(folder.path()).expect("ours").count(), 1, "nothing temporary is left");
    }
}
