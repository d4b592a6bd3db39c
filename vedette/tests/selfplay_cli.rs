//! `selfplay` and `data`: files, exit codes, signals.

mod folder;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use folder::Folder;

fn vedette(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vedette"));
    command.args(arguments);
    command
}

fn output(arguments: &[&str]) -> Output {
    vedette(arguments).output().expect("the program starts")
}

/// The stdout of a command that must succeed.
fn run(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is text")
}

/// The last line of stderr of a command that must fail.
fn failure(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8(output.stderr).expect("output is text").lines().last().unwrap_or_default().to_owned()
}

fn selfplay<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["selfplay", "--output", out, "--evaluation", "classical"];
    arguments.extend(["--nodes", "20", "--opening-nodes", "20", "--hash", "1"]);
    arguments.extend_from_slice(more);
    arguments
}

#[test]
fn same_options_write_the_same_bytes() {
    let folder = Folder::new();
    let [one, three, whole] = ["one.vd", "three.vd", "other.vd"].map(|name| folder.file(name));
    let summary = run(&selfplay(&one, &["--games", "6"]));
    assert!(summary.starts_with("6 games with "), "{summary}");
    run(&selfplay(&three, &["--games", "6", "--concurrency", "3"]));
    run(&selfplay(&whole, &["--games", "6", "--seed", "2"]));
    let [one, three, whole] = [one, three, whole].map(|path| fs::read(path).expect("the file is there"));
    assert_eq!(one, three);
    assert_ne!(one, whole);
}

#[test]
fn folder_gets_a_file_named_after_the_run() {
    let folder = Folder::new();
    let out = folder.file("");
    run(&selfplay(&out, &["--games", "3", "--shard", "2/3", "--seed", "9"]));
    assert!(Path::new(&folder.file("seed9-2of3.vd")).exists());
}

/// The shards of several machines, put together with `cat`, are the games of one run.
#[test]
fn shards_merge_by_concatenation() {
    let folder = Folder::new();
    let whole = folder.file("whole.vd");
    run(&selfplay(&whole, &["--games", "7"]));
    let mut merged = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let part = folder.file(&format!("part{}.vd", &shard[..1]));
        run(&selfplay(&part, &["--games", "7", "--shard", shard]));
        merged.extend(fs::read(&part).expect("the file is there"));
    }
    let joined = folder.file("joined.vd");
    fs::write(&joined, merged).expect("the file is written");
    let positions = |games: &str| {
        let text = format!("{games}.txt");
        run(&[
            "data",
            "export",
            games,
            "--format",
            "text",
            "--output",
            &text,
            "--min-ply",
            "0",
            "--checks",
            "--noisy",
        ]);
        let text = fs::read_to_string(&text).expect("the file is there");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let (one, several) = (positions(&whole), positions(&joined));
    assert!(one.len() > 50, "{} positions", one.len());
    assert_eq!(one, several);
    let audit: serde_json::Value =
        serde_json::from_str(&run(&["data", "audit", &joined, "--json"])).expect("JSON");
    assert_eq!((&audit["schema"], &audit["games"]), (&"vedette-audit/1".into(), &7.into()));
    assert_eq!(audit["damage"], serde_json::json!([]));
}

#[test]
fn summary_as_json() {
    let folder = Folder::new();
    let out = folder.file("games.vd");
    let summary: serde_json::Value =
        serde_json::from_str(&run(&selfplay(&out, &["--games", "2", "--json"]))).expect("JSON");
    assert_eq!((&summary["games"], &summary["complete"]), (&2.into(), &true.into()));
    assert!(summary["positions"].as_u64().is_some_and(|positions| positions > 0));
}

#[test]
fn nothing_is_overwritten() {
    let folder = Folder::new();
    let out = folder.file("games.vd");
    fs::write(&out, "precious").expect("the file is written");
    assert!(failure(&selfplay(&out, &["--games", "1"])).contains("--resume"));
    let message = failure(&["data", "shuffle", &out, "--output", &out]);
    assert!(message.starts_with("vedette: ") && message.contains("games.vd"), "{message}");
    assert_eq!(fs::read(&out).expect("the file is there"), b"precious");
}

