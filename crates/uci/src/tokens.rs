//! The tokens of a line, for the parsers of this crate.

/// The part of a line that has not been read yet.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    /// All of `line`.
    pub fn new(line: &'a str) -> Self {
        Tokens { rest: line.trim_ascii() }
    }

    /// The rest of the line, with its inner whitespace.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next token, without consuming it.
    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at(end);
        self.rest = rest.trim_ascii_start();
        Some(token)
    }
}

/// The number that `token` spells: negative ones count as 0, and ones too large for the type as its maximum.
/// `None` when it is no whole number at all.
pub(crate) fn saturating_number(token: &str) -> Option<u64> {
    let (negative, digits) = match token.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, token.strip_prefix('+').unwrap_or(token)),
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
    fn tokens_are_split_at_whitespace() {
        let mut tokens = Tokens::new(" \tgo   depth\t5  x ");
        assert_eq!(tokens.next(), Some("go"));
        assert_eq!(tokens.peek(), Some("depth"));
        assert_eq!(tokens.rest(), "depth\t5  x");
        assert_eq!(tokens.collect::<Vec<_>>(), ["depth", "5", "x"]);
    }

    #[test]
    fn numbers_saturate_instead_of_overflowing() {
        assert_eq!(saturating_number("18446744073709551615"), Some(u64::MAX));
        assert_eq!(saturating_number("99999999999999999999"), Some(u64::MAX));
        assert_eq!(saturating_number("-5"), Some(0));
        assert_eq!(saturating_number("+7"), Some(7));
        for token in ["", "-", "+", "abc", "1e3", "5.0", "--5", "+-5", "٣"] {
            assert_eq!(saturating_number(token), None, "{token:?}");
        }
    }
}
