//! The whole output of commands at fixed nodes, compared with files in `golden`. A change of the search changes it, as it
//! changes the node count of bench; `VEDETTE_GOLDEN=write` writes the files anew.

mod folder;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use folder::Folder;

/// The engine without the network, so that another network changes nothing.
const ENGINE: [&str; 6] = ["--option", "Evaluation=classical", "--option", "Hash=4", "--option", "Threads=1"];

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn run(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_vedette"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

/// Compares a text with a file, or writes the file.
fn check(name: &str, shown: &str) {
    let path = golden(name);
    if std::env::var_os("VEDETTE_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, shown).expect("writable");
        return;
    }
    let expected = fs::read_to_string(&path).expect("a golden file").replace("\r\n", "\n");
    for (number, (shown, expected)) in shown.lines().zip(expected.lines()).enumerate() {
        assert_eq!(shown, expected, "{}:{}; see CONTRIBUTING.md", path.display(), number + 1);
    }
    assert_eq!(shown.lines().count(), expected.lines().count(), "{}", path.display());
}

/// The text without the tag of the day.
fn without_date(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("[Date ")).collect();
    lines.join("\n") + "\n"
}

#[test]
fn play() {
    let folder = Folder::new();
    let file = folder.file("game.pgn");
    let input = "e4\nNf3\nhint\nmoves\nundo\nBc4\nclock\nnonsense\nfen\nhelp\npgn\nresign\n";
    let board = [&["play", "--nodes", "500", "--ascii", "-o", &file][..], &ENGINE].concat();
    let mut shown = without_date(&run(&board, input));
    shown += &without_date(&fs::read_to_string(&file).expect("saved"));
    let words = ["play", "--nodes", "500", "--words", "--side", "black", "--moves", "d4 Nf6 c4"];
    shown += &run(&[&words[..], &ENGINE].concat(), "e6\nhint\nquit\n");
    check("play.txt", &shown);
}

#[test]
fn explain() {
    let mut shown = String::new();
    for arguments in [
        &["6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Kf1"][..],
        &["r2nk3/3ppp2/8/1N6/8/8/5PPP/4K3 w - - 0 1", "Nc3"],
        &["startpos", "--moves", "e4 e5 Bc4 Nc6 Qf3", "a6"],
        &["startpos", "--moves", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6"],
    ] {
        let limits = ["explain", "--nodes", "2000", "--evaluation", "classical"];
        shown += &run(&[&limits[..], arguments].concat(), "");
    }
    check("explain.txt", &shown);
}

#[test]
fn autopsy() {
    let folder = Folder::new();
    let (games, suite) = (folder.file("lost.pgn"), folder.file("lost.epd"));
    fs::copy(golden("lost.pgn"), &games).expect("copied");
    let engine = format!("\"{}\"", env!("CARGO_BIN_EXE_vedette"));
    let questions =
        ["autopsy", &games, "--engine", &engine, "--player", "Player", "--nodes", "100", "--verbose"];
    let reference =
        ["--reference-option", "Evaluation=classical", "--reference-nodes", "2k", "--epd", &suite];
    let shown = run(&[&questions[..], &ENGINE, &reference].concat(), "");
    check("autopsy.txt", &(shown + &fs::read_to_string(&suite).expect("written")));
}
