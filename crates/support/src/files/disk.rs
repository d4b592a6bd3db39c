//! The one layer under all writing of files. Without a simulated disk ([`faults`]) it costs an atomic load when a file is
//! opened, and nothing afterwards.

use std::fs::{self, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::faults::{self, OpenFile};

/// A file that can be written.
#[derive(Debug)]
pub struct File {
    file: fs::File,
    simulated: Option<OpenFile>,
}

impl File {
    /// Creates a file to read and write, which must not exist. Symbolic links are not followed.
    ///
    /// # Errors
    /// There is such a file, or it cannot be created.
    pub fn create_new(path: &Path) -> io::Result<File> {
        File::make(path, OpenOptions::new().read(true).write(true).create_new(true), false)
    }

    /// Opens a file to read and write, which is created if it is missing and keeps its content otherwise.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open_or_create(path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        File::make(path, options.read(true).write(true).create(true).truncate(false), false)
    }

    /// Opens a file to read and write.
    ///
    /// # Errors
    /// It does not exist, or cannot be opened.
    pub fn open(path: &Path) -> io::Result<File> {
        File::make(path, OpenOptions::new().read(true).write(true), false)
    }

    /// Opens a file, pipe or device to write, which is created if it is missing and truncated otherwise.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn create(path: &Path) -> io::Result<File> {
        let file = File::make(path, OpenOptions::new().write(true).create(true).truncate(true), true)?;
        file.check_writable()
    }

    /// Opens a file, pipe or device to append to, which is created if it is missing.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append(path: &Path) -> io::Result<File> {
        File::make(path, OpenOptions::new().create(true).append(true), false)?.check_writable()
    }

    /// Opens a pipe or device that exists.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn special(path: &Path) -> io::Result<File> {
        File::make(path, OpenOptions::new().write(true), false)?.check_writable()
    }

    fn make(path: &Path, options: &OpenOptions, truncates: bool) -> io::Result<File> {
        match faults::disk_of(path) {
            None => Ok(File { file: options.open(path)?, simulated: None }),
            Some(disk) => {
                let (file, node) = disk.open(path, options, truncates)?;
                Ok(File { file, simulated: Some(node) })
            }
        }
    }

    /// Writes zero bytes, which fails on a device like `/dev/full`.
    fn check_writable(mut self) -> io::Result<File> {
        self.file.write(&[]).map(|_| self)
    }

    /// Sets the length: truncates, or extends with zeros.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn set_len(&self, length: u64) -> io::Result<()> {
        match &self.simulated {
            None => self.file.set_len(length),
            Some(node) => node.set_len(&self.file, length),
        }
    }

    /// Waits until the content is on the disk.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn sync(&self) -> io::Result<()> {
        match &self.simulated {
            None => self.file.sync_all(),
            Some(node) => node.sync(),
        }
    }

    /// Takes the operating system's lock, which is held until the file is closed.
    ///
    /// # Errors
    /// [`TryLockError::WouldBlock`] if another handle has it, [`TryLockError::Error`] if there are no locks here.
    pub fn try_lock(&self) -> Result<(), TryLockError> {
        self.file.try_lock()
    }

    /// # Errors
    /// The metadata cannot be read.
    pub fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &self.simulated {
            None => self.file.write(bytes),
            Some(node) => node.write(&mut self.file, bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Read for &File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&self.file).read(buffer)
    }
}

impl Seek for File {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

/// Gives a file another name in the same file system; a file of that name is replaced.
///
/// # Errors
/// It cannot be renamed.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match faults::disk_of(to) {
        None => fs::rename(from, to),
        Some(disk) => disk.rename(from, to),
    }
}

/// # Errors
/// The file cannot be removed.
pub fn remove_file(path: &Path) -> io::Result<()> {
    match faults::disk_of(path) {
        None => fs::remove_file(path),
        Some(disk) => disk.remove_file(path),
    }
}

/// Creates a folder and those that it is in, and waits until they are on the disk.
///
/// # Errors
/// A folder cannot be created.
pub fn create_dir_all(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        create_dir_all(parent)?;
    }
    let created = match faults::disk_of(path) {
        None => fs::create_dir(path),
        Some(disk) => disk.create_dir(path),
    };
    match created {
        Err(_) if path.is_dir() => Ok(()),
        created => created.and_then(|()| sync_parent(path)),
    }
}

/// Removes a folder with all its content.
///
/// # Errors
/// It cannot be removed.
pub fn remove_dir_all(path: &Path) -> io::Result<()> {
    match faults::disk_of(path) {
        None => fs::remove_dir_all(path),
        Some(disk) => disk.remove_dir_all(path),
    }
}

/// Waits until the names in a file's folder are on the disk: that it exists, was renamed or was removed. Only Unix can be asked
/// to; elsewhere this does nothing.
///
/// # Errors
/// The folder cannot be written.
pub fn sync_parent(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let synced = match faults::disk_of(path) {
        None => fs::File::open(folder).and_then(|folder| folder.sync_all()),
        Some(disk) => disk.sync_dir(folder),
    };
    match synced {
        // Some file systems cannot do it.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        synced => synced,
    }
}

/// The limit for recipes, settings and other files that people write.
pub const SETTINGS_LIMIT: u64 = 16 << 20;

/// The limit for files of games, positions and results that are held in memory.
pub const CONTENT_LIMIT: u64 = 1 << 30;

/// Reads a file of at most `limit` bytes: an endless device must not fill the memory.
///
/// # Errors
/// It cannot be read, or is longer.
pub fn read_limited(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_rest(fs::File::open(path)?, limit)
}

/// [`read_limited`] for a file that is open, or any other source.
///
/// # Errors
/// It cannot be read, or is longer.
pub fn read_rest(source: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let limit = if limit < 1 << 20 { format!("{limit} bytes") } else { format!("{} MiB", limit >> 20) };
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {limit}")));
    }
    Ok(bytes)
}

/// [`read_limited`] for text.
///
/// # Errors
/// It cannot be read, is longer, or not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "not a text in UTF-8");
    String::from_utf8(read_limited(path, limit)?).map_err(not_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    #[cfg_attr(miri, ignore = "Miri has no device numbers")]
    fn full_device_is_not_writable() {
        for open in [File::append, File::create, File::special] {
            assert!(open(Path::new("/dev/full")).is_err());
            assert!(open(Path::new("/dev/null")).is_ok());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn endless_device_is_not_read() {
        let error = read_limited(Path::new("/dev/zero"), 1000).expect_err("endless").to_string();
        assert_eq!(error, "larger than 1000 bytes");
        let error = read_text(Path::new("/dev/zero"), 1 << 20).expect_err("endless").to_string();
        assert_eq!(error, "larger than 1 MiB");
        assert_eq!(read_limited(Path::new("/dev/null"), 1000).expect("empty"), b"");
    }

    #[test]
    fn folders_are_created_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a/b/c");
        create_dir_all(&path).expect("writable");
        create_dir_all(&path).expect("there");
        fs::write(path.join("file"), "").expect("writable");
        assert!(create_dir_all(&path.join("file")).is_err(), "a file is in the way");
    }
}
