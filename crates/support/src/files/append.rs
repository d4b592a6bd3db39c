//! Files that grow by whole records.

use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use super::File;

/// A file that grows by whole records: games, lines. A record that could not be written completely, as on a full disk, is
/// truncated.
#[derive(Debug)]
pub struct AppendFile {
    file: File,
    /// Not a pipe or device.
    is_regular: bool,
    length: u64,
}

impl AppendFile {
    /// Opens a file to append to, which is created if it is missing. Other processes may append to it as well.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn open(path: &Path) -> io::Result<AppendFile> {
        AppendFile::over(File::append(path)?)
    }

    /// Continues a file that no other process writes to, at its end.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn over(mut file: File) -> io::Result<AppendFile> {
        let metadata = file.metadata()?;
        let is_regular = metadata.is_file();
        if is_regular {
            file.seek(SeekFrom::End(0))?;
        }
        Ok(AppendFile { file, is_regular, length: metadata.len() })
    }

    /// The length after the last record; none for pipes and devices.
    pub fn length(&self) -> Option<u64> {
        self.is_regular.then_some(self.length)
    }

    /// Appends a record, in one write where the system takes it at once.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append(&mut self, record: &[u8]) -> io::Result<()> {
        let start = if self.is_regular { self.file.metadata()?.len() } else { 0 };
        let mut done = 0;
        while done < record.len() {
            match self.file.write(&record[done..]) {
                Ok(0) => return self.give_up(start, done, io::ErrorKind::WriteZero.into()),
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return self.give_up(start, done, error),
            }
        }
        if self.is_regular {
            self.length = self.file.stream_position()?;
        }
        Ok(())
    }

    /// Truncates a partially written record, unless another process has appended to it.
    fn give_up(&mut self, start: u64, done: usize, error: io::Error) -> io::Result<()> {
        let end = start + done as u64;
        if self.is_regular && done > 0 && self.file.metadata().is_ok_and(|metadata| metadata.len() == end) {
            // A failure here changes nothing: readers must handle a torn record anyway.
            let _ = self.truncate(start);
        }
        Err(error)
    }

    /// Truncates the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::End(0))?;
        self.length = length;
        Ok(())
    }

    /// Waits until all records are on the disk. Pipes and devices have nothing to wait for.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn sync(&self) -> io::Result<()> {
        if self.is_regular { self.file.sync() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::faults::{Fault, every_fault};
    use std::fs;

    #[test]
    fn two_writers_share_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mut first = AppendFile::open(&path).expect("writable");
        let mut second = AppendFile::open(&path).expect("writable");
        first.append(b"one ").expect("writable");
        second.append(b"two ").expect("writable");
        first.append(b"three").expect("writable");
        assert_eq!((first.length(), second.length()), (Some(13), Some(8)));
        assert_eq!(fs::read(&path).expect("there"), b"one two three");
    }

    #[test]
    fn failed_record_is_truncated() {
        let root = tempfile::tempdir().expect("a folder");
        let faults = every_fault(
            root.path(),
            |folder| fs::write(folder.join("file"), "before ").expect("writable"),
            |folder| {
                let mut file = AppendFile::open(&folder.join("file"))?;
                file.append(b"record one ")?;
                file.append(b"record two ")?;
                file.sync()
            },
            |folder, point, result| {
                let text = fs::read_to_string(folder.join("file")).expect("there");
                let whole = "before record one record two ";
                assert!(
                    [7, 18, whole.len()].contains(&text.len()) && whole.starts_with(&text),
                    "{point}: {text}"
                );
                assert!(text == whole || result.is_err(), "{point}: lost without an error");
                assert!(result.is_ok() || point.fault() != Some(Fault::ShortWrites), "{point}: {result:?}");
            },
        );
        assert!(faults >= 10, "{faults}");
    }
}
