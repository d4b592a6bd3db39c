//! The documentation is wrapped, its links lead somewhere, and its commands work.
//!
//! A command is a line that begins with `$ ` in a code block; the lines after it are its output. The fence says how it is
//! tested:
//!
//! | fence | test |
//! |---|---|
//! | `console` | run; the output is compared, if there is any. `…` stands for any text, or any lines if it is alone |
//! | `console varies` | run; the output depends on the network, the machine or the clock |
//! | `console slow` | run in `make proof` only |
//! | `console manual` | not run: needs a GPU, a browser, a file or an engine of the reader's |
//!
//! The commands of a page run in one folder, in order, with `sh`.

#![cfg(unix)]

#[path = "folder/mod.rs"]
mod folder;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Columns of a line, except in tables, code blocks and lines without a space.
const WIDTH: usize = 100;

/// Folders with pages; the root without its subfolders.
const FOLDERS: [&str; 5] = ["docs", "nets", "tests/uci", "classroom", ".github"];

fn pages() -> Vec<PathBuf> {
    fn add(folder: &Path, deep: bool, found: &mut Vec<PathBuf>) {
        for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default();
            if path.is_dir() && deep && name != "target" && name != "work" {
                add(&path, true, found);
            } else if path.extension().is_some_and(|end| end == "md") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    add(Path::new(ROOT), false, &mut found);
    for folder in FOLDERS {
        add(&Path::new(ROOT).join(folder), true, &mut found);
    }
    found.sort();
    found
}

fn read(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

fn name_of(page: &Path) -> String {
    page.strip_prefix(ROOT).unwrap_or(page).display().to_string()
}

/// Lines outside of code blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

#[test]
fn pages_are_wrapped() {
    let mut long = Vec::new();
    for page in pages() {
        for (number, line) in prose(&read(&page)) {
            let is_exempt =
                line.starts_with(['|', '<', '[']) || line.starts_with("    ") || !line.trim().contains(' ');
            if line.chars().count() > WIDTH && !is_exempt {
                long.push(format!("{}:{number}: {} columns", name_of(&page), line.chars().count()));
            }
        }
    }
    assert!(long.is_empty(), "longer than {WIDTH} columns:\n{}", long.join("\n"));
}

/// rustdoc and `mdbook test` take a block without a language, and an indented one, for Rust.
#[test]
fn code_blocks_have_a_language() {
    let mut without = Vec::new();
    for page in pages() {
        let text = read(&page);
        let mut in_code = false;
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(language) = line.trim_start().strip_prefix("```") {
                in_code = !in_code;
                if in_code && language.is_empty() {
                    without.push(format!("{}:{number}", name_of(&page)));
                }
            }
        }
        let mut before = ("", "");
        for (number, line) in prose(&text) {
            let after_paragraph =
                before.1.is_empty() && !before.0.starts_with([' ', '-', '*', '1', '2', '3', '4']);
            if line.starts_with("    ") && after_paragraph {
                without.push(format!("{}:{number}: indented", name_of(&page)));
            }
            before = if line.is_empty() { (before.0, line) } else { (line, line) };
        }
    }
    assert!(without.is_empty(), "code blocks without a language:\n{}", without.join("\n"));
}

/// The anchor of a heading, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn anchors(text: &str) -> HashSet<String> {
    let headings = prose(text).filter_map(|(_, line)| line.strip_prefix('#'));
    headings.map(|heading| anchor(heading.trim_start_matches('#'))).collect()
}

