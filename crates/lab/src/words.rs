//! Words that users type: the nearest known one to a misspelt one, and command lines split into arguments and put
//! together again.

/// The candidate most like `word`; `None` when nothing is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1) + 1;
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions and replacements that turn `a` into `b` (Levenshtein).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

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

/// A text from outside for a terminal: it may contain anything, also what colours a terminal or moves its cursor.
pub fn printable(text: &str) -> String {
    let shown =
        |sign: char| if sign.is_control() && sign != '\n' { char::REPLACEMENT_CHARACTER } else { sign };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_word_finds_its_neighbour() {
        let known = ["concurrency", "openings", "resign", "draw", "each"];
        assert_eq!(nearest("concurency", known), Some("concurrency"));
        assert_eq!(nearest("Opening", known), Some("openings"));
        assert_eq!(nearest("xyz", known), None);
        assert_eq!(nearest("", known), None);
    }

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
