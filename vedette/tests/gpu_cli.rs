//! The commands of GPU play, on the one lane of the CPU that runs the same device code.

mod folder;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use nnue::FloatNetwork;
use nnue::shape::Shape;

use folder::Folder;

/// Writes a network of random weights.
fn write_network(folder: &Folder, name: &str, hidden: usize, seed: u64) {
    let network = FloatNetwork::random(Shape::new(hidden).unwrap(), seed).quantise();
    fs::write(folder.path().join(name), network.write("random")).unwrap();
}

fn vedette(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vedette"));
    command.current_dir(folder).args(words.split(' ')).output().expect("the program starts")
}

fn succeed(folder: &Path, words: &str) -> String {
    let output = vedette(folder, words);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is text")
}

fn fail(folder: &Path, words: &str, expected: &str) {
    let output = vedette(folder, words);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{words}: {stderr}");
    assert!(stderr.starts_with("vedette: ") && stderr.contains(expected), "{words}: {stderr}");
}

#[test]
fn self_play_goes_on_with_the_same_games() {
    let folder = Folder::new();
    let here = folder.path();
    write_network(&folder, "net.nnue", 64, 1);
    let common =
        "--network net.nnue --nodes 40 --hard-nodes 60 --opening-nodes 40 --opening-score 5000 --device lane";
    let told = succeed(here, &format!("gpu selfplay --games 6 --out whole.vd {common}"));
    assert!(told.contains("6 games") && told.contains("lane"), "{told}");
    succeed(here, &format!("gpu selfplay --games 2 --out parts.vd {common}"));
    fail(here, &format!("gpu selfplay --games 6 --out parts.vd {common}"), "--resume");
    succeed(here, &format!("gpu selfplay --games 6 --out parts.vd --resume {common}"));
    let whole = fs::read(here.join("whole.vd")).unwrap();
    assert_eq!(fs::read(here.join("parts.vd")).unwrap(), whole);
    // The second of three shards has the second and the fifth game.
    succeed(here, &format!("gpu selfplay --games 6 --shard 2/3 --out shard.vd {common}"));
    let shard = fs::read(here.join("shard.vd")).unwrap();
    assert!(!shard.is_empty() && whole.windows(64).any(|part| part == &shard[..64]));
    let audit = succeed(here, "data audit whole.vd");
    assert!(audit.contains('6'), "{audit}");
    let verified = succeed(here, &format!("gpu verify --games 3 --threads 2 {common}"));
    assert!(verified.contains("3 games") && verified.contains("are the same"), "{verified}");
    assert!(verified.contains("no GPU was asked"), "{verified}");
    let verified = succeed(here, &format!("gpu verify --games 3 --shard 2/3 --threads 2 {common}"));
    assert!(verified.contains("3 games") && verified.contains("are the same"), "{verified}");
    assert_eq!(vedette(here, &format!("gpu verify --games 0 {common}")).status.code(), Some(2));
}

#[test]
fn matches_are_even_between_equals_and_tests_say_where_they_stand() {
    let folder = Folder::new();
    let here = folder.path();
    write_network(&folder, "a.nnue", 64, 1);
    write_network(&folder, "b.nnue", 128, 2);
    let told = succeed(here, "gpu match a.nnue a.nnue --nodes 30 --games 4 --device lane");
    assert!(told.contains("50.00 % of 4 games") && told.contains("all pairs ended alike"), "{told}");
    assert!(!told.contains("NaN") && !told.contains("inf"), "{told}");
    for words in
        ["match --games 0", "match --games 3", "sprt --games 1", "match --nodes 0", "match --nodes-b 0"]
    {
        let refused = vedette(here, &format!("gpu {words} --device lane"));
        assert_eq!(refused.status.code(), Some(2), "{words}");
    }
    // Networks of two widths, and parameters of either side.
    let told = succeed(
        here,
        "gpu match a.nnue b.nnue --nodes 30 --nodes-b 60 --games 4 --param-b aspiration_delta=30 --json --device lane",
    );
    assert!(told.contains("\"complete\":true") && told.contains("aspiration_delta=30"), "{told}");
    let told = succeed(
        here,
        "gpu sprt a.nnue --elo0 -900 --elo1 -300 --alpha 0.4 --beta 0.4 --nodes 20 --games 60 --device lane",
    );
    assert!(told.contains("LLR") && told.contains("Decision"), "{told}");
    let lines = succeed(here, "gpu spsa --export");
    assert!(lines.lines().count() > 20 && lines.contains("aspiration_delta, int"), "{lines}");
    fs::write(here.join("two.txt"), lines.lines().take(2).collect::<Vec<_>>().join("\n")).unwrap();
    let tuned = succeed(
        here,
        "gpu spsa two.txt --network a.nnue --iterations 2 --pairs 1 --nodes 20 --state s.json --device lane",
    );
    assert_eq!(tuned.lines().count(), 2, "{tuned}");
    assert!(here.join("s.json").exists());
    // A saved run has iterations of its own, which is said.
    let again =
        vedette(here, "gpu spsa two.txt --network a.nnue --iterations 5 --state s.json --device lane");
    let said = String::from_utf8_lossy(&again.stderr);
    assert!(said.contains("its own parameters, iterations and seed: 2 of 2"), "{said}");
}