/// The targets of inline links and reference definitions.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        // Inline code may contain brackets.
        let line: String =
            line.split('`').enumerate().map(|(index, part)| if index % 2 == 0 { part } else { "" }).collect();
        for part in line.split("](").skip(1) {
            found.push((number, part.split([')', ' ']).next().unwrap_or_default().to_owned()));
        }
        if line.starts_with('[')
            && let Some((_, target)) = line.split_once("]: ")
        {
            found.push((number, target.trim().to_owned()));
        }
    }
    found
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        for (number, link) in links(&read(&page)) {
            if link.is_empty() || link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, fragment) = link.split_once('#').unwrap_or((&link, ""));
            let target =
                if path.is_empty() { page.clone() } else { page.parent().unwrap_or(&page).join(path) };
            let is_page = target.extension().is_some_and(|end| end == "md");
            if !target.exists()
                || (!fragment.is_empty() && is_page && !anchors(&read(&target)).contains(fragment))
            {
                broken.push(format!("{}:{number}: {link}", name_of(&page)));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn summary_lists_every_page() {
    let docs = Path::new(ROOT).join("docs");
    let summary: HashSet<PathBuf> =
        links(&read(&docs.join("SUMMARY.md"))).into_iter().map(|(_, link)| docs.join(link)).collect();
    let is_page = |page: &PathBuf| page.starts_with(&docs) && !page.ends_with("SUMMARY.md");
    let missing: Vec<String> = pages()
        .iter()
        .filter(|page| is_page(page) && !summary.contains(*page))
        .map(|page| name_of(page))
        .collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {}", missing.join(", "));
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Compared,
    Varies,
    Slow,
    Manual,
}

#[derive(Debug)]
struct Example {
    line: usize,
    kind: Kind,
    command: String,
    output: Vec<String>,
}

/// Whether a command goes on in the next line: after a backslash, or in a here-document up to `END`.
fn is_open(command: &str) -> bool {
    command.ends_with('\\') || (command.contains("<< 'END'") && !command.ends_with("\nEND"))
}

/// The commands of a page. `Err` has the lines of commands in blocks without a known fence.
fn examples(text: &str) -> Result<Vec<Example>, Vec<usize>> {
    let (mut found, mut unmarked) = (Vec::<Example>::new(), Vec::new());
    let mut fence: Option<(usize, String)> = None;
    let mut continues = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_end();
        if let Some(start) = line.trim_start().strip_prefix("```") {
            let indent = line.len() - line.trim_start().len();
            fence = if fence.is_none() { Some((indent, start.to_owned())) } else { None };
            continues = false;
            continue;
        }
        let Some((indent, fence)) = &fence else { continue };
        let kind = match fence.as_str() {
            "console" => Some(Kind::Compared),
            "console varies" => Some(Kind::Varies),
            "console slow" => Some(Kind::Slow),
            "console manual" => Some(Kind::Manual),
            _ => None,
        };
        let line = line.get(*indent..).unwrap_or_default();
        match (kind, line.strip_prefix("$ "), found.last_mut()) {
            (None, Some(_), _) => unmarked.push(number),
            (Some(kind), Some(command), _) => {
                continues = is_open(command);
                found.push(Example { line: number, kind, command: command.to_owned(), output: Vec::new() });
            }
            (Some(_), None, Some(example)) if continues => {
                example.command += "\n";
                example.command += line;
                continues = is_open(&example.command);
            }
            (Some(_), None, Some(example)) => example.output.push(line.to_owned()),
            _ => {}
        }
    }
    if unmarked.is_empty() { Ok(found) } else { Err(unmarked) }
}

/// Whether text matches a pattern in which `…` stands for any text.
fn matches_line(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn matches(expected: &[String], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first.trim() == "…" => {
            (0..=found.len()).any(|skipped| matches(rest, &found[skipped..]))
        }
        Some((first, rest)) => {
            found.split_first().is_some_and(|(line, left)| matches_line(first, line) && matches(rest, left))
        }
    }
}

/// Runs the commands of all pages whose kind is wanted, and returns what went wrong.
fn run_examples(wanted: &[Kind]) -> Vec<String> {
    let mut faults = Vec::new();
    for page in pages() {
        let Ok(examples) = examples(&read(&page)) else { continue };
        if !examples.iter().any(|example| wanted.contains(&example.kind)) {
            continue;
        }
        let folder = folder::Folder::new();
        let bin = folder.path().join("bin");
        fs::create_dir_all(&bin).expect("a folder");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_vedette"), bin.join("vedette")).expect("a link");
        std::os::unix::fs::symlink(Path::new(ROOT).join("nets"), folder.path().join("nets")).expect("a link");
        for example in examples.iter().filter(|example| wanted.contains(&example.kind)) {
            let output = std::process::Command::new("sh")
                .args(["-c", &format!("{{ {}\n}} 2>&1", example.command)])
                .current_dir(folder.path())
                .env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default()))
                .output()
                .expect("sh");
            let text = String::from_utf8_lossy(&output.stdout);
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            let place = format!("{}:{}: {}", name_of(&page), example.line, example.command);
            if !output.status.success() {
                faults.push(format!("{place}\n{}\n{text}", output.status));
            } else if example.kind == Kind::Compared
                && !example.output.is_empty()
                && !matches(&example.output, &lines)
            {
                faults.push(format!("{place}\nexpected:\n{}\nfound:\n{text}", example.output.join("\n")));
            }
        }
    }
    faults
}

