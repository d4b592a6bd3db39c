//! `play`: games through a pipe.

mod folder;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use folder::Folder;

/// White mates with Ra8.
const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_vedette"))
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Plays with these lines of input and then its end.
fn play(arguments: &[&str], input: &str) -> Output {
    let mut child = start(arguments);
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn succeed(arguments: &[&str], input: &str) -> String {
    let output = play(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn human_mates() {
    let folder = Folder::new();
    let file = folder.file("game.pgn");
    let shown = succeed(
        &["--fen", MATE, "--nodes", "100", "--ascii", "-o", &file],
        "hint\nRa8\nRa8\nundo\nfen\na1a8\n",
    );
    let expected = "\
You play White against Vedette. Type a move such as e4 or g1f3, or help.

8 . . . . . . k .
7 . . . . . p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . . P P P
1 R . . . . . K .
  a b c d e f g h

Hint: Ra8#, #1 for White (Ra8#)
1-0 White mates
The game is over: undo takes back the last move
Taken back.
";
    assert!(shown.starts_with(expected), "{shown}");
    assert!(shown.contains(MATE) && shown.ends_with("1-0 White mates\n"), "{shown}");
    let pgn = fs::read_to_string(&file).expect("saved");
    for part in ["[White \"Player\"]", "[Black \"Vedette\"]", "[Result \"1-0\"]", "1. Ra8# {White mates} 1-0"]
    {
        assert!(pgn.contains(part), "{part}: {pgn}");
    }
    let again = play(&["--resume", "-o", &file], "");
    assert!(!again.status.success());
    assert!(String::from_utf8_lossy(&again.stderr).contains("the game is over (1-0)"));
}

#[test]
fn opponent_mates() {
    let shown = succeed(&["--fen", MATE, "--side", "black", "--nodes", "1000", "--words"], "Kf8\nmoves\n");
    let expected = "\
You play Black against Vedette. Type a move such as e4 or g1f3, or help.

White: king g1, rook a1, pawns f2 g2 h2.
Black: king g8, pawns f7 g7 h7.
White to move.

Vedette plays 1. Ra8# (rook a1 to a8, checkmate)
1-0 White mates
The game is over: undo takes back the last move

";
    assert_eq!(shown, expected);
}

#[test]
fn take_back_and_bad_input() {
    let shown = succeed(
        &["--nodes", "500", "--level", "1200", "--words"],
        "undo\ne5\n\u{7}x\nsave\nundo now\ne4\nundo\nundo\nfen\nclock\ndraw\nresign\nquit\nfen\n",
    );
    for part in [
        "You play White against Vedette (level 1200).",
        "There is no move to take back",
        "'e5' is not legal here",
        "is neither a move nor a command",
        "save: missing file name",
        "undo: unexpected 'now'",
        "White: pawn e2 to e4",
        "Taken back.",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "There is no clock: start with --tc",
        "declines the draw",
        "0-1 White resigns",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(shown.matches("There is no move to take back").count(), 2, "{shown}");
    assert!(!shown.contains('\u{7}') && shown.ends_with("0-1 White resigns\n"), "{shown}");
}

/// The opponent's clock stands while the human thinks: it is what it was before the move.
#[test]
fn take_back_restores_clocks() {
    let shown = succeed(&["--nodes", "100", "--tc", "60:00+30", "--words"], "clock\ne4\nundo\nclock\n");
    assert_eq!(shown.matches("opponent 1:00:30.0").count(), 2, "{shown}");
}

/// Until the file has this many moves.
fn wait_for_moves(file: &str, plies: usize) -> String {
    for _ in 0..6000 {
        let text = fs::read_to_string(file).unwrap_or_default();
        if text.matches("[%clk").count() >= plies {
            return text;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("{file}: no {plies} moves");
}

#[test]
fn game_is_resumed_after_kill() {
    let folder = Folder::new();
    let file = folder.file("game.pgn");
    let arguments = ["--side", "black", "--nodes", "500", "--tc", "1:00:00+1", "-o", &file];
    let invalid = play(&arguments, "");
    assert_eq!(invalid.status.code(), Some(2), "a time control has no hours");
    let arguments = ["--side", "black", "--nodes", "500", "--tc", "60:00+1", "-o", &file];
    let mut child = start(&arguments);
    let mut input = child.stdin.take().expect("a pipe");
    wait_for_moves(&file, 1);
    writeln!(input, "g6").expect("it reads");
    let saved = wait_for_moves(&file, 3);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let refused = play(&arguments, "");
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("exists; continue its game with --resume"));
    assert_eq!(fs::read_to_string(&file).expect("kept"), saved);
    let shown = succeed(&["--nodes", "500", "--resume", "-o", &file], "pgn\n");
    assert!(shown.contains("You play Black against Vedette"), "{shown}");
    let moves = |text: &str| text.split("\n\n").nth(1).expect("moves").to_owned();
    assert_eq!(fs::read_to_string(&file).map(|text| moves(&text)).expect("kept"), moves(&saved));
    let other = play(&["--resume", "-o", &file, "--name", "Nobody"], "");
    assert!(String::from_utf8_lossy(&other.stderr).contains("neither player is called 'Nobody'"));
}

#[cfg(unix)]
#[test]
fn signal_saves_the_game() {
    let folder = Folder::new();
    let file = folder.file("game.pgn");
    let mut child = start(&["--nodes", "100", "--tc", "60:00", "-o", &file]);
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "e4").expect("it reads");
    wait_for_moves(&file, 2);
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stdout).contains("--resume continues it"));
    drop(input);
}

#[test]
fn flag_falls_without_a_move() {
    let mut child = start(&["--tc", "0.05", "--nodes", "100"]);
    let input = child.stdin.take().expect("a pipe");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let found = lines.map_while(Result::ok).any(|line| line == "0-1 White loses on time");
    assert!(found);
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn other_engines_and_books() {
    let folder = Folder::new();
    let (games, book) = (folder.file("games.pgn"), folder.file("book.bin"));
    fs::write(&games, "1. e4 c5 2. Nf3 d6 1-0\n\n1. e4 c5 2. Nf3 d6 0-1\n\n").expect("writable");
    let built = folder::vedette(folder.path(), "book build games.pgn -o book.bin --min-games 1");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let shown = succeed(&["--book", &book, "--nodes", "100", "--ascii"], "e2e4\nnf3\n");
    assert!(shown.contains("plays 1... c5") && shown.contains("plays 2... d6"), "{shown}");
    let engine = format!("\"{}\"", env!("CARGO_BIN_EXE_vedette"));
    let shown = succeed(&["--engine", &engine, "--nodes", "100", "--option", "Hash=1", "--ascii"], "e4\n");
    assert!(shown.contains(" plays 1... "), "{shown}");
    for (arguments, part) in [
        (&["--engine", &engine, "--option", "Hsh=1"][..], "did you mean Hash?"),
        (&["--engine", "/no/such/engine"], "/no/such/engine"),
        (&["--level", "700"], "invalid --level 700: expected 800..=2610"),
        (&["--fen", "8/8/8/8"], "--fen"),
        (&["--book", "/no/such/book"], "/no/such/book"),
        (&["-o", "/no/such/folder/game.pgn"], "/no/such/folder/game.pgn"),
    ] {
        let output = play(arguments, "e4\n");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(message.contains(part) && message.trim_end().lines().count() == 1, "{message}");
    }
}

#[test]
fn chess960_castling() {
    let start = "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1";
    let shown = succeed(&["--fen", start, "--nodes", "100", "--words"], "O-O\n");
    assert!(shown.contains("White: castles kingside"), "{shown}");
}
