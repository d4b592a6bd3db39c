//! Files as they are, compressed with gzip, or in a zip archive.

use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// Bytes of a book; a small archive can hold far more than fits into memory.
const MAX_BYTES: u64 = 1 << 30;

/// The content of a file, and its name without the extension of the compression. Of an archive it is the first file
/// whose name `is_wanted`, or the first one.
///
/// # Errors
/// The file cannot be read, is damaged, or larger than a book.
pub fn read(path: &Path, is_wanted: impl Fn(&Path) -> bool) -> io::Result<(Vec<u8>, PathBuf)> {
    let bytes = limited(std::fs::File::open(path)?)?;
    match bytes.as_slice() {
        [0x1f, 0x8b, ..] => {
            Ok((limited(flate2::read::MultiGzDecoder::new(bytes.as_slice()))?, path.with_extension("")))
        }
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
    Ok((limited(archive.by_name(name)?)?, PathBuf::from(name)))
}

fn limited(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        let reason = format!("larger than {} MiB", MAX_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}
