//! Opening files to write before long work begins, so that a name that cannot be written costs nothing.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Opens a file, and finds out whether it takes anything: a device that does not (`/dev/full`) says so even to an empty
/// text, which changes nothing elsewhere.
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
    fn a_full_device_is_told_by_opening_it() {
        let open = |path: &str| open_writable(Path::new(path), OpenOptions::new().write(true));
        assert!(open("/dev/full").is_err());
        assert!(open("/dev/null").is_ok());
    }
}
