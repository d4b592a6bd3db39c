//! Untrusted text for a terminal.

/// Replaces control characters, which could change colours or move the cursor.
pub fn printable(text: &str) -> String {
    let shown = |c: char| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c };
    text.chars().map(shown).collect()
}
