//! `analyse` and `trace`: output, files and interruptions.

mod folder;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use folder::Folder;

fn vedette(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vedette")).args(arguments).output().expect("the program starts")
}

fn run(arguments: &[&str]) -> (String, String) {
    let output = vedette(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    (String::from_utf8(output.stdout).expect("output is text"), stderr)
}

fn json(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("written")).expect("JSON")
}

const GAMES: &str = r#"[White "Fool"]
[Black "Mate <b>"]

1. f3 {hm} e5 (1... d5) 2. g4 Qh4# 0-1

[White "Broken"]

1. e4 e5
2. Ke3 *

[Variant "Chess960"]
[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]

9. g3 Bb6 *
"#;

/// The annotated games of several files, put together with `cat`, are those of one file with all games.
#[test]
fn reviews_merge_by_concatenation() {
    let folder = Folder::new();
    let games =
        ["1. f3 e5 2. g4 Qh4# 0-1\n\n", "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n", "1. d4 d5 2. c4 *\n\n"];
    let games: Vec<String> =
        games.iter().enumerate().map(|(number, moves)| format!("[Event \"{number}\"]\n\n{moves}")).collect();
    let review = |name: &str, games: &str| {
        let (input, annotated) = (folder.file(name), folder.file(&format!("annotated-{name}")));
        fs::write(&input, games).expect("writable");
        run(&["analyse", &input, "--nodes", "3000", "--pgn", &annotated]);
        fs::read_to_string(&annotated).expect("written")
    };
    let parts: Vec<String> =
        games.iter().enumerate().map(|(number, game)| review(&format!("part{number}.pgn"), game)).collect();
    assert_eq!(review("whole.pgn", &games.concat()), parts.concat());
}

#[test]
fn review_on_stdout_is_json_alone() {
    let folder = Folder::new();
    let input = folder.file("games.pgn");
    fs::write(&input, GAMES).expect("writable");
    let (printed, _) = run(&["analyze", &input, "--nodes", "500", "--json", "-"]);
    let review: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(review["games"].as_array().map(Vec::len), Some(2));
    assert!(!Path::new("-").exists());
}

#[test]
fn review_writes_all_files_and_reports_broken_games() {
    let folder = Folder::new();
    let input = folder.file("games.pgn");
    fs::write(&input, GAMES).expect("writable");
    let [page, games, data] = ["r.html", "r.pgn", "r.json"].map(|name| folder.file(name));
    let (printed, warnings) =
        run(&["analyse", &input, "--depth", "6", "--html", &page, "--pgn", &games, "--json", &data]);
    assert!(warnings.contains("games.pgn:9: game 2: move 2. Ke3"), "{warnings}");
    assert!(printed.contains("2. g4??") && printed.contains("Fool - Mate <b>"), "{printed}");

    let review = json(&data);
    assert_eq!(review["schema"], "vedette-review/1");
    assert_eq!(review["games"].as_array().map(Vec::len), Some(2));
    assert_eq!(review["games"][0]["moves"][2]["judgement"], "blunder");
    assert!(review["games"][0]["accuracy"]["black"].as_f64().is_some_and(|value| value > 80.0));
    let retried = |san: &str| {
        review["games"][0]["retry"].as_array().is_some_and(|all| all.iter().any(|one| one["played"] == san))
    };
    assert!(retried("g4") && !retried("Qh4#"), "{review}");
    assert_eq!(review["games"][1]["chess960"], true);
    assert_eq!(review["broken"][0]["line"], 9);

    let page = fs::read_to_string(page).expect("written");
    assert!(page.contains("Mate &lt;b&gt;") && page.contains("<svg") && !page.contains("src="));
    // Line breaks depend on the scores.
    let games = fs::read_to_string(games).expect("written").replace('\n', " ");
    assert!(
        games.contains("{hm [%eval") && games.contains("(1... d5)") && games.contains("g4 $4"),
        "{games}"
    );
    // The journal is removed, and the annotated games can be read again.
    assert!(!Path::new(&format!("{input}.review")).exists());
    let again = folder.file("r.pgn");
    let (printed, warnings) = run(&["analyse", &again, "--depth", "1"]);
    assert!(!warnings.contains("r.pgn:") && printed.contains("Game 2"), "{warnings}{printed}");
}

