//! Text for people: untrusted text for a terminal, numbers of things.

use std::borrow::Cow;

/// Replaces characters that could change colours, move the cursor or reverse the direction of other text. A tab becomes a
/// space; line breaks stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_active) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| match c {
        '\t' => ' ',
        c if is_active(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// Control characters, and the marks of Unicode that reorder text or break lines.
fn is_active(c: char) -> bool {
    let reorders = matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    reorders || c.is_control() && c != '\n'
}

/// `1 game`, `2 games`.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn active_characters_are_replaced() {
        assert_eq!(printable("a \u{1b}[31mred\r\nb\u{9b}2J é"), "a \u{fffd}[31mred\u{fffd}\nb\u{fffd}2J é");
        assert_eq!(printable("a\tb\u{202e}c\u{2066}"), "a b\u{fffd}c\u{fffd}");
        assert!(matches!(printable("Stockfish 18 — é\n"), Cow::Borrowed(_)));
    }
}
