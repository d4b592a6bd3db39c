//! Tablebases on the command line.

mod folder;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use folder::Folder;
use tables::testing;

/// What the engine prints for these commands, up to the end.
fn session(commands: &str) -> Vec<String> {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_vedette"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = engine.stdin.take().expect("a pipe");
    stdin.write_all(commands.as_bytes()).expect("it reads");
    drop(stdin);
    let lines = BufReader::new(engine.stdout.take().expect("a pipe")).lines();
    let lines: Vec<String> = lines.map(|line| line.expect("text")).collect();
    assert!(engine.wait().expect("it ends").success());
    lines
}

#[test]
fn mate_with_bishop_and_knight_by_tables() {
    let Some(folder) = testing::folder() else { return };
    let path = folder.display();
    let lines = session(&format!(
        "setoption name SyzygyPath value {path}\nposition fen 7k/8/8/8/8/8/8/KBN5 w - - 0 1\ngo depth 5\n"
    ));
    assert_eq!(lines[0], "info string 35 WDL and 35 DTZ tablebases, up to 4 pieces");
    let last = lines.iter().rfind(|line| line.starts_with("info depth")).expect("a line");
    assert!(last.contains("score cp 20000") && !last.contains("tbhits 0 "), "{last}");
    assert!(last.split(" pv ").nth(1).is_some_and(|pv| pv.split(' ').count() > 40), "{last}");
}

/// Tables of the right length with wrong content: one message, and the game goes on.
#[test]
fn damaged_files_of_tables_are_reported_once() {
    let folder = Folder::new();
    fs::write(folder.file("KBvK.rtbw"), [0; 80]).expect("there is room");
    fs::write(folder.file("KRvK.rtbw"), [0; 81]).expect("there is room");
    let path = folder.file("");
    let lines = session(&format!(
        "setoption name SyzygyPath value /no/such/folder\n\
         setoption name SyzygyPath value {path}\n\
         position fen 8/8/8/3k4/8/8/8/KB6 w - - 0 1\ngo depth 2\ngo depth 3\n"
    ));
    assert!(
        lines[0].starts_with("info string setoption: SyzygyPath: no tablebases found in /no"),
        "{lines:?}"
    );
    assert!(
        lines[1].starts_with("info string 1 WDL and 0 DTZ tablebases, up to 3 pieces; skipped "),
        "{lines:?}"
    );
    assert!(lines[1].contains("KRvK.rtbw: unexpected file size"), "{lines:?}");
    let is_message = |line: &&String| line.contains("tablebases are off");
    assert_eq!(lines.iter().filter(is_message).count(), 1, "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 2, "{lines:?}");
}