#[cfg(unix)]
#[test]
fn escape_sequences_are_not_printed() {
    let folder = Folder::new();
    let games = folder.file("games.pgn");
    fs::write(&games, "[White \"\x1bc\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. Q\x1b[2Jh9 *\n").expect("written");
    let (printed, warnings) = run(&["analyse", &games, "--nodes", "10"]);
    assert!(printed.contains('\u{fffd}') && !printed.contains('\x1b'), "{printed:?}");
    assert!(warnings.contains('\u{fffd}') && !warnings.contains('\x1b'), "{warnings:?}");
}

#[test]
fn interrupted_review_resumes() {
    let folder = Folder::new();
    let input = folder.file("long.pgn");
    let journal = format!("{input}.review");
    // Eight seconds of work: it is interrupted before its end, even on a busy machine.
    let game = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 \
                11. c4 c6 12. Nc3 Bb7 13. a3 Re8 14. Bg5 h6 15. Bh4 Qc7 *\n";
    fs::write(&input, game).expect("writable");
    let arguments = ["analyse", &input, "--movetime", "250"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_vedette"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let patience = Instant::now();
    let lines = || fs::read_to_string(&journal).unwrap_or_default().lines().count();
    while lines() < 4 && patience.elapsed() < Duration::from_mins(2) {
        sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "interrupted");
    let kept = fs::read_to_string(&journal).expect("the journal stays");
    assert!(kept.lines().count() >= 4 && kept.lines().count() < 32, "{kept}");

    let data = folder.file("r.json");
    run(&["analyse", &input, "--movetime", "250", "--json", &data]);
    assert!(!Path::new(&journal).exists());
    let moves = json(&data)["games"][0]["moves"].as_array().cloned().unwrap_or_default();
    assert_eq!(moves.len(), 30);
    // Scores from before the interruption are reused.
    let second: Value = serde_json::from_str(kept.lines().nth(2).expect("an opinion")).expect("JSON");
    assert_eq!(second["opinion"]["score"], moves[0]["score"]);
}

#[test]
fn second_review_of_a_file_is_refused() {
    let folder = Folder::new();
    let input = folder.file("games.pgn");
    fs::write(&input, GAMES).expect("writable");
    let journal = format!("{input}.review");
    // As another process that reviews the same file.
    let lock = support::files::FileLock::create(Path::new(&journal)).expect("free");
    let refused = vedette(&["analyse", &input, "--depth", "1"]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(1) && message.contains("in use by another process"), "{message}");
    drop(lock);
    run(&["analyse", &input, "--depth", "1"]);
    assert!(!Path::new(&journal).exists());
}

#[test]
fn empty_or_missing_file_is_an_error() {
    let folder = Folder::new();
    let input = folder.file("none.pgn");
    fs::write(&input, "; nothing here\n").expect("writable");
    for file in [input, folder.file("missing.pgn")] {
        let output = vedette(&["analyse", &file]);
        assert_eq!(output.status.code(), Some(1), "{file}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1, "{file}");
    }
}

#[test]
fn limits_of_zero_are_refused() {
    for limit in ["--depth", "--nodes", "--movetime"] {
        let refused = vedette(&["analyse", "game.pgn", limit, "0"]);
        assert_eq!(refused.status.code(), Some(2), "{limit}");
    }
}

#[test]
fn unwritable_file_fails_before_the_work() {
    let folder = Folder::new();
    let (input, elsewhere) = (folder.file("game.pgn"), folder.file("no/such/folder"));
    fs::write(&input, "1. e4 e5 *\n").expect("writable");
    for option in ["--html", "--pgn", "--json"] {
        // The test would time out if the work began.
        let output = vedette(&["analyse", &input, "--movetime", "3600000", option, &elsewhere]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{option}");
        assert!(
            error.starts_with(&format!("vedette: {elsewhere}: ")) && error.lines().count() == 1,
            "{error}"
        );
        assert!(!Path::new(&format!("{input}.review")).exists(), "{option}");
    }
    let output = vedette(&["trace", "--depth", "60", "--json", &elsewhere]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn input_is_not_overwritten() {
    let folder = Folder::new();
    let input = folder.file("game.pgn");
    let roundabout = folder.file("./game.pgn");
    fs::write(&input, "1. e4 e5 *\n").expect("writable");
    for (option, output) in [
        ("--html", &input),
        ("--pgn", &input),
        ("--json", &input),
        ("--journal", &input),
        ("--pgn", &roundabout),
        ("--journal", &roundabout),
    ] {
        let refused = vedette(&["analyse", &input, "--depth", "1", option, output]);
        let error = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{option} {output}");
        assert!(error.starts_with(&format!("vedette: {output}: ")) && error.lines().count() == 1, "{error}");
        assert_eq!(fs::read_to_string(&input).expect("still there"), "1. e4 e5 *\n", "{option} {output}");
    }
}

#[test]
fn outputs_must_differ_and_journal_replaces_only_a_journal() {
    let folder = Folder::new();
    let (input, output) = (folder.file("game.pgn"), folder.file("out"));
    fs::write(&input, "1. e4 e5 *\n").expect("writable");
    for (one, other) in [("--html", "--json"), ("--pgn", "--html"), ("--json", "--journal")] {
        let refused = vedette(&["analyse", &input, "--depth", "1", one, &output, other, &output]);
        let error = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{one} {other}");
        assert!(error.starts_with(&format!("vedette: {output}: ")) && error.lines().count() == 1, "{error}");
        assert!(!Path::new(&output).exists(), "{one} {other}");
    }
    fs::write(&output, "dear diary\n").expect("writable");
    let refused = vedette(&["analyse", &input, "--depth", "1", "--journal", &output]);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(fs::read_to_string(&output).expect("still there"), "dear diary\n");
    fs::write(&output, "").expect("writable");
    run(&["analyse", &input, "--depth", "1", "--journal", &output]);
    assert!(!Path::new(&output).exists(), "the journal is removed at the end");
}

#[test]
fn trace_shows_tree_rates_and_reasons() {
    let folder = Folder::new();
    let data = folder.file("tree.json");
    let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    let (text, _) = run(&["trace", fen, "--depth", "6", "--size", "500", "--json", &data]);
    assert!(
        text.contains("├─ 1. ") && text.contains("zero-window") && text.contains("PV re-search %"),
        "{text}"
    );
    let tree = json(&data);
    assert_eq!(tree["schema"], "vedette-trace/2");
    let nodes = tree["nodes"].as_array().expect("a list");
    assert!(nodes.len() <= 500 && nodes.iter().enumerate().all(|(id, node)| node["id"] == id));

    assert!(!text.contains("Stopped"), "{text}");
    // The time limit stops the search, and the output says so.
    let (cut, _) = run(&["trace", fen, "--depth", "99", "--movetime", "300"]);
    assert!(cut.contains("Stopped after 300 ms, before depth 99"), "{cut}");
    let help = String::from_utf8(vedette(&["trace", "--help"]).stdout).expect("text");
    assert!(help.contains("[default: 20000]"), "a time limit by default: {help}");

    let (why, _) = run(&["trace", fen, "--depth", "6", "--why", "Bxf7+"]);
    assert!(why.contains("Why not Bxf7+?") && why.contains("scores at most"), "{why}");
    // A FEN needs no quotes, and an illegal move is a one-line error.
    let arguments: Vec<&str> = ["trace"].into_iter().chain(fen.split(' ')).chain(["--depth", "2"]).collect();
    run(&arguments);
    for wrong in [&["trace", fen, "--why", "Bxh7"][..], &["trace", "8/8/8/8 w - - 0 1"]] {
        let output = vedette(wrong);
        assert_eq!(output.status.code(), Some(1), "{wrong:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1, "{wrong:?}");
    }
}
