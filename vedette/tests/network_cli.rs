//! The `net` commands, network options, and the same bench on every SIMD path.

mod folder;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

use folder::Folder;
use nnue::shape::{Head, Shape};
use nnue::{FloatNetwork, SimdPath};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vedette"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("output is text")
}

/// A folder with a random network, float and quantised, and damaged ones.
fn networks() -> Folder {
    let folder = Folder::new();
    let network = FloatNetwork::random(Shape::new(64).unwrap(), 1);
    let mut bytes = network.quantise().write("learned nothing");
    write(&folder, "float", &network.write("learned nothing"));
    let shape = Shape::new(128).unwrap().with_head(Head::Layered).unwrap();
    let layered = FloatNetwork::random(shape, 1);
    write(&folder, "layered-float", &layered.write("three layers"));
    write(&folder, "layered", &layered.quantise().write("three layers"));
    write(&folder, "integer", &bytes);
    write(&folder, "cut", &bytes[..1000]);
    bytes[5000] ^= 1;
    write(&folder, "damaged", &bytes);
    write(&folder, "foreign", b"not a network");
    folder
}

fn write(folder: &Folder, name: &str, bytes: &[u8]) {
    fs::write(folder.file(name), bytes).expect("there is room");
}

#[test]
fn info_describes_a_file_or_its_error() {
    let folder = networks();
    let text = stdout(&run(&["net", "info", &folder.file("integer"), &folder.file("float")]));
    for part in ["(768 mirrored -> 64) x 2 -> 1 x 8", "quantised", "float", "learned nothing"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    for (name, reason) in [
        ("cut", "truncated"),
        ("damaged", "corrupted: hash mismatch"),
        ("foreign", "not a Vedette network file"),
        ("missing", ""),
    ] {
        let output = run(&["net", "info", &folder.file(name)]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(message.contains(reason) && message.contains(name), "{name}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn layered_networks_work_wherever_networks_do() {
    let folder = networks();
    let [layered, float, written] = ["layered", "layered-float", "written"].map(|name| folder.file(name));
    let info = stdout(&run(&["net", "info", &layered]));
    for part in
        ["128 -> 64 products) x 2 -> (16 x 2 -> 32 -> 1) x 8", "first layer", "second layer", "three layers"]
    {
        assert!(info.contains(part), "{part} in {info}");
    }
    stdout(&run(&["net", "export", &float, "--format", "nnue", "-o", &written]));
    assert_eq!(fs::read(written).unwrap(), fs::read(&layered).unwrap());
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&run(&["net", "export", &layered]))).expect("JSON");
    assert_eq!((&json["head"], &json["first_one"]), (&"layered".into(), &64.into()));
    let length = |name: &str| (json[name].as_array().unwrap().len(), json[name][7].as_array().map(Vec::len));
    assert_eq!(length("feature_weights"), (768, Some(128)));
    assert_eq!([length("first_weights"), length("first_bias")], [(8 * 16, Some(128)), (8, Some(16))]);
    assert_eq!([length("second_weights"), length("second_bias")], [(8 * 32, Some(32)), (8, Some(32))]);
    assert_eq!([length("output_weights"), length("output_bias")], [(8, Some(32)), (8, None)]);
    let compared = stdout(&run(&["net", "compare", &float, &layered, "--games", "1", "--nodes", "20"]));
    assert!(compared.contains("correlation 0.9"), "{compared}");
    let evaluation = "setoption name Evaluation value network";
    let load = format!("setoption name EvalFile value {layered}");
    assert!(stdout(&run(&[&load, evaluation, "eval"])).contains("Network evaluation"));
}

#[test]
fn compare_shows_quantisation_error() {
    let folder = networks();
    write(
        &folder,
        "positions",
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
          r3k2r/8/8/8/8/8/8/R3K2R b KQkq - bm e8g8;\n\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 120 | 1.0\n",
    );
    let files = ["float", "integer", "positions"].map(|name| folder.file(name));
    let arguments = ["net", "compare", &files[0], &files[1]];
    let from_file = [&arguments[..], &["--positions", &files[2]]].concat();
    let text = stdout(&run(&from_file));
    assert!(text.lines().any(|line| line.split_whitespace().take(2).eq(["all", "3"])), "{text}");
    let played = stdout(&run(&[&arguments[..], &["--games", "1", "--nodes", "20"]].concat()));
    assert!(played.contains("correlation 0.99") || played.contains("correlation 1.0"), "{played}");
}

#[test]
fn export_quantises() {
    let folder = networks();
    let [float, rounded] = ["float", "rounded"].map(|name| folder.file(name));
    stdout(&run(&["net", "export", &float, "--format", "nnue", "-o", &rounded]));
    assert_eq!(fs::read(rounded).unwrap(), fs::read(folder.file("integer")).unwrap());
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&run(&["net", "export", &folder.file("integer")]))).expect("JSON");
    assert_eq!(json["hidden"], 64);
    assert_eq!(json["feature_weights"].as_array().unwrap().len(), 768);
    assert_eq!(json["output_weights"][7].as_array().unwrap().len(), 128);
    // Scaling works as far as the weights allow.
    let scaled = folder.file("scaled");
    stdout(&run(&["net", "export", &float, "--format", "nnue", "--scale", "0.5", "-o", &scaled]));
    assert!(stdout(&run(&["net", "info", &scaled])).contains("scaled: 0.5"));
    let refused = run(&["net", "export", &float, "--format", "nnue", "--scale", "100"]);
    assert!(!refused.status.success() && refused.stdout.is_empty());
}

