//! Checks for write access before long work begins.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Opens a file and writes zero bytes to it, which fails on a device like `/dev/full`.
///
/// # Errors
/// The file cannot be opened or written.
pub fn open_writable(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let mut file = options.open(path)?;
    file.write(&[]).map(|_| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn full_device_is_not_writable() {
        let open = |path: &str| open_writable(Path::new(path), OpenOptions::new().write(true));
        assert!(open("/dev/full").is_err());
        assert!(open("/dev/null").is_ok());
    }
}