#[test]
fn what_a_device_cannot_do_is_refused_before_it_begins() {
    let folder = Folder::new();
    let here = folder.path();
    write_network(&folder, "net.nnue", 64, 1);
    fs::write(here.join("wide.txt"), "late_move_base, int, 4, 0, 40, 1, 0.002").unwrap();
    fs::write(here.join("none.txt"), "late_move_bsae, int, 4, 1, 10, 1, 0.002").unwrap();
    let spsa = "--network net.nnue --iterations 1 --pairs 1 --nodes 10 --device lane";
    for (words, expected) in [
        (format!("gpu spsa {spsa} -o nowhere/s.txt"), "nowhere/s.txt"),
        (format!("gpu spsa {spsa} --state nowhere/s.json"), "nowhere/s.json"),
        (format!("gpu spsa wide.txt {spsa}"), "goes beyond"),
        (format!("gpu spsa none.txt {spsa}"), "did you mean late_move_base?"),
        (
            "gpu selfplay --games 1 --out x.vd --max-moves 257 --network net.nnue --device lane".into(),
            "256 moves",
        ),
        (
            "gpu selfplay --games 1 --out x.vd --nodes 3G --network net.nnue --device lane".into(),
            "nodes, not",
        ),
    ] {
        fail(here, &words, expected);
    }
    assert!(!here.join("x.vd").exists(), "a run that cannot begin leaves no file");
    for words in [
        "match --games 20G",
        "match --nodes 3G",
        "spsa --pairs 9000000000",
        "selfplay --games 1 --out x --max-moves 0",
    ] {
        let refused = vedette(here, &format!("gpu {words} --device lane"));
        assert_eq!(refused.status.code(), Some(2), "{words}");
    }
}

#[test]
fn counts_are_the_known_ones() {
    let folder = Folder::new();
    let told = succeed(folder.path(), "gpu perft 4 --device lane");
    assert!(told.starts_with("nodes 197281 "), "{told}");
    let told = succeed(folder.path(), "gpu perft --most 700k --device lane");
    assert!(told.lines().count() >= 4 && told.lines().all(|line| line.contains("right")), "{told}");
}

const RECIPE: &str = "name = 'tiny'
[[stages]]
name = 'one'
games = { nodes = 30, positions = 300, opening_nodes = 20, opening_score = 20000, aside_every = 5 }
network.hidden = 64
loss.result_share = 1.0
training = { positions = 4000, batch = 256 }
judge = { nodes = 20, games = 4, keep = -2000 }
[[stages]]
name = 'two'
games = { nodes = 30, positions = 300, opening_nodes = 20, opening_score = 20000, aside_every = 5 }
window = 2
size = 0.5
network.hidden = 64
training = { positions = 4000, batch = 256 }
judge = { nodes = 20, games = 4, keep = 2000 }
";

