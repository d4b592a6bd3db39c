//! Rules that hold in the source of all crates, outside of tests.

use std::fs;
use std::path::{Path, PathBuf};

/// The files under a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// The sources of all crates, each with its path in the repository, without tests.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
    let mut folders = vec![root.join("vedette/src")];
    let crates = fs::read_dir(root.join("crates")).expect("the crates").flatten();
    folders.extend(crates.map(|entry| entry.path().join("src")).filter(|folder| folder.is_dir()));
    let mut paths = Vec::new();
    for folder in &folders {
        files(folder, &mut paths);
    }
    let is_source = |path: &&PathBuf| {
        path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs")
    };
    let source = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("text");
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
        (path.strip_prefix(&root).expect("inside").display().to_string(), code)
    };
    paths.iter().filter(is_source).map(source).collect()
}

/// Lines with one of these words, in files that are not among the exceptions: each is a path and the reason.
fn offences(words: &[&str], exceptions: &[(&str, &str)]) -> Vec<String> {
    let mut found = Vec::new();
    let mut needless: Vec<&str> = exceptions.iter().map(|(path, _)| *path).collect();
    for (path, code) in sources() {
        let lines = code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
        for (number, line) in lines {
            if !words.iter().any(|word| line.contains(word)) {
                continue;
            }
            match exceptions.iter().find(|(exception, _)| path.starts_with(exception)) {
                Some((exception, _)) => needless.retain(|other| other != exception),
                None => found.push(format!("{path}:{}: {}", number + 1, line.trim())),
            }
        }
    }
    found.extend(needless.iter().map(|path| format!("{path}: no exception needed")));
    found
}

/// All that changes a disk goes through `support::files`, so that the tests with a simulated disk reach it.
#[test]
fn files_are_written_through_one_layer() {
    let words = [
        "fs::write(",
        "fs::rename(",
        "fs::remove_",
        "fs::create_dir",
        "fs::copy(",
        "fs::hard_link(",
        "fs::File::create",
        "fs::File::options",
        "OpenOptions",
    ];
    let exceptions = [
        ("crates/support/src/files/", "the layer itself"),
        ("crates/doctor/src/revisions/build.rs", "the log of a build, which the build writes"),
        ("crates/hostile/src/files.rs", "inputs of tests"),
        ("crates/studio/src/protocol/typescript.rs", "a test that writes generated code"),
        ("vedette/src/cli/browser.rs", "a page for the browser that only its owner can read"),
        ("vedette/src/session/output.rs", "the debug log of a UCI session"),
    ];
    let found = offences(&words, &exceptions);
    assert!(found.is_empty(), "use support::files:\n{}", found.join("\n"));
    // `File::create` is that of the layer unless the one of the standard library is imported.
    let bypass = |(path, code): &(String, String)| {
        let mut imports = code.lines().filter(|line| line.starts_with("use std::fs::"));
        let is_std =
            imports.any(|line| ["File;", "File}", "File,"].iter().any(|import| line.contains(import)));
        let writes = ["File::create", "File::options", ".set_len("].iter().any(|word| code.contains(word));
        is_std && writes && !path.starts_with("crates/support/src/files/")
    };
    let found: Vec<String> = sources().into_iter().filter(bypass).map(|(path, _)| path).collect();
    assert!(found.is_empty(), "use support::files: {found:?}");
}

/// A device or a pipe may never end, and a file may be larger than the memory.
#[test]
fn files_are_read_up_to_a_limit() {
    let words = ["fs::read(", "read_to_string(", "read_to_end("];
    let exceptions = [
        ("crates/support/src/files/", "the layer itself"),
        ("crates/hostile/src/files.rs", "files of tests"),
        ("crates/arena/src/affinity.rs", "/sys"),
        ("crates/chess/src/perft.rs", "/proc/meminfo"),
        ("crates/doctor/src/process_time.rs", "/proc"),
        ("crates/engine/src/numa.rs", "/sys"),
        ("crates/engine/src/room.rs", "/proc and /sys"),
        ("crates/doctor/src/revisions/build.rs", "has a limit"),
        ("crates/record/src/dataset/binpack/read.rs", "has a limit"),
        ("crates/record/src/dataset/recognise.rs", "has a limit"),
        ("crates/record/src/pgn/stream.rs", "has a limit"),
        ("crates/studio/src/protocol/typescript.rs", "a test that writes generated code"),
        ("crates/uci/src/client/tag.rs", "/proc"),
        ("vedette/src/cli/interrupt.rs", "/proc"),
    ];
    let found = offences(&words, &exceptions);
    assert!(found.is_empty(), "use support::files::read_limited:\n{}", found.join("\n"));
}

/// The wall clock can jump. It is for people and for seeds; all time limits use `Instant`.
#[test]
fn wall_clock_decides_nothing() {
    let exceptions = [
        ("crates/arena/src/game/mod.rs", "when a game began, for its PGN"),
        ("crates/arena/src/output/pgn.rs", "the date of a game"),
        ("crates/arena/src/cli/sections.rs", "the seed of a match, if none is given"),
        ("crates/engine/src/engine/mod.rs", "the seed of limited strength"),
        ("crates/studio/src/library.rs", "when a file was changed, to read it once"),
        ("crates/studio/src/matches/mod.rs", "the seed of a match"),
        ("crates/studio/src/store.rs", "ids of stored items, which never go back"),
        ("crates/train/src/curve/tensorboard.rs", "when a point was measured"),
        ("vedette/src/commands/match_/log.rs", "the time of day in a log"),
    ];
    let found = offences(&["SystemTime", "UNIX_EPOCH"], &exceptions);
    assert!(found.is_empty(), "use Instant:\n{}", found.join("\n"));
}
