//! Command lines: split into arguments, and quoted so that a shell reads them back.
//!
//! Not `shlex`: a backslash is an ordinary character here, because Windows paths contain it.

/// Splits a command line into arguments at blanks; quotes keep blanks together.
pub fn split_arguments(text: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut current: Option<String> = None;
    let mut quote: Option<char> = None;
    for sign in text.chars() {
        match (quote, sign) {
            (Some(open), _) if sign == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(sign);
                current.get_or_insert_default();
            }
            (None, _) if sign.is_whitespace() => arguments.extend(current.take()),
            _ => current.get_or_insert_default().push(sign),
        }
    }
    arguments.extend(current);
    arguments
}

/// A word as a shell reads it back.
pub fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "/._-+=:,@%".contains(sign);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_blanks_together() {
        assert_eq!(split_arguments("  a 'b c'  d\"e f\"g '' "), ["a", "b c", "de fg", ""]);
        assert!(split_arguments("  ").is_empty());
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_split_them() {
        assert_eq!(quoted("/usr/games/stockfish"), "/usr/games/stockfish");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
