//! A line taken apart word by word; the parsers of this crate share it.

/// The part of a line that has not been read yet.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// All of `line`.
    pub fn new(line: &'a str) -> Self {
        Words { rest: line.trim_ascii() }
    }

    /// Everything that is left, blanks inside included.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next word, left in place.
    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_ascii_start();
        Some(word)
    }
}

/// The number that `word` spells: negative ones count as 0, and ones too large for the type as its maximum.
/// `None` when it is no whole number at all.
pub(crate) fn saturating_number(word: &str) -> Option<u64> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Only digits are left, so the one way to fail is to be too large.
    Some(if negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_at_any_run_of_blanks() {
        let mut words = Words::new(" \tgo   depth\t5  x ");
        assert_eq!(words.next(), Some("go"));
        assert_eq!(words.peek(), Some("depth"));
        assert_eq!(words.rest(), "depth\t5  x");
        assert_eq!(words.collect::<Vec<_>>(), ["depth", "5", "x"]);
    }

    #[test]
    fn numbers_saturate_instead_of_overflowing() {
        assert_eq!(saturating_number("18446744073709551615"), Some(u64::MAX));
        assert_eq!(saturating_number("99999999999999999999"), Some(u64::MAX));
        assert_eq!(saturating_number("-5"), Some(0));
        assert_eq!(saturating_number("+7"), Some(7));
        for word in ["", "-", "+", "abc", "1e3", "5.0", "--5", "+-5", "٣"] {
            assert_eq!(saturating_number(word), None, "{word:?}");
        }
    }
}
