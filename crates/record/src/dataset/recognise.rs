//! Recognises the format of a file by its first bytes; its name decides only where they do not.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::csv::CsvColumns;
use super::{DataFormat, bin, binpack, bullet, text};
use crate::packed::{PackedError, PackedGame};

/// Bytes to look at.
const HEAD: u64 = 1 << 16;
/// Records that must be valid.
const RECORDS: usize = 64;

/// Files that people mistake for training data, by their first bytes.
const OTHERS: [(&[u8], &str); 7 + !cfg!(feature = "parquet") as usize] = [
    (&[0x1f, 0x8b], "compressed with gzip: decompress it first"),
    (&[0x28, 0xb5, 0x2f, 0xfd], "compressed with zstd: decompress it first"),
    (&[0xfd, b'7', b'z', b'X', b'Z'], "compressed with xz: decompress it first"),
    (b"BZh", "compressed with bzip2: decompress it first"),
    (b"PK\x03\x04", "a zip archive: unpack it first"),
    (b"VEDETTE", "a Vedette file, but not training data"),
    (b"\x7fELF", "a program"),
    #[cfg(not(feature = "parquet"))]
    (b"PAR1", "Parquet, which this build cannot read: build with make FEATURES=parquet"),
];

/// The format of a file.
///
/// # Errors
/// The file cannot be read, or is not training data; the message says what it is, where that is known.
pub fn recognise(path: &Path) -> io::Result<DataFormat> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head)?;
    by_content(&head, length, DataFormat::from_path(path))
        .map_err(|reason| io::Error::new(ErrorKind::InvalidData, reason))
}

/// The format of a file that begins with these bytes.
fn by_content(head: &[u8], length: u64, by_name: Option<DataFormat>) -> Result<DataFormat, String> {
    let unknown = || {
        let names: Vec<&str> = DataFormat::ALL.iter().map(|format| format.name()).collect();
        format!("unknown format: expected one of {}", names.join(", "))
    };
    if head.is_empty() {
        return Ok(by_name.unwrap_or(DataFormat::Games));
    }
    if let Some((_, what)) = OTHERS.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err((*what).to_owned());
    }
    #[cfg(feature = "parquet")]
    if head.starts_with(super::parquet::MAGIC) {
        return Ok(DataFormat::Parquet);
    }
    if let Some(text) = as_text(head) {
        return of_text(text)?.or(by_name).ok_or_else(unknown);
    }
    // A name that agrees with the content decides between formats that look alike.
    let fits = |format| fits(format, head, length);
    let binary = [DataFormat::Binpack, DataFormat::Games, DataFormat::Bullet, DataFormat::Bin];
    if let Some(format) =
        by_name.filter(|&format| fits(format)).or_else(|| binary.into_iter().find(|&format| fits(format)))
    {
        return Ok(format);
    }
    if is_polyglot(head, length) {
        return Err("a Polyglot opening book: use vedette book".to_owned());
    }
    // A damaged file of a known name.
    by_name.filter(|format| binary.contains(format)).ok_or_else(unknown)
}

/// Polyglot books have the extension of Stockfish's records, too: 16 bytes for each move, sorted by the key that they begin
/// with.
fn is_polyglot(head: &[u8], length: u64) -> bool {
    const LEAST: usize = 4;
    let records = head.as_chunks::<16>().0;
    let keys: Vec<&[u8]> = records.iter().take(RECORDS).map(|record| &record[..8]).collect();
    length.is_multiple_of(16) && keys.len() >= LEAST && keys.is_sorted() && keys.first() < keys.last()
}

/// Whether the first records are valid.
fn fits(format: DataFormat, head: &[u8], length: u64) -> bool {
    match format {
        DataFormat::Games => match PackedGame::unpack(head) {
            Ok(_) => true,
            // Longer than the head, if there is more.
            Err(PackedError::Truncated) => length > head.len() as u64,
            Err(_) => false,
        },
        DataFormat::Bullet => records_fit(head, length, |record| bullet::read(record).is_ok()),
        DataFormat::Bin => records_fit(head, length, |record| bin::read(record).is_ok()),
        DataFormat::Binpack => binpack::fits(head),
        _ => false,
    }
}