#[test]
fn a_loop_goes_from_random_weights_to_networks_and_resumes() {
    let folder = Folder::new();
    let here = folder.path();
    fs::write(here.join("recipe.toml"), RECIPE).unwrap();
    let common = "gpu loop recipe.toml --output nets --device lane --threads 1";
    let told = succeed(here, &format!("{common} --seconds 0"));
    assert!(told.contains("2 stages are left"), "{told}");
    fail(here, common, "--resume");
    // The first stage alone, then the second in another sitting: its window needs the first one's games again.
    let first = &RECIPE[..RECIPE.find("[[stages]]\nname = 'two'").unwrap()];
    fs::write(here.join("first.toml"), first).unwrap();
    let told = succeed(here, &format!("{} --resume", common.replace("recipe.toml", "first.toml")));
    assert!(told.contains("stage 1 of 1: one") && told.contains("all stages are done"), "{told}");
    // Where the floating-point weights are gone, the network of integers does.
    let (floats, away) = (here.join("nets/tiny-one.float.nnue"), here.join("away"));
    fs::rename(&floats, &away).unwrap();
    let told = succeed(here, &format!("{common} --resume"));
    fs::rename(&away, &floats).unwrap();
    assert!(told.contains("the games of one are played again") && told.contains("stage 2 of 2"), "{told}");
    let table = fs::read_to_string(here.join("nets/table.md")).unwrap();
    let cells: Vec<&str> =
        table.lines().find(|line| line.starts_with("| one ")).unwrap().split(" | ").collect();
    // The child names its parent as the table does; the factor that its values have is told, too.
    let info = succeed(here, "net info nets/tiny-two.nnue");
    assert!(info.contains(&format!("begun with {}", cells[1])), "{info} {table}");
    assert!(info.contains("then all values times 0.5") && cells[3] == "1", "{info} {table}");
    // No network wins by 2000 Elo, so the first stays the best.
    assert!(told.contains("refused") && told.contains("best: tiny-one"), "{told}");
    for name in
        ["tiny-one.nnue", "tiny-one.float.nnue", "tiny-one.svg", "tiny-two.nnue", "elo.svg", "state.json"]
    {
        assert!(here.join("nets").join(name).exists(), "{name}");
    }
    // A stage that is done cannot be another one afterwards.
    fs::write(
        here.join("recipe.toml"),
        RECIPE.replace("nodes = 30, positions = 300", "nodes = 31, positions = 300"),
    )
    .unwrap();
    fail(here, &format!("{common} --resume"), "another recipe: stage \"one\"");
    fs::write(here.join("recipe.toml"), format!("seed = 7\n{RECIPE}")).unwrap();
    fail(here, &format!("{common} --resume"), "another recipe: its seed was 1, not 7");
    fs::write(here.join("recipe.toml"), RECIPE).unwrap();
    fail(here, &format!("{common} --resume --scale 0.5"), "--scale");
    // Whoever runs in a folder has it alone.
    let lock = fs::File::open(here.join("nets/loop.lock")).unwrap();
    lock.lock().unwrap();
    fail(here, &format!("{common} --resume"), "another loop runs in nets");
}

#[test]
fn what_cannot_be_done_is_told_in_one_line() {
    let folder = Folder::new();
    let here = folder.path();
    write_network(&folder, "net.nnue", 64, 1);
    fs::write(here.join("bad.nnue"), "nothing").unwrap();
    fs::write(here.join("bad.toml"), RECIPE.replace("window = 2", "window = 99")).unwrap();
    fs::write(here.join("wide.toml"), RECIPE.replace("hidden = 64", "hidden = 65")).unwrap();
    for (words, expected) in [
        ("gpu match bad.nnue net.nnue --device lane", "bad.nnue"),
        ("gpu match nowhere.nnue net.nnue --device lane", "nowhere.nnue"),
        ("gpu match net.nnue --param-a nonsense=3 --device lane", "no parameter nonsense"),
        ("gpu match net.nnue --param-a aspiration_delta=30000 --device lane", "outside"),
        ("gpu selfplay --games 1 --out x.vd --network bad.nnue --device lane", "bad.nnue"),
        ("gpu loop nowhere.toml --device lane", "nowhere.toml"),
        ("gpu loop bad.toml --device lane", "window"),
        ("gpu loop wide.toml --device lane", "hidden"),
        ("gpu spsa nowhere.txt --network net.nnue --device lane", "nowhere.txt"),
    ] {
        fail(here, words, expected);
    }
    assert!(!here.join("x.vd").exists(), "a run that cannot begin leaves no file");
    assert_eq!(vedette(here, "gpu perft 3 --device tpu").status.code(), Some(2));
    // Where there is no GPU, that is said; where there is one, this succeeds.
    let output = vedette(here, "gpu perft 3 --device cuda:7");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || stderr.contains("GPU"), "{stderr}");
    assert!(output.status.success() || stderr.lines().count() == 1, "{stderr}");
}
