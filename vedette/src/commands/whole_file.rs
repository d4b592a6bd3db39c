//! Files that are replaced in one step: whoever reads one finds the old text or the new one, never a part.

use std::fs;
use std::io;
use std::path::Path;

/// Writes a file by way of another one beside it.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error: io::Error| format!("{}: {error}", path.display()))
}
