//! From games of self-play to a network, with the program's own commands.

mod folder;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use folder::Folder;

fn vedette(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vedette"));
    command.current_dir(folder).args(words.split(' ')).output().expect("the program starts")
}

fn succeed(folder: &Path, words: &str) -> String {
    let output = vedette(folder, words);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is text")
}

const RECIPE: &str =
    "name = 'tiny'\nnetwork.hidden = 64\ndata.validation = 0.1\ntraining = { epochs = 4, batch = 256 }";

#[test]
fn games_of_self_play_become_a_network() {
    let folder = Folder::new();
    let here = folder.path();
    fs::write(here.join("recipe.toml"), RECIPE).unwrap();
    succeed(here, "selfplay --games 30 --nodes 60 --seed 5 --out games.vd");
    let told = succeed(here, "train recipe.toml --data games.vd --output nets --device cpu --threads 2");
    for word in ["30 games", "CPU", "kept aside", "positions/s", "nets/tiny.nnue", "centipawns"] {
        assert!(told.contains(word), "{word} in {told}");
    }
    let info = succeed(here, "net info nets/tiny.nnue");
    assert!(info.contains("name = \"tiny\"") && info.contains("of 30 games"), "{info}");

    // The engine plays with it.
    let file = here.join("nets/tiny.nnue");
    let script = [format!("setoption name EvalFile value {}", file.display()), "go nodes 1000".to_owned()];
    let output =
        Command::new(env!("CARGO_BIN_EXE_vedette")).args(script).output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.lines().any(|line| line.starts_with("bestmove ")), "{said}");
    assert!(!said.contains("error") && output.stderr.is_empty(), "{said}");

    // Resuming a finished training finds nothing to do, and ends with the same network.
    let before = fs::read(here.join("nets/tiny.nnue")).unwrap();
    let told =
        succeed(here, "train recipe.toml --data games.vd --output nets --device cpu --threads 1 --resume");
    assert!(told.contains("resumed after"), "{told}");
    assert_eq!(fs::read(here.join("nets/tiny.nnue")).unwrap(), before);

    // Beginning anew would cost the old one, and must be said.
    let again = "train recipe.toml --data games.vd --output nets --device cpu --threads 2";
    let refused = vedette(here, again);
    let words = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        words.contains("tiny.checkpoint") && words.contains("--resume") && words.contains("--force"),
        "{words}"
    );
    assert_eq!(fs::read(here.join("nets/tiny.nnue")).unwrap(), before);
    let told = succeed(here, &format!("{again} --force"));
    assert!(!told.contains("resumed after"), "{told}");
}

#[test]
fn what_cannot_be_trained_is_told_in_one_line() {
    let folder = Folder::new();
    let here = folder.path();
    fs::write(here.join("good.toml"), RECIPE).unwrap();
    fs::write(here.join("bad.toml"), RECIPE.replace("64", "65")).unwrap();
    fs::write(here.join("empty.vd"), "").unwrap();
    for (words, expected) in [
        ("train nowhere.toml", "nowhere.toml"),
        ("train bad.toml --data empty.vd", "invalid hidden size 65"),
        ("train good.toml", "no files"),
        ("train good.toml --data nowhere.vd", "nowhere.vd"),
        ("train good.toml --data empty.vd", "filter"),
        ("train good.toml --data empty.vd --start empty.vd", "empty.vd"),
        ("train good.toml --data empty.vd --name a/b", "file name"),
    ] {
        let output = vedette(here, words);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words}: {stderr}");
        assert!(stderr.starts_with("vedette: ") && stderr.lines().count() == 1, "{words}: {stderr}");
        assert!(stderr.contains(expected), "{words}: {stderr}");
    }
    assert_eq!(vedette(here, "train good.toml --device gpu").status.code(), Some(2));
}
