//! Lines of an untrusted stream, in bounded memory. The session and the client for foreign engines read through
//! it.

use std::io::{self, BufRead, ErrorKind};

/// The longest line that is read as text, in bytes: room for a game of some 50,000 moves.
pub const MAX_LINE: usize = 256 * 1024;

/// One line of a stream, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Text.
    Text(String),
    /// More than [`MAX_LINE`] bytes; they were discarded.
    TooLong,
    /// Bytes that are not UTF-8, or that contain a NUL; they were discarded.
    NotText,
}

/// Splits a byte stream into lines. Lines end with LF or CRLF; a byte order mark before the first line is
/// skipped; the last line needs no end.
pub struct LineReader<R> {
    source: R,
    at_start: bool,
}

impl<R: BufRead> LineReader<R> {
    /// Reads from `source`.
    pub fn new(source: R) -> Self {
        LineReader { source, at_start: true }
    }

    /// The next line, or `None` at the end of the stream.
    ///
    /// # Errors
    /// What the source reports, except interruptions, which are retried.
    pub fn read_line(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let Some(length) = self.read_up_to_limit(&mut bytes)? else { return Ok(None) };
        let at_start = std::mem::take(&mut self.at_start);
        Ok(Some(if length > MAX_LINE { Line::TooLong } else { classify(bytes, at_start) }))
    }

    /// Reads to the end of the line, returns its length, and adds its bytes, at most [`MAX_LINE`], to `bytes`.
    /// `None` at the end of the stream.
    pub(crate) fn read_up_to_limit(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<usize>> {
        let mut length = None;
        loop {
            let chunk = match self.source.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok(length);
            }
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let length_now = length.unwrap_or(0_usize).saturating_add(part.len());
            length = Some(length_now);
            let room = MAX_LINE.saturating_sub(bytes.len());
            bytes.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.source.consume(used);
            if end.is_some() {
                return Ok(length);
            }
        }
    }
}

impl<R: BufRead> Iterator for LineReader<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_line().transpose()
    }
}

fn classify(bytes: Vec<u8>, at_start: bool) -> Line {
    const BYTE_ORDER_MARK: char = '\u{feff}';
    if bytes.contains(&0) {
        return Line::NotText;
    }
    let Ok(mut text) = String::from_utf8(bytes) else { return Line::NotText };
    if text.ends_with('\r') {
        text.pop();
    }
    if at_start && text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0);
    }
    Line::Text(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn lines(bytes: &[u8]) -> Vec<Line> {
        // A tiny buffer, so that every line spans several reads.
        LineReader::new(BufReader::with_capacity(3, bytes)).map(Result::unwrap).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn line_ends_may_be_lf_or_crlf_or_missing() {
        assert_eq!(lines(b"uci\r\nisready\n\nquit"), [text("uci"), text("isready"), text(""), text("quit")]);
    }

    #[test]
    fn bom_is_skipped_at_start_only() {
        assert_eq!(lines(b"\xef\xbb\xbfuci\n\xef\xbb\xbfuci\n"), [text("uci"), text("\u{feff}uci")]);
    }

    #[test]
    fn invalid_bytes_drop_one_line() {
        assert_eq!(lines(b"\xff\xfe\nis\0ready\nuci\n"), [Line::NotText, Line::NotText, text("uci")]);
    }

    #[test]
    fn line_length_limit() {
        let longest = "x".repeat(MAX_LINE);
        let input = format!("{longest}\n{longest}x\nuci\n");
        assert_eq!(lines(input.as_bytes()), [text(&longest), Line::TooLong, text("uci")]);
    }

    #[test]
    fn endless_line_uses_bounded_memory() {
        let endless = std::io::repeat(b'x').take(64 * 1024 * 1024);
        let mut reader = LineReader::new(BufReader::new(endless));
        assert_eq!(reader.read_line().unwrap(), Some(Line::TooLong));
        assert_eq!(reader.read_line().unwrap(), None);
    }
}
