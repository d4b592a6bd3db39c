//! ARCHITECTURE.md and the glossary name types, functions and files: all of them must exist.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Where names are looked for.
const SOURCES: &[&str] =
    &["crates", "vedette/src", "vedette/tests", "nets/recipes", "scripts", "web/src", "docs"];

/// Files below a folder of the repository, relative to its root.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, found);
        } else if let Ok(relative) = path.strip_prefix(ROOT) {
            found.push(relative.to_owned());
        }
    }
}

fn is_identifier(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Text between backticks, outside of code blocks. In tables only the last column names code.
fn quoted_names(page: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut in_code = false;
    for line in page.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        let line = if line.starts_with('|') {
            line.trim_end_matches([' ', '|']).rsplit('|').next()
        } else {
            Some(line)
        };
        names.extend(line.unwrap_or_default().split('`').skip(1).step_by(2).map(str::to_owned));
    }
    names
}

/// Whether a name is checked: not a command line, a pattern or a UCI token.
fn is_name(name: &str) -> bool {
    let is_plain = |character| is_identifier(character) || "/.:<>*-".contains(character);
    name.chars().all(is_plain)
        && !name.starts_with(['-', '.'])
        && name.chars().any(|c| c == '_' || c == ':' || c == '/' || c == '.' || c.is_uppercase())
}

#[test]
fn documented_names_exist() {
    let mut paths = Vec::new();
    for source in SOURCES {
        files(&Path::new(ROOT).join(source), &mut paths);
    }
    let mut identifiers: HashSet<String> = HashSet::new();
    for path in &paths {
        if path.extension().is_some_and(|end| {
            ["rs", "h", "cpp", "cu", "toml", "ts", "tsx"].iter().any(|known| end == *known)
        }) {
            let text = fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_default();
            identifiers.extend(text.split(|c| !is_identifier(c)).map(str::to_owned));
        }
    }
    let has_path = |name: &str| {
        let name = name.trim_end_matches('/');
        Path::new(ROOT).join(name).exists()
            || paths
                .iter()
                .any(|path| path.ends_with(name) || path.ancestors().any(|folder| folder.ends_with(name)))
    };
    let has_identifier = |name: &str| {
        let name = name.split_once('<').map_or(name, |(name, _)| name).trim_end_matches("::");
        let last = name.rsplit("::").next().unwrap_or(name);
        identifiers.contains(last)
    };
    let mut missing = Vec::new();
    for page in ["ARCHITECTURE.md", "docs/glossary.md"] {
        let text = fs::read_to_string(Path::new(ROOT).join(page)).expect(page);
        let names = quoted_names(&text).into_iter().filter(|name| is_name(name));
        missing.extend(
            names
                .filter(|name| !has_path(name) && !has_identifier(name))
                .map(|name| format!("{page}: `{name}`")),
        );
    }
    assert!(missing.is_empty(), "not in the source:\n{}", missing.join("\n"));
}
