//! The `gpu` commands on the CPU emulation. They fail in a build without a C++ compiler.

mod folder;

use std::fs;
use std::path::Path;

use nnue::FloatNetwork;
use nnue::shape::{Head, Shape};

use folder::{Folder, succeed, vedette};

/// Writes a network of random weights.
fn write_network(folder: &Folder, name: &str, hidden: usize, seed: u64) {
    let network = FloatNetwork::random(Shape::new(hidden).unwrap(), seed).quantise();
    fs::write(folder.path().join(name), network.write("random")).unwrap();
}

fn fail(folder: &Path, arguments: &str, expected: &str) {
    let output = vedette(folder, arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{arguments}: {stderr}");
    assert!(stderr.starts_with("vedette: ") && stderr.contains(expected), "{arguments}: {stderr}");
}

#[test]
fn selfplay_resumes_with_the_same_games() {
    let folder = Folder::new();
    let here = folder.path();
    write_network(&folder, "net.nnue", 64, 1);
    let common =
        "--network net.nnue --nodes 40 --hard-nodes 60 --opening-nodes 40 --opening-score 5000 --device cpu";
    let output = succeed(here, &format!("gpu selfplay --games 6 --out whole.vd {common}"));
    assert!(output.contains("6 games") && output.contains("on CPU emulation"), "{output}");
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
    assert!(verified.contains("3 games") && verified.contains("are identical"), "{verified}");
    assert!(verified.contains("no GPU was used"), "{verified}");
    let verified = succeed(here, &format!("gpu verify --games 3 --shard 2/3 --threads 2 {common}"));
    assert!(verified.contains("3 games") && verified.contains("are identical"), "{verified}");
    assert_eq!(vedette(here, &format!("gpu verify --games 0 {common}")).status.code(), Some(2));
}

/// Before a device is opened, so that the message is the same everywhere.
#[test]
fn layered_networks_are_refused() {
    let folder = Folder::new();
    let here = folder.path();
    write_network(&folder, "a.nnue", 64, 1);
    let shape = Shape::new(128).unwrap().with_head(Head::Layered).unwrap();
    let layered = FloatNetwork::random(shape, 1);
    fs::write(here.join("layered.nnue"), layered.quantise().write("")).unwrap();
    fs::write(here.join("layered.float.nnue"), layered.write("")).unwrap();
    for command in [
        "gpu selfplay --network layered.nnue --games 1 --out games.vd --device cpu",
        "gpu match a.nnue layered.nnue --games 2 --device cpu",
        "gpu match layered.float.nnue a.nnue --games 2 --device cpu",
        "gpu verify --network layered.nnue --games 1",
    ] {
        fail(here, command, "nnue: games on a GPU need a network of one layer: ");
    }
    assert!(!here.join("games.vd").exists());
}

#[test]
fn match_sprt_and_spsa() {
    let folder = Folder::new();
    let here = folder.path();
    write_network(&folder, "a.nnue", 64, 1);
    write_network(&folder, "b.nnue", 128, 2);
    let output = succeed(here, "gpu match a.nnue a.nnue --nodes 30 --games 4 --device cpu");
    assert!(
        output.contains("50.00 % of 4 games") && output.contains("all pairs have the same score"),
        "{output}"
    );
    assert!(!output.contains("NaN") && !output.contains("inf"), "{output}");
    for arguments in
        ["match --games 0", "match --games 3", "sprt --games 1", "match --nodes 0", "match --nodes-b 0"]
    {
        let refused = vedette(here, &format!("gpu {arguments} --device cpu"));
        assert_eq!(refused.status.code(), Some(2), "{arguments}");
    }
    // Networks of two widths, and parameters of either side.
    let output = succeed(
        here,
        "gpu match a.nnue b.nnue --nodes 30 --nodes-b 60 --games 4 --param-b aspiration_delta=30 --json --device cpu",
    );
    assert!(output.contains("\"complete\": true") && output.contains("aspiration_delta=30"), "{output}");
    let output = succeed(
        here,
        "gpu sprt a.nnue --elo0 -900 --elo1 -300 --alpha 0.4 --beta 0.4 --nodes 20 --games 60 --device cpu",
    );
    assert!(output.contains("LLR") && output.contains("Decision"), "{output}");
    let lines = succeed(here, "gpu spsa --export");
    assert!(lines.lines().count() > 20 && lines.contains("aspiration_delta, int"), "{lines}");
    fs::write(here.join("two.txt"), lines.lines().take(2).collect::<Vec<_>>().join("\n")).unwrap();
    let tuned = succeed(
        here,
        "gpu spsa two.txt --network a.nnue --iterations 2 --pairs 1 --nodes 20 --state s.json --device cpu",
    );
    assert_eq!(tuned.lines().count(), 2, "{tuned}");
    assert!(here.join("s.json").exists());
    // A saved run keeps its own iterations.
    let again = vedette(here, "gpu spsa two.txt --network a.nnue --iterations 5 --state s.json --device cpu");
    let stderr = String::from_utf8_lossy(&again.stderr);
    assert!(stderr.contains("with its saved parameters, iterations and seed: 2 of 2"), "{stderr}");
}

#[test]
fn limits_are_checked_first() {
    let folder = Folder::new();
    let here = folder.path();
    write_network(&folder, "net.nnue", 64, 1);
    fs::write(here.join("wide.txt"), "late_move_base, int, 4, 0, 40, 1, 0.002").unwrap();
    fs::write(here.join("none.txt"), "late_move_bsae, int, 4, 1, 10, 1, 0.002").unwrap();
    let spsa = "--network net.nnue --iterations 1 --pairs 1 --nodes 10 --device cpu";
    for (arguments, expected) in [
        (format!("gpu spsa {spsa} -o nowhere/s.txt"), "nowhere/s.txt"),
        (format!("gpu spsa {spsa} --state nowhere/s.json"), "nowhere/s.json"),
        (format!("gpu spsa wide.txt {spsa}"), "invalid range"),
        (format!("gpu spsa none.txt {spsa}"), "did you mean 'late_move_base'?"),
        (
            "gpu selfplay --games 1 --out x.vd --max-moves 257 --network net.nnue --device cpu".into(),
            "1..=256",
        ),
        (
            "gpu selfplay --games 1 --out x.vd --nodes 3G --network net.nnue --device cpu".into(),
            "invalid node limit",
        ),
    ] {
        fail(here, &arguments, expected);
    }
    assert!(!here.join("x.vd").exists(), "a run that cannot start leaves no file");
    for arguments in [
        "match --games 20G",
        "match --nodes 3G",
        "spsa --pairs 9000000000",
        "selfplay --games 1 --out x --max-moves 0",
    ] {
        let refused = vedette(here, &format!("gpu {arguments} --device cpu"));
        assert_eq!(refused.status.code(), Some(2), "{arguments}");
    }
}

#[test]
fn perft_counts_are_known() {
    let folder = Folder::new();
    let output = succeed(folder.path(), "gpu perft 4 --device lane");
    assert!(output.starts_with("nodes 197281 "), "{output}");
    let output = succeed(folder.path(), "gpu perft --max 700k --device cpu");
    assert!(output.lines().count() >= 4 && output.lines().all(|line| line.contains(" ok ")), "{output}");
}

const RECIPE: &str = "name = 'tiny'
[[stages]]
name = 'one'
games = { nodes = 30, positions = 300, opening_nodes = 20, opening_score = 20000, validation_every = 5 }
network.hidden = 64
loss.wdl_weight = 1.0
training = { positions = 4000, batch = 256 }
learner = { network = { hidden = 128, head = 'layered' }, training = { positions = 2000, batch = 256 } }
match = { nodes = 20, games = 4, keep = -2000 }
[[stages]]
name = 'two'
games = { nodes = 30, positions = 300, opening_nodes = 20, opening_score = 20000, validation_every = 5 }
window = 2
output_scale = 0.5
network.hidden = 64
training = { positions = 4000, batch = 256 }
match = { nodes = 20, games = 4, keep = 2000 }
[stages.learner]
network = { hidden = 128, king_buckets = 4, head = 'layered' }
training = { positions = 2000, batch = 256, quantised_finish = 0.5 }
";

#[test]
fn loop_makes_networks_and_resumes() {
    let folder = Folder::new();
    let here = folder.path();
    fs::write(here.join("recipe.toml"), RECIPE).unwrap();
    let common = "gpu loop recipe.toml --output nets --device cpu --threads 1";
    let output = succeed(here, &format!("{common} --seconds 0"));
    assert!(output.contains("2 stages left"), "{output}");
    fail(here, common, "--resume");
    // The first stage alone, then the second in another session: its window needs the first one's games again.
    let first = &RECIPE[..RECIPE.find("[[stages]]\nname = 'two'").unwrap()];
    fs::write(here.join("first.toml"), first).unwrap();
    let output = succeed(here, &format!("{} --resume", common.replace("recipe.toml", "first.toml")));
    assert!(output.contains("stage 1 of 1: one") && output.contains("all stages finished"), "{output}");
    // Without the floating-point weights, the quantised network is used.
    let (floats, away) = (here.join("nets/tiny-one.float.nnue"), here.join("away"));
    fs::rename(&floats, &away).unwrap();
    let output = succeed(here, &format!("{common} --resume"));
    fs::rename(&away, &floats).unwrap();
    assert!(output.contains("playing the games of one again") && output.contains("stage 2 of 2"), "{output}");
    let table = fs::read_to_string(here.join("nets/table.md")).unwrap();
    let cells: Vec<&str> =
        table.lines().find(|line| line.starts_with("| one ")).unwrap().split(" | ").collect();
    // The child's description has its parent's hash as in the table, and its output scale.
    let info = succeed(here, "net info nets/tiny-two.nnue");
    assert!(info.contains(&format!("parent {}", cells[1])), "{info} {table}");
    assert!(info.contains("output scale 0.5") && cells[3] == "1", "{info} {table}");
    // The second learner continues the first, although the second network is rejected.
    assert!(
        output.contains("learner: tiny-two-learner") && output.contains("(128 x 4, layered hidden)"),
        "{output}"
    );
    let learner = |name: &str| {
        let line = table.lines().find(|line| line.starts_with(&format!("| {name}-learner "))).unwrap();
        line.split(" | ").map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!((&*learner("one")[4], &*learner("two")[4]), ("random weights", "one-learner"), "{table}");
    let info = succeed(here, "net info nets/tiny-two-learner.nnue");
    assert!(info.contains(&format!("parent {}", learner("one")[1])), "{info} {table}");
    // No network wins by 2000 Elo, so the first stays the best.
    assert!(output.contains("rejected") && output.contains("best: tiny-one"), "{output}");
    for name in
        ["tiny-one.nnue", "tiny-one.float.nnue", "tiny-one.svg", "tiny-two.nnue", "elo.svg", "state.json"]
    {
        assert!(here.join("nets").join(name).exists(), "{name}");
    }
    // Finished stages cannot change.
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
    // A folder has one pipeline at a time.
    let lock = fs::File::open(here.join("nets/loop.lock")).unwrap();
    lock.lock().unwrap();
    fail(here, &format!("{common} --resume"), "another process is running in nets");
}

#[test]
fn loop_starts_with_a_network() {
    let folder = Folder::new();
    let here = folder.path();
    write_network(&folder, "net.nnue", 64, 1);
    let first = &RECIPE[..RECIPE.find("[[stages]]\nname = 'two'").unwrap()];
    fs::write(here.join("recipe.toml"), format!("start = 'net.nnue'\n{first}")).unwrap();
    let common = "gpu loop recipe.toml --device cpu --threads 1 --scale 0.3";
    succeed(here, &format!("{common} --output nets"));
    let table = fs::read_to_string(here.join("nets/table.md")).unwrap();
    let cells: Vec<&str> =
        table.lines().find(|line| line.starts_with("| one ")).unwrap().split(" | ").collect();
    assert_eq!(cells[4], "net.nnue", "{table}");
    // The child's description has the hash of its parent.
    let hash = |file: &str| succeed(here, &format!("net info {file}"));
    let parent = hash("nets/tiny-one.nnue");
    let parent = parent.split("parent ").nth(1).unwrap().get(..16).unwrap();
    assert!(hash("net.nnue").contains(parent), "{parent}");
    let layered = Shape::new(128).unwrap().with_head(Head::Layered).unwrap();
    fs::write(here.join("net.nnue"), FloatNetwork::random(layered, 1).write("")).unwrap();
    fail(here, &format!("{common} --output other"), "net.nnue: games on a GPU need a network of one layer");
    fs::remove_file(here.join("net.nnue")).unwrap();
    fail(here, &format!("{common} --output other"), "net.nnue");
    assert!(!here.join("other").exists(), "a run that cannot start leaves nothing");
}

#[test]
fn errors_are_one_line() {
    let folder = Folder::new();
    let here = folder.path();
    write_network(&folder, "net.nnue", 64, 1);
    fs::write(here.join("bad.nnue"), "nothing").unwrap();
    fs::write(here.join("bad.toml"), RECIPE.replace("window = 2", "window = 99")).unwrap();
    fs::write(here.join("wide.toml"), RECIPE.replace("hidden = 64", "hidden = 65")).unwrap();
    for (arguments, expected) in [
        ("gpu match bad.nnue net.nnue --device cpu", "bad.nnue"),
        ("gpu match nowhere.nnue net.nnue --device cpu", "nowhere.nnue"),
        ("gpu match net.nnue --param-a nonsense=3 --device cpu", "'nonsense'"),
        ("gpu match net.nnue --param-a aspiration_delta=30000 --device cpu", "expected"),
        ("gpu selfplay --games 1 --out x.vd --network bad.nnue --device cpu", "bad.nnue"),
        ("gpu loop nowhere.toml --device cpu", "nowhere.toml"),
        ("gpu loop bad.toml --device cpu", "window"),
        ("gpu loop wide.toml --device cpu", "hidden"),
        ("gpu spsa nowhere.txt --network net.nnue --device cpu", "nowhere.txt"),
    ] {
        fail(here, arguments, expected);
    }
    assert!(!here.join("x.vd").exists(), "a run that cannot start leaves no file");
    assert_eq!(vedette(here, "gpu perft 3 --device tpu").status.code(), Some(2));
    // Fails without a GPU, succeeds with eight.
    let output = vedette(here, "gpu perft 3 --device cuda:7");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || stderr.contains("GPU"), "{stderr}");
    assert!(output.status.success() || stderr.lines().count() == 1, "{stderr}");
}
