//! Text from outside, made safe to show.

/// A text from outside for a terminal: it may contain anything, also what colours a terminal or moves its cursor.
pub fn printable(text: &str) -> String {
    let shown =
        |sign: char| if sign.is_control() && sign != '\n' { char::REPLACEMENT_CHARACTER } else { sign };
    text.chars().map(shown).collect()
}