#[test]
fn network_of_bullet_is_imported() {
    let folder = networks();
    let [file, network] = ["quantised.bin", "imported"].map(|name| folder.file(name));
    // 64 units and one output: 49,345 numbers, padded.
    let mut bytes = 1_i16.to_le_bytes().repeat(768 * 64 + 64 + 2 * 64 + 1);
    bytes.extend(b"bullet".iter().cycle().take(bytes.len().next_multiple_of(64) - bytes.len()));
    fs::write(&file, &bytes).unwrap();
    assert!(stdout(&run(&["net", "import", &file, "-o", &network])).contains("-> 64) x 2 -> 1 x 8"));
    assert!(stdout(&run(&["net", "info", &network])).contains("imported from bullet: quantised.bin"));
    fs::write(&file, &bytes[1..]).unwrap();
    let refused = run(&["net", "import", &file, "-o", &network]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && message.contains("are no network of bullet"), "{message}");
}

#[test]
fn every_simd_path_gives_the_same_bench() {
    let folder = networks();
    let signature = |network: &str, path: SimdPath| {
        let arguments = ["bench", "16", "1", "4", "--network", &folder.file(network)];
        let output = command(&arguments).env(SimdPath::VARIABLE, path.to_string()).output().unwrap();
        let last = stdout(&output).lines().last().unwrap().to_owned();
        last.split(" nodes").next().unwrap().to_owned()
    };
    let paths = SimdPath::available();
    let [signatures, layered] = ["integer", "layered"]
        .map(|network| paths.iter().map(|&path| signature(network, path)).collect::<Vec<String>>());
    assert!(signatures.iter().all(|nodes| *nodes == signatures[0]), "{signatures:?}");
    assert!(layered.iter().all(|nodes| *nodes == layered[0]), "{layered:?}");
    assert_ne!(signatures[0], layered[0]);
    let classical = stdout(&run(&["bench", "16", "1", "4", "--evaluation", "classical"]));
    assert!(!classical.lines().last().unwrap().starts_with(&format!("{} nodes", signatures[0])));
    let wrong = command(&["bench", "16", "1", "1"]).env(SimdPath::VARIABLE, "abacus").output().unwrap();
    assert_eq!(wrong.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("expected one of scalar"));
}

#[test]
fn bad_network_keeps_the_old_one() {
    let folder = networks();
    let load = |name: &str| format!("setoption name EvalFile value {}", folder.file(name));
    let evaluation = "setoption name Evaluation value network";
    let before = stdout(&run(&[&load("integer"), evaluation, "eval"]));
    assert!(before.contains("Network evaluation"), "{before}");
    for name in ["missing", "cut", "damaged", "foreign", "float"] {
        let after = stdout(&run(&[&load("integer"), evaluation, &load(name), "eval"]));
        let refusal = after.lines().find(|line| line.contains("keeping the old network"));
        assert!(refusal.is_some_and(|line| line.starts_with("info string setoption: EvalFile: ")), "{after}");
        let board = |text: &str| text.lines().filter(|line| !line.starts_with("info")).count();
        assert_eq!(board(&after), board(&before));
        assert_eq!(after.lines().last(), before.lines().last());
    }
}

#[test]
fn export_net_writes_the_network_in_use() {
    let folder = networks();
    let load = format!("setoption name EvalFile value {}", folder.file("integer"));
    let export = |name: &str| format!("export_net {}", folder.file(name));
    let output = stdout(&run(&[&load, &export("loaded")]));
    assert!(output.lines().any(|line| line.starts_with("info string network ")), "{output}");
    assert_eq!(fs::read(folder.file("loaded")).unwrap(), fs::read(folder.file("integer")).unwrap());
    if nnue::embedded().unwrap().is_some() {
        stdout(&run(&["export_net", &folder.file("built in")]));
        let info = |name: &str| stdout(&run(&[&format!("setoption name EvalFile value {name}"), "quit"]));
        let reloaded = info(&folder.file("built in"));
        let (_, label) = nnue::embedded().unwrap().unwrap();
        assert!(reloaded.contains(&format!("network {:016x}", label.hash)), "{reloaded}");
    }
}

#[test]
fn loaded_network_file_may_be_deleted() {
    let folder = networks();
    let mut process = command(&[]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
    writeln!(input, "setoption name EvalFile value {}\nisready", folder.file("integer")).unwrap();
    assert!(lines.any(|line| line == "readyok"));
    fs::remove_file(folder.file("integer")).unwrap();
    writeln!(input, "setoption name Evaluation value network\nucinewgame\ngo depth 3\nquit").unwrap();
    assert!(lines.any(|line| line.starts_with("bestmove ")));
    assert!(process.wait().unwrap().success());
}
