//! Runs every transcript in `tests/uci` against the binary, over pipes, and checks that each numbered case of
//! `tests/uci/README.md` has one. `transcript/script.rs` describes the language.
//!
//! One file or case only: `UCI_TRANSCRIPTS=go.uci cargo test --test uci_transcripts`, or `UCI_CASE=72`. Another program:
//! `UCI_PROGRAM=path`, such as a script that runs the engine under a debugger; cases that limit its memory are left out.
//! `UCI_PATIENCE=seconds` waits longer than two minutes for a line.

mod transcript;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use transcript::player;
use transcript::script::{self, Case};

fn other_program() -> Option<String> {
    std::env::var("UCI_PROGRAM").ok()
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/uci")
}

fn is_transcript(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "uci")
}

/// All cases, each with the name of its file.
fn all_cases() -> Vec<(String, Case)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(directory())
        .expect("tests/uci is there")
        .map(|entry| entry.expect("tests/uci can be read").path())
        .filter(|path| is_transcript(path))
        .collect();
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a transcript can be read");
        let parsed = script::parse(&text).unwrap_or_else(|error| panic!("tests/uci/{name}, {error}"));
        cases.extend(parsed.into_iter().map(|case| (name.clone(), case)));
    }
    cases
}

#[test]
fn transcripts_pass() {
    let cases = selected_cases();
    let at_once = thread::available_parallelism().map_or(1, usize::from);
    expect_all(&cases, &play_all(&cases, at_once, false));
}

#[test]
#[ignore = "make proof"]
fn transcripts_pass_in_time() {
    let mut cases = selected_cases();
    cases.retain(|(_, case)| case.is_timed());
    expect_all(&cases, &play_all(&cases, 1, true));
}

fn selected_cases() -> Vec<(String, Case)> {
    let only_file = std::env::var("UCI_TRANSCRIPTS").ok();
    let only_case = std::env::var("UCI_CASE").ok().and_then(|number| number.parse().ok());
    let mut cases = all_cases();
    cases.retain(|(file, _)| only_file.as_ref().is_none_or(|only| file == only));
    cases.retain(|(_, case)| only_case.is_none_or(|only| case.numbers.contains(&only)));
    // Sanitizers reserve more address space than the limited cases have.
    if other_program().is_some() || std::env::var_os("UCI_UNLIMITED").is_some() {
        let all = cases.len();
        cases.retain(|(_, case)| !case.is_limited());
        println!("skipped: {} cases with limited memory", all - cases.len());
    }
    assert!(!cases.is_empty(), "no cases selected");
    cases
}

fn expect_all(cases: &[(String, Case)], failures: &[String]) {
    assert!(
        failures.is_empty(),
        "{} of {} cases failed\n\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

/// Runs the cases, `at_once` in parallel, and returns the failures.
fn play_all(cases: &[(String, Case)], at_once: usize, timed: bool) -> Vec<String> {
    let program = other_program().unwrap_or_else(|| env!("CARGO_BIN_EXE_vedette").to_owned());
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some((file, case)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(failure) = player::play(&program, case, timed) {
                        failures.lock().expect("no player panics").push(format!(
                            "tests/uci/{file}:{}: {}\n  case: {}\n{}",
                            failure.line, failure.reason, case.title, failure.conversation
                        ));
                    }
                }
            });
        }
    });
    failures.into_inner().expect("no player panics")
}

/// `tests/uci/README.md` lists the cases, `| number | behaviour | where |`. A file name in the last column
/// and the transcripts themselves must agree.
#[test]
fn listed_cases_are_in_their_files() {
    let list = fs::read_to_string(directory().join("README.md")).expect("the list of cases is there");
    let mut listed: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for row in list.lines() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        if let ["", number, _, places, ""] = cells.as_slice()
            && let Ok(number) = number.parse()
        {
            let files = places
                .split([' ', ',', '`'])
                .filter(|word| is_transcript(Path::new(word)))
                .map(str::to_owned);
            listed.insert(number, files.collect());
        }
    }
    let mut shown: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for (file, case) in all_cases() {
        for number in case.numbers {
            shown.entry(number).or_default().insert(file.clone());
        }
    }
    assert!(listed.len() >= 118 && listed.keys().copied().eq(1..=listed.len() as u32), "a case is missing");
    for (number, files) in &listed {
        assert_eq!(files, &shown.remove(number).unwrap_or_default(), "case {number}");
    }
    assert!(shown.is_empty(), "cases that are not in the list: {:?}", shown.keys());
}
