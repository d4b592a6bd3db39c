//! `explain`: sentences, JSON and errors.

mod folder;

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use folder::Folder;

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
/// White's only good move wins a rook by a fork.
const FORK: &str = "r2nk3/3ppp2/8/1N6/8/8/5PPP/4K3 w - - 0 1";

fn vedette(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vedette")).args(arguments).output().expect("the program starts")
}

fn explain(arguments: &[&str]) -> String {
    let arguments: Vec<&str> = ["explain", "--nodes", "5000"].iter().chain(arguments).copied().collect();
    let output = vedette(&arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The text without what depends on the network and the search: scores and depths.
fn masked(text: &str) -> String {
    let word = |word: &str| {
        let inner = word.trim_start_matches('(').trim_end_matches([';', ')', '.']);
        let is_score = inner.starts_with(['+', '-']) && inner[1..].parse::<f64>().is_ok();
        if is_score { word.replace(inner, "SCORE") } else { word.to_owned() }
    };
    let line = |line: &str| {
        let mut words: Vec<String> = line.split_whitespace().map(word).collect();
        if let Some(at) = words.iter().position(|word| word == "depth") {
            "N".clone_into(&mut words[at + 1]);
        }
        words.join(" ") + "\n"
    };
    text.lines().map(line).collect()
}

#[test]
fn mate_and_fork_in_sentences() {
    assert_eq!(
        masked(&explain(&[BACK_RANK])),
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\n\n\
         1. Ra8# is best (#1).\n\
         White mates by a back-rank mate (1. Ra8#).\n\n\
         Best #1 depth N Ra8#\n"
    );
    let fork = masked(&explain(&[FORK]));
    for part in [
        "1. Nc7+ is best (SCORE).\n",
        "White wins a rook by a fork by the knight on c7 of the king on e8 and the rook on a8 (1. Nc7+ Kf8 2. Nxa8).\n",
        "Best SCORE depth N Nc7+ Kf8 Nxa8\n",
    ] {
        assert!(fork.contains(part), "{part}: {fork}");
    }
}

/// A FEN needs no quotes, and a move may be in UCI notation.
#[test]
fn move_is_compared_with_the_best() {
    let arguments: Vec<&str> = BACK_RANK.split(' ').chain(["g1f1"]).collect();
    let text = masked(&explain(&arguments));
    assert!(text.contains("1. Kf1 keeps the advantage, but not the mate (SCORE; 1. Ra8# #1).\n"), "{text}");
    assert!(text.contains("It misses 1. Ra8#: White mates by a back-rank mate (1. Ra8#).\n"), "{text}");
    let text = masked(&explain(&["startpos", "--moves", "e4 e5 Bc4 Nc6 Qf3", "a6"]));
    for part in [
        "3... a6 is a blunder (#1; 3... ",
        "After 3... a6 White mates (4. Qxf7#).\n",
        "If Black passed, White mates (4. Qxf7#). The move does not stop it.\n",
        "\nReply #1 depth N Qxf7#\n",
        "\nThreat #1 depth N Qxf7#\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn doubt_is_stated() {
    let text = explain(&["4k3/pppp1ppp/8/8/8/8/PPPP1PPP/4K3 w - - 0 1"]);
    assert!(text.contains("\nNothing is certain: no searched line wins material (1. "), "{text}");
}

#[test]
fn json_has_lines_and_evidence() {
    let folder = Folder::new();
    let file = folder.file("why.json");
    let text = explain(&[FORK, "Nc3", "--json", &file]);
    assert!(text.contains("It misses 1. Nc7+"), "{text}");
    let value: Value = serde_json::from_str(&fs::read_to_string(&file).expect("written")).expect("JSON");
    assert_eq!((&value["schema"], &value["limits"]), (&"vedette-explain/1".into(), &"5000 nodes".into()));
    assert_eq!((&value["asked"], &value["white"]), (&"Nc3".into(), &true.into()));
    assert_eq!(value["best"]["motifs"][0]["motif"], "fork");
    assert_eq!(value["best"]["gain"]["won"], serde_json::json!(["rook"]));
    assert_eq!(value["best"]["uci"], serde_json::json!(["b5c7", "e8f8", "c7a8"]));
    let missed = value["sentences"].as_array().expect("a list").iter().find(|one| one["evidence"] == "best");
    assert_eq!(missed.expect("a sentence")["is_reason"], true);
    let printed: Value = serde_json::from_str(&explain(&[FORK, "Nc3", "--json"])).expect("JSON alone");
    assert_eq!(printed["fen"], FORK);
}

#[test]
fn other_engine_and_evaluation() {
    let engine = format!("\"{}\"", env!("CARGO_BIN_EXE_vedette"));
    for arguments in [
        &[BACK_RANK, "--engine", &engine, "--option", "Hash=1"][..],
        &[BACK_RANK, "--evaluation", "classical"],
        &[BACK_RANK, "--depth", "3"],
    ] {
        assert!(explain(arguments).contains("White mates by a back-rank mate (1. Ra8#)."), "{arguments:?}");
    }
}

#[test]
fn bad_input_is_one_line() {
    for (arguments, part) in [
        (&["8/8"][..], "invalid FEN '8/8': missing the side to move"),
        (&["startpos", "e5"], "illegal move 'e5'"),
        (&["startpos", "e4", "e5"], "unexpected 'e5': expected one move after the position"),
        (&["startpos", "--moves", "e4 e4"], "--moves: illegal move 'e4'"),
        (&["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"], "nothing to explain: the game is over by checkmate"),
        (&["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "nothing to explain: the game is over by stalemate"),
        (&["startpos", "--engine", "/no/such/engine"], "/no/such/engine"),
        (&["startpos", "--option", "Hsh=1"], "Hsh"),
        (&["startpos", "--json", "/no/such/folder/file"], "/no/such/folder/file"),
    ] {
        let all: Vec<&str> = ["explain"].iter().chain(arguments).copied().collect();
        let output = vedette(&all);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(message.contains(part) && message.trim_end().lines().count() == 1, "{message}");
    }
}
