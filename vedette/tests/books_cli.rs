//! Opening books and the explorer on the command line.

mod folder;

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use folder::{Folder, succeed, vedette};

const GAMES: &str = "[Event \"a\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2400\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
                     [Event \"b\"]\n[WhiteElo \"1500\"]\n\n1. e4 c5 1/2-1/2\n\n\
                     [Event \"c\"]\n\n1. d4 d5 0-1\n";

/// A folder with a PGN file, and a book of it.
fn book() -> Folder {
    let folder = Folder::new();
    fs::write(folder.file("games.pgn"), GAMES).expect("there is room");
    let built = succeed(folder.path(), "book build games.pgn -o book.bin --min-games 1");
    assert_eq!(built, "book.bin: 6 moves in 4 positions\n");
    folder
}

#[test]
fn book_is_built_probed_and_merged() {
    let folder = book();
    let probed = succeed(folder.path(), "book probe book.bin");
    assert_eq!(probed, "e4      e2e4        3  100.0 %\nd4      d2d4        0    0.0 %\n");
    let probed = succeed(folder.path(), "book probe book.bin --moves e4");
    assert!(probed.contains("c5 ") && probed.contains("e5 "), "{probed}");
    assert_eq!(succeed(folder.path(), "book probe book.bin --moves a3"), "not in the book\n");
    succeed(folder.path(), "book build games.pgn -o white.bin --min-games 1 --side white");
    let merged = succeed(folder.path(), "book merge white.bin book.bin -o both.bin");
    assert_eq!(merged, "both.bin: 6 moves in 4 positions\n");
    let info = succeed(folder.path(), "book info both.bin");
    assert!(info.starts_with("6 moves in 4 positions\n\nstart position\ne4 "), "{info}");
}

#[test]
fn foreign_books_are_refused() {
    let folder = book();
    fs::write(folder.file("odd.bin"), [0; 17]).expect("there is room");
    for (arguments, message) in [
        ("book info odd.bin", "odd.bin is not a Polyglot book: 17 bytes, expected a multiple of 16"),
        ("book info missing.bin", "cannot read book missing.bin: "),
        ("book build games.pgn -o x.bin --min-games 9", "no moves left for the book"),
        ("explorer query games.pgn", "games.pgn is not an index of vedette explorer, or incomplete"),
    ] {
        let output = vedette(folder.path(), arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(message), "{arguments}: {text}");
    }
}

#[test]
fn explorer_counts_games() {
    let folder = book();
    let built = succeed(folder.path(), "explorer build games.pgn -o games.idx");
    assert_eq!(built, "games.idx: 3 games, 0 skipped, 6 moves in positions\n");
    let moves = succeed(folder.path(), "explorer query games.idx");
    let rows: Vec<Vec<&str>> = moves.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[1], ["e4", "2", "50.0", "%", "50.0", "%", "0.0", "%", "75.0", "%", "2000"]);
    assert_eq!(rows[2], ["d4", "1", "0.0", "%", "0.0", "%", "100.0", "%", "0.0", "%", "-"]);
    let json = succeed(folder.path(), "explorer query games.idx --json --moves e4");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["opening"]["eco"], &json["moves"][0]["games"]), (&"B00".into(), &1.into()));
    // A finished index is not overwritten.
    assert!(!vedette(folder.path(), "explorer build games.pgn -o games.idx").status.success());
}

/// What the engine prints for these commands.
fn session(commands: &str) -> String {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_vedette"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    engine.stdin.take().expect("a pipe").write_all(commands.as_bytes()).expect("it reads");
    let mut text = String::new();
    engine.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    assert!(engine.wait().expect("it ends").success());
    text
}

#[test]
fn engine_plays_from_its_book() {
    let folder = book();
    let path = folder.file("book.bin");
    let text = session(&format!(
        "setoption name BookFile value {path}\nsetoption name OwnBook value true\ngo depth 3\n"
    ));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "info string book with 6 moves in 4 positions; unused until OwnBook is true");
    assert_eq!(lines[1..], ["info string book move, weight 3", "bestmove e2e4"]);
    // Analysis, a late move and a position outside of the book are searched.
    for go in ["go infinite\nstop", "go depth 1 searchmoves d2d4", "position startpos moves a2a3\ngo depth 1"]
    {
        let text = session(&format!(
            "setoption name OwnBook value true\nsetoption name BookFile value {path}\n{go}\n"
        ));
        assert!(text.contains("info depth 1 ") && !text.contains("book move"), "{go}: {text}");
    }
    let text = session(&format!(
        "setoption name OwnBook value true\nsetoption name BookFile value {path}\nsetoption name BookDepth value 1\n\
         position startpos moves e2e4 e7e5\ngo depth 1\nsetoption name BookFile value /no/such/book\n"
    ));
    assert!(text.contains("info depth 1 "), "{text}");
    assert!(text.contains("info string setoption: BookFile: cannot read book /no/such/book"), "{text}");
}
