//! `vedette data` on files of several formats.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const GAMES: &str = "1. e4 {+0.30/8 0.1s} e5 {-0.20/8 0.1s} 2. Nf3 {+0.25/8 0.1s} 1-0\n\n\
                     1. d4 {+0.20/8 0.1s} d5 {+0.00/8 0.1s} 1/2-1/2\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("data-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    folder
}

/// Success, stdout and stderr.
fn data(here: &Path, arguments: &str) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_vedette"))
        .current_dir(here)
        .arg("data")
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[test]
fn games_go_through_all_formats() {
    let here = folder("formats");
    let mut last = "games.pgn".to_owned();
    for format in ["vd", "plain", "csv", "bin", "binpack", "pgn"] {
        let next = format!("next.{format}");
        let (success, stdout, stderr) = data(&here, &format!("convert {last} --output {next}"));
        assert!(success && stdout.starts_with("5 positions of 2 games"), "{format}: {stdout}{stderr}");
        last = next;
    }
    let (_, first, _) = data(&here, "head games.pgn");
    let (_, again, _) = data(&here, "head next.pgn");
    assert_eq!(first, again);
    assert_eq!(first.lines().count(), 6);
    assert!(first.contains("/PPPPPPPP/RNBQKBNR w KQkq - 0 1,e2e4,30,1.0\n"), "{first}");
    let (success, stdout, _) = data(&here, "info next.bin --json -");
    assert!(success && stdout.contains("\"format\"") && stdout.contains("\"bin\""), "{stdout}");
    let (success, stdout, _) = data(&here, "sample next.csv --games 1 --output one.txt");
    assert!(success && stdout.contains("1 of 2 games"), "{stdout}");
    let (success, stdout, _) = data(&here, "export next.bin --min-ply 0 --output few.bullet");
    assert!(success && stdout.contains("5 positions from 2 games"), "{stdout}");
}

#[test]
fn positions_without_moves_have_statistics() {
    let here = folder("positions");
    assert!(data(&here, "convert games.pgn --output a.bullet").0);
    let (success, stdout, stderr) = data(&here, "stats a.bullet");
    assert!(success && stdout.starts_with("positions    5 without moves"), "{stdout}{stderr}");
    assert!(stdout.contains("duplicates   positions ") && !stdout.contains("per game"), "{stdout}");
    let (_, json, _) = data(&here, "stats a.bullet games.pgn --json -");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let counts = ["single_positions", "games", "positions"].map(|name| json[name].as_u64());
    assert_eq!(counts, [Some(5), Some(2), Some(10)], "{json}");
}

#[test]
fn files_that_do_not_fit_are_named() {
    let here = folder("errors");
    fs::write(here.join("book.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n").unwrap();
    fs::write(here.join("x.vd"), [0x1f, 0x8b, 8, 0]).unwrap();
    assert!(data(&here, "convert games.pgn --output a.bullet").0);
    for (arguments, message) in [
        ("info book.epd", "without scores"),
        ("info x.vd", "gzip"),
        ("convert a.bullet --output b.vd", "bulletformat, positions without moves"),
        ("shuffle a.bullet --output b.vd", "bulletformat, positions without moves"),
        ("convert games.pgn --output b", "no known extension; choose --format from vd,"),
        ("export games.pgn --output b.vd", "vedette data convert"),
        ("head nowhere.vd", "nowhere.vd"),
    ] {
        let (success, _, stderr) = data(&here, arguments);
        assert!(!success && stderr.contains(message), "{arguments}: {stderr}");
    }
    assert!(!here.join("b.vd").exists());
}