fn wait_for_games(path: &str, child: &mut Child) {
    let begin = Instant::now();
    while fs::metadata(path).map_or(0, |file| file.len()) == 0 {
        assert!(child.try_wait().expect("the child can be asked").is_none(), "the run ended too soon");
        assert!(begin.elapsed() < Duration::from_mins(5), "no game reaches the file");
        sleep(Duration::from_millis(50));
    }
}

#[cfg(unix)]
#[test]
fn interrupted_run_resumes() {
    let folder = Folder::new();
    let [broken_off, whole] = ["a.vd", "b.vd"].map(|name| folder.file(name));
    let mut child = vedette(&selfplay(&broken_off, &["--positions", "1G", "--threads", "2"]))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    wait_for_games(&broken_off, &mut child);
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill is there").success());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130), "interrupted");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("--resume to continue"), "{text}");
    let games: u64 = text.split(' ').next().unwrap_or_default().replace(',', "").parse().expect("a number");
    assert!(!run(&["data", "audit", &broken_off]).contains("damage"));

    // A power cut in the middle of a game.
    let mut bytes = fs::read(&broken_off).expect("the file is there");
    bytes.truncate(bytes.len() - 7);
    fs::write(&broken_off, bytes).expect("the file is written");
    let goal = (games + 3).to_string();
    run(&selfplay(&broken_off, &["--games", &goal, "--resume"]));
    run(&selfplay(&whole, &["--games", &goal]));
    let [resumed, whole] = [&broken_off, &whole].map(|path| fs::read(path).expect("the file is there"));
    assert!(resumed == whole, "the resumed file differs from an uninterrupted one");
    let message = failure(&selfplay(&broken_off, &["--games", &goal, "--resume", "--seed", "5"]));
    assert!(message.contains("seed"), "{message}");
}

#[test]
fn data_tools_work_together() {
    let folder = Folder::new();
    let path = |name: &str| folder.file(name);
    let (games, mixed) = (path("games.vd"), path("mixed.vd"));
    run(&selfplay(&games, &["--games", "12"]));
    assert!(run(&["data", "shuffle", &games, "--output", &mixed]).starts_with("12 games"));
    let length = |path: &str| fs::metadata(path).map_or(0, |file| file.len());
    assert_eq!(length(&games), length(&mixed));

    let parts = [format!("{}=1", path("a.vd")), format!("{}=1", path("b.vd"))];
    run(&["data", "split", &mixed, "--part", &parts[0], "--part", &parts[1]]);
    assert_eq!(length(&path("a.vd")) + length(&path("b.vd")), length(&mixed));

    let both = path("both.vd");
    let kept = run(&["data", "filter", &games, &mixed, "--output", &both, "--dedup"]);
    assert_eq!(kept, "12 of 24 games kept\n");

    let (text, bullet) = (path("out.txt"), path("out.bullet"));
    let printed = run(&["data", "export", &games, "--output", &text, "--format", "text"]);
    run(&["data", "export", &games, "--output", &bullet, "--format", "bullet", "--shuffle"]);
    let lines = fs::read_to_string(&text).expect("the file is there").lines().count();
    assert!(printed.starts_with(&format!("{lines} positions from 12 games")), "{printed}");
    assert_eq!(length(&bullet), 32 * lines as u64);
}

#[test]
fn audit_writes_charts_and_can_fail() {
    let folder = Folder::new();
    let (games, page, picture) = (folder.file("games.vd"), folder.file("a.html"), folder.file("a.svg"));
    run(&selfplay(&games, &["--games", "5"]));
    assert!(run(&["data", "audit", &games, "--strict", "--chart", &page]).contains("no anomalies"));
    assert!(fs::read_to_string(&page).expect("the page is there").contains("<svg"));
    let mut bytes = fs::read(&games).expect("the file is there");
    bytes[8..24].fill(0);
    fs::write(&games, bytes).expect("the file is written");
    let text = run(&["data", "audit", &games, "--chart", &picture]);
    assert!(text.starts_with("games        4 ") && text.contains("at byte 0"), "{text}");
    assert!(fs::read_to_string(&picture).expect("the picture is there").starts_with("<svg"));
    assert!(failure(&["data", "audit", &games, "--strict"]).contains("anomalies"));
    assert!(failure(&["data", "audit", &folder.file("none.vd")]).contains("none.vd"));
}
