//! From self-play games to a network, on the command line.

mod folder;

use std::fs;
use std::process::Command;

use folder::{Folder, succeed, vedette};

const RECIPE: &str =
    "name = 'tiny'\nnetwork.hidden = 64\ndata.validation = 0.1\ntraining = { epochs = 4, batch = 256 }";

#[test]
fn selfplay_games_train_a_network() {
    let folder = Folder::new();
    let here = folder.path();
    fs::write(here.join("recipe.toml"), RECIPE).unwrap();
    succeed(here, "selfplay --games 30 --nodes 60 --seed 5 --out games.vd");
    let stdout = succeed(here, "train recipe.toml --data games.vd --output nets --device cpu --threads 2");
    for word in ["30 games", "CPU", "validation", "positions/s", "nets/tiny.nnue", "quantisation error"] {
        assert!(stdout.contains(word), "{word} in {stdout}");
    }
    let info = succeed(here, "net info nets/tiny.nnue");
    assert!(info.contains("name = \"tiny\"") && info.contains("of 30 games"), "{info}");

    // The engine plays with it.
    let file = here.join("nets/tiny.nnue");
    let script = [format!("setoption name EvalFile value {}", file.display()), "go nodes 1000".to_owned()];
    let output =
        Command::new(env!("CARGO_BIN_EXE_vedette")).args(script).output().expect("the program starts");
    let replies = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(replies.lines().any(|line| line.starts_with("bestmove ")), "{replies}");
    assert!(!replies.contains("error") && output.stderr.is_empty(), "{replies}");

    // Resuming a finished training does nothing and gives the same network.
    let before = fs::read(here.join("nets/tiny.nnue")).unwrap();
    let stdout =
        succeed(here, "train recipe.toml --data games.vd --output nets --device cpu --threads 1 --resume");
    assert!(stdout.contains("resumed after"), "{stdout}");
    assert_eq!(fs::read(here.join("nets/tiny.nnue")).unwrap(), before);

    // Overwriting a training needs --force.
    let again = "train recipe.toml --data games.vd --output nets --device cpu --threads 2";
    let rejected = vedette(here, again);
    let stderr = String::from_utf8_lossy(&rejected.stderr);
    assert_eq!(rejected.status.code(), Some(1));
    assert!(
        stderr.contains("tiny.checkpoint") && stderr.contains("--resume") && stderr.contains("--force"),
        "{stderr}"
    );
    assert_eq!(fs::read(here.join("nets/tiny.nnue")).unwrap(), before);
    let stdout = succeed(here, &format!("{again} --force"));
    assert!(!stdout.contains("resumed after"), "{stdout}");
}

#[test]
fn selfplay_games_tune_the_classical_evaluation() {
    let folder = Folder::new();
    let here = folder.path();
    succeed(here, "selfplay --evaluation classical --games 4 --nodes 50 --output games.vd");
    let stdout = succeed(here, "tune games.vd --epochs 1 --output weights.rs --json tune.json");
    let json: serde_json::Value = serde_json::from_slice(&fs::read(here.join("tune.json")).unwrap()).unwrap();
    assert_eq!((&json["schema"], &json["finished"]), (&"vedette-tune/1".into(), &true.into()));
    assert!(json["epochs"][0]["loss"].is_f64() && json["validation_loss"]["after"].is_f64(), "{json}");
    assert!(stdout.contains("epoch   1 of 1: loss") && stdout.contains("validation loss"), "{stdout}");
    let weights = fs::read_to_string(here.join("weights.rs")).unwrap();
    assert!(weights.contains("pub static WEIGHTS"), "{weights}");
    let unwritable = vedette(here, "tune games.vd --output no/such/folder/weights.rs");
    assert_eq!((unwritable.status.code(), unwritable.stdout.len()), (Some(1), 0));
}

#[test]
fn errors_are_one_line() {
    let folder = Folder::new();
    let here = folder.path();
    fs::write(here.join("good.toml"), RECIPE).unwrap();
    fs::write(here.join("bad.toml"), RECIPE.replace("64", "65")).unwrap();
    fs::write(here.join("empty.vd"), "").unwrap();
    for (arguments, expected) in [
        ("train nowhere.toml", "nowhere.toml"),
        ("train bad.toml --data empty.vd", "invalid hidden size 65"),
        ("train good.toml", "data.files is empty"),
        ("train good.toml --data nowhere.vd", "nowhere.vd"),
        ("train good.toml --data empty.vd", "filter"),
        ("train good.toml --data empty.vd --start empty.vd", "empty.vd"),
        ("train good.toml --data empty.vd --name a/b", "invalid name \"a/b\""),
    ] {
        let output = vedette(here, arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {stderr}");
        assert!(stderr.starts_with("vedette: ") && stderr.lines().count() == 1, "{arguments}: {stderr}");
        assert!(stderr.contains(expected), "{arguments}: {stderr}");
    }
    assert_eq!(vedette(here, "train good.toml --device gpu").status.code(), Some(2));
}
