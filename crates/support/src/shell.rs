//! Splitting and quoting of command lines.
//!
//! Not `shlex`: a backslash is an ordinary character here, because Windows paths contain it.

/// Splits a command line at whitespace outside quotes.
pub fn split_arguments(text: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut current: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                current.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => arguments.extend(current.take()),
            _ => current.get_or_insert_default().push(c),
        }
    }
    arguments.extend(current);
    arguments
}

/// Quotes an argument for a POSIX shell, if necessary.
pub fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_group_arguments() {
        assert_eq!(split_arguments("  a 'b c'  d\"e f\"g '' "), ["a", "b c", "de fg", ""]);
        assert!(split_arguments("  ").is_empty());
    }

    #[test]
    fn quoting() {
        assert_eq!(quoted("/usr/games/stockfish"), "/usr/games/stockfish");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
