//! Patterns for one line of output: `*` matches any text, `[a|b]` either, `{name}` one token that must be the same
//! wherever the name occurs again in the case; everything else matches itself.

use std::collections::HashMap;

/// The tokens bound to names so far.
pub type Bindings = HashMap<String, String>;

/// A parsed pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    source: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Anything,
    Either(Vec<String>),
    Word(String),
}

impl Pattern {
    /// Parses `source`.
    pub fn new(source: &str) -> Result<Pattern, String> {
        let mut parts = Vec::new();
        let mut rest = source;
        while let Some(first) = rest.chars().next() {
            let (part, length) = match first {
                '*' => (Part::Anything, 1),
                '[' => {
                    let end = rest.find(']').ok_or_else(|| format!("no ']' in {source:?}"))?;
                    (Part::Either(rest[1..end].split('|').map(str::to_owned).collect()), end + 1)
                }
                '{' => {
                    let end = rest.find('}').ok_or_else(|| format!("no '}}' in {source:?}"))?;
                    (Part::Word(rest[1..end].to_owned()), end + 1)
                }
                _ => {
                    let end = rest.find(['*', '[', '{']).unwrap_or(rest.len());
                    (Part::Text(rest[..end].to_owned()), end)
                }
            };
            parts.push(part);
            rest = &rest[length..];
        }
        Ok(Pattern { source: source.to_owned(), parts })
    }

    /// Whether the whole line matches. Only then are new names bound.
    pub fn matches(&self, line: &str, bindings: &mut Bindings) -> bool {
        let mut trial = bindings.clone();
        let fits = fits(&self.parts, line, &mut trial);
        if fits {
            *bindings = trial;
        }
        fits
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.source)
    }
}

fn fits(parts: &[Part], line: &str, bindings: &mut Bindings) -> bool {
    let Some((part, parts)) = parts.split_first() else { return line.is_empty() };
    match part {
        Part::Text(text) => line.strip_prefix(text.as_str()).is_some_and(|rest| fits(parts, rest, bindings)),
        Part::Anything => {
            let mut ends = line.char_indices().map(|(index, _)| index).chain([line.len()]);
            ends.any(|end| fits(parts, &line[end..], bindings))
        }
        Part::Either(choices) => choices
            .iter()
            .any(|choice| line.strip_prefix(choice.as_str()).is_some_and(|rest| fits(parts, rest, bindings))),
        Part::Word(name) => {
            let (token, rest) = line.split_at(line.find(' ').unwrap_or(line.len()));
            if token.is_empty() || bindings.get(name).is_some_and(|bound| bound != token) {
                return false;
            }
            let shadowed = bindings.insert(name.clone(), token.to_owned());
            let fits = fits(parts, rest, bindings);
            if !fits {
                match shadowed {
                    Some(token) => bindings.insert(name.clone(), token),
                    None => bindings.remove(name),
                };
            }
            fits
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, line: &str) -> bool {
        Pattern::new(pattern).unwrap().matches(line, &mut Bindings::new())
    }

    #[test]
    fn patterns_cover_the_whole_line() {
        assert!(matches("bestmove (none)", "bestmove (none)"));
        assert!(!matches("bestmove", "bestmove e2e4"));
        assert!(matches("bestmove [e2e4|d2d4]*", "bestmove d2d4 ponder d7d5"));
        assert!(!matches("bestmove [e2e4|d2d4]*", "bestmove c2c4"));
        assert!(matches("info*depth 3 *pv*", "info depth 3 score cp 1 pv e2e4"));
    }

    #[test]
    fn name_binds_one_token() {
        let mut bindings = Bindings::new();
        let nodes = Pattern::new("info * nodes {nodes} *").unwrap();
        assert!(nodes.matches("info depth 1 nodes 20 time 0", &mut bindings));
        assert!(!nodes.matches("info depth 1 nodes 21 time 0", &mut bindings));
        assert!(nodes.matches("info depth 9 nodes 20 time 5", &mut bindings));
    }
}
