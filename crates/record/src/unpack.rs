//! Files as they are, compressed with gzip, or in a zip archive.

use std::io::{self, Cursor};
use std::path::{Path, PathBuf};

use support::files::{CONTENT_LIMIT, read_limited, read_rest};

/// The content of a file, unpacked (a small archive can hold more than fits into memory: there is a limit), and its name without the extension of the compression. Of an archive it is the first file
/// whose name `is_wanted`, or the first one.
///
/// # Errors
/// The file cannot be read, is damaged, or larger than a book.
pub fn read(path: &Path, is_wanted: impl Fn(&Path) -> bool) -> io::Result<(Vec<u8>, PathBuf)> {
    let bytes = read_limited(path, CONTENT_LIMIT)?;
    match bytes.as_slice() {
        [0x1f, 0x8b, ..] => Ok((
            read_rest(flate2::read::MultiGzDecoder::new(bytes.as_slice()), CONTENT_LIMIT)?,
            path.with_extension(""),
        )),
        [b'P', b'K', 3, 4, ..] => unzip(&bytes, is_wanted),
        _ => Ok((bytes, path.to_owned())),
    }
}

fn unzip(bytes: &[u8], is_wanted: impl Fn(&Path) -> bool) -> io::Result<(Vec<u8>, PathBuf)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))?;
    let files: Vec<String> =
        archive.file_names().filter(|name| !name.ends_with('/')).map(str::to_owned).collect();
    let chosen = files.iter().find(|name| is_wanted(Path::new(name))).or(files.first());
    let name = chosen.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the archive is empty"))?;
    Ok((read_rest(archive.by_name(name)?, CONTENT_LIMIT)?, PathBuf::from(name)))
}
