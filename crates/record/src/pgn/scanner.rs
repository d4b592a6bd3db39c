//! A text that is read from front to back.

/// The unread rest of a text. All that is looked at is counted: reading must take time in proportion to the length of the text,
/// whatever is in it, and tests compare the two.
#[derive(Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    /// The first unread byte.
    start: usize,
    /// Newlines have been counted up to here.
    counted: usize,
    line: usize,
    scanned: u64,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, start: 0, counted: 0, line: 1, scanned: 0 }
    }

    /// Bytes looked at so far, each as often as it was.
    pub fn scanned(&self) -> u64 {
        self.scanned
    }

    /// Unread bytes.
    pub fn len(&self) -> usize {
        self.text.len() - self.start
    }

    /// The character at an offset in the rest.
    pub fn char_at(&self, offset: usize) -> Option<char> {
        self.text[self.start + offset..].chars().next()
    }

    /// Whether the rest begins a line.
    pub fn is_at_line_start(&self) -> bool {
        self.start == 0 || self.text.as_bytes()[self.start - 1] == b'\n'
    }

    /// The line that the rest begins in, from 1.
    pub fn line(&mut self) -> usize {
        let passed = &self.text[self.counted..self.start];
        self.scanned += passed.len() as u64;
        self.line += passed.matches('\n').count();
        self.counted = self.start;
        self.line
    }

    /// The offset of the first such character at or after `from`.
    pub fn find(&mut self, from: usize, is_wanted: impl FnMut(char) -> bool) -> Option<usize> {
        let rest = &self.text[self.start + from..];
        let found = rest.find(is_wanted);
        self.scanned += found.map_or(rest.len(), |at| at + 1) as u64;
        found.map(|at| from + at)
    }

    /// Like [`find`](Self::find), or the end of the text.
    pub fn find_or_end(&mut self, from: usize, is_wanted: impl FnMut(char) -> bool) -> usize {
        self.find(from, is_wanted).unwrap_or(self.len())
    }

    pub fn skip_whitespace(&mut self) {
        let end = self.find_or_end(0, |c| !c.is_whitespace());
        self.start += end;
    }

    /// Reads this many bytes.
    pub fn take(&mut self, bytes: usize) -> &'a str {
        let taken = &self.text[self.start..self.start + bytes];
        self.scanned += bytes as u64;
        self.start += bytes;
        taken
    }
}
