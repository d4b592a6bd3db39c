//! Lines of bounded length.

use std::io::{self, BufRead, BufReader, Read};

/// Longer lines are not training data.
pub const MAX_LINE: usize = 1 << 14;

/// Reads the lines of a source.
#[derive(Debug)]
pub struct Lines<R> {
    source: BufReader<R>,
    line: Vec<u8>,
    /// Bytes read.
    pub offset: u64,
    /// The number of the last line.
    pub number: u64,
}

impl<R: Read> Lines<R> {
    pub fn new(source: R) -> Self {
        Lines { source: BufReader::with_capacity(1 << 16, source), line: Vec::new(), offset: 0, number: 0 }
    }

    /// The next line without its end; what is not UTF-8 is replaced, and a line that is too long is cut, so that neither
    /// is valid. `None` at the end.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<String>> {
        self.line.clear();
        let mut is_begun = false;
        loop {
            let buffer = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if buffer.is_empty() {
                break;
            }
            is_begun = true;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = (MAX_LINE - self.line.len()).min(part.len());
            self.line.extend_from_slice(&part[..room]);
            let used = part.len() + usize::from(end.is_some());
            self.source.consume(used);
            self.offset += used as u64;
            if end.is_some() {
                break;
            }
        }
        self.number += 1;
        Ok(is_begun
            .then(|| String::from_utf8_lossy(&self.line).trim_start_matches('\u{feff}').trim().to_owned()))
    }
}