fn records_fit<const N: usize>(head: &[u8], length: u64, is_valid: impl Fn(&[u8; N]) -> bool) -> bool {
    let (records, _) = head.as_chunks::<N>();
    length.is_multiple_of(N as u64) && !records.is_empty() && records.iter().take(RECORDS).all(is_valid)
}

/// The head as text, unless it has control characters or is not UTF-8 (but for a character that is cut).
fn as_text(head: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).ok()?
        }
        // PGN is often in Latin-1, whose first line rarely is.
        Err(error) => {
            std::str::from_utf8(&head[..error.valid_up_to()]).ok().filter(|text| text.contains('\n'))?
        }
    };
    let is_control = |character: char| character.is_control() && !character.is_whitespace();
    (!text.is_empty() && !text.contains(is_control)).then(|| text.trim_start_matches('\u{feff}'))
}

/// The format of a text; `None` if nothing shows it.
fn of_text(text: &str) -> Result<Option<DataFormat>, String> {
    let Some(line) = text.lines().map(str::trim).find(|line| !line.is_empty()) else { return Ok(None) };
    if text::read_line(line).is_ok() {
        return Ok(Some(DataFormat::Text));
    }
    if line.starts_with("fen ") {
        return Ok(Some(DataFormat::Plain));
    }
    if CsvColumns::is_header(line) {
        return Ok(Some(DataFormat::Csv));
    }
    if line.starts_with(['[', '%']) || line.starts_with("1.") {
        return Ok(Some(DataFormat::Pgn));
    }
    if line.contains('|') {
        return Ok(Some(DataFormat::Text));
    }
    if chess::Position::from_fen(line).is_ok() {
        return Err("positions without scores and results (an opening book or EPD suite)".to_owned());
    }
    if line.starts_with(['{', '<']) {
        return Err("JSON or HTML".to_owned());
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_named() {
        let message = |head: &[u8]| by_content(head, head.len() as u64, None).unwrap_err();
        assert!(message(&[0x1f, 0x8b, 8, 0]).contains("gzip"));
        #[cfg(not(feature = "parquet"))]
        assert!(message(b"PAR1\x15\x04").contains("make FEATURES=parquet"));
        assert!(message(b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n").contains("without scores"));
        assert!(message(&[1, 2, 3, 4, 0, 0]).starts_with("unknown format: expected one of vd, pgn,"));
        assert!(message(b"Lorem ipsum\n").starts_with("unknown format"));
    }

    #[test]
    fn polyglot_book_is_named() {
        let book: Vec<u8> = (1..9_u64)
            .flat_map(|number| {
                let mut record = [0; 16];
                record[..8].copy_from_slice(&(number << 60).to_be_bytes());
                record[8..12].copy_from_slice(&[0x03, 0x1c, 0, 7]);
                record
            })
            .collect();
        for name in [None, Some(DataFormat::Bin), Some(DataFormat::Games)] {
            let message = by_content(&book, book.len() as u64, name).unwrap_err();
            assert!(message.starts_with("a Polyglot opening book"), "{message}");
        }
        let unsorted: Vec<u8> = book.chunks(16).rev().flatten().copied().collect();
        assert_eq!(by_content(&unsorted, 128, Some(DataFormat::Bin)), Ok(DataFormat::Bin));
    }

    #[test]
    fn texts_are_told_apart() {
        for (text, format) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 12 | 0.5\n", DataFormat::Text),
            ("4k3/8/8 | 12 | 0.5\n", DataFormat::Text),
            ("fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nmove e2e4\n", DataFormat::Plain),
            ("score,result,\"fen\"\n", DataFormat::Csv),
            ("\u{feff}[Event \"x\"]\n", DataFormat::Pgn),
            ("\n1. e4 e5 *\n", DataFormat::Pgn),
        ] {
            assert_eq!(by_content(text.as_bytes(), 1000, Some(DataFormat::Games)), Ok(format), "{text}");
        }
    }

    #[test]
    fn damaged_file_has_the_format_of_its_name() {
        let head = [7; 100];
        assert_eq!(by_content(&head, 100, Some(DataFormat::Games)), Ok(DataFormat::Games));
        assert!(by_content(&head, 100, Some(DataFormat::Csv)).is_err());
    }
}