#[test]
fn every_command_is_marked() {
    let mut unmarked = Vec::new();
    for page in pages() {
        let lines = examples(&read(&page)).err().unwrap_or_default();
        unmarked.extend(lines.iter().map(|line| format!("{}:{line}", name_of(&page))));
    }
    assert!(
        unmarked.is_empty(),
        "commands in a block that is not marked as console:\n{}",
        unmarked.join("\n")
    );
}

#[test]
fn commands_work() {
    let faults = run_examples(&[Kind::Compared, Kind::Varies]);
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
#[ignore = "make proof: takes minutes"]
fn slow_commands_work() {
    let faults = run_examples(&[Kind::Compared, Kind::Varies, Kind::Slow]);
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// The commands of code blocks that start the program, also those that are not run, with their lines.
fn invocations(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut in_code, mut continues) = (false, false);
    for (number, line) in (1..).zip(text.lines()) {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        let line = line.trim();
        let command = line.strip_prefix("$ ").unwrap_or(line);
        let is_example =
            (in_code && !is_fence) || text.lines().nth(number - 1).is_some_and(|raw| raw.starts_with("    "));
        if continues && let Some(last) = found.last_mut() {
            last.1 = format!("{} {command}", last.1.trim_end_matches('\\'));
        } else if is_example && command.starts_with("vedette ") {
            found.push((number, command.to_owned()));
        } else {
            continue;
        }
        continues = command.ends_with('\\');
    }
    found
}

/// Every `--option` in an example is one that the help of its command lists.
#[test]
fn options_exist() {
    let mut help: HashMap<String, String> = HashMap::new();
    let mut unknown = Vec::new();
    for page in pages().iter().filter(|page| !page.ends_with("CHANGELOG.md")) {
        for (number, command) in invocations(&read(page)) {
            // Comments in tables of commands, pipes and further commands are not arguments.
            let command = command.split(['#', '|', '>', ';', '&']).next().unwrap_or_default();
            let command = command.split("   ").next().unwrap_or_default();
            // Quoted arguments may be the command line of an engine.
            let plain: String = command.split(['"', '\'']).step_by(2).collect::<Vec<_>>().join(" ");
            let words: Vec<&str> = plain.split_whitespace().skip(1).collect();
            let names = words.iter().take_while(|word| word.chars().all(|c| c.is_ascii_lowercase())).take(2);
            let path: Vec<&str> = names.copied().collect();
            if path.first().is_none_or(|name| *name == "match") {
                continue;
            }
            let text = help.entry(path.join(" ")).or_insert_with(|| {
                let run = |path: &[&str]| {
                    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_vedette"));
                    let output = command.args(path).arg("--help").output().expect("the binary starts");
                    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
                };
                run(&path).or_else(|| run(&path[..1])).unwrap_or_default()
            });
            for word in words.iter().filter(|word| word.starts_with("--")) {
                let option = word.split('=').next().unwrap_or_default().trim_end_matches(',');
                let is_listed = text.match_indices(option).any(|(at, _)| {
                    !text[at + option.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
                });
                if !is_listed {
                    unknown.push(format!("{}:{number}: {option} in: {command}", name_of(page)));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "options that --help does not list:\n{}", unknown.join("\n"));
}

#[test]
fn patterns() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    assert!(matches(&lines("a\n…\nz 1"), &["a", "b", "c", "z 1"]));
    assert!(!matches(&lines("a\n…\nz 1"), &["a", "b", "c", "z 2"]));
    assert!(matches(&lines("took … s, … nodes"), &["took 3 s, 17 nodes"]));
    assert!(!matches(&lines("took … s"), &["took 3 s, 17 nodes"]));
    assert!(!matches(&lines("a"), &["a", "b"]));
}
