//! `vedette doctor bisect` and `history` on repositories that the tests make. The engine is a shell script, so that nothing is
//! compiled: it reports a line of its search unless the file `silent` is in its folder, and `compliance.lines` notices.

#![cfg(unix)]

mod folder;

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use folder::Folder;

const ENGINE: &str = r#"#!/bin/sh
here=$(dirname "$0")
while read -r line; do
    case $line in
        uci) printf 'id name Script\nid author Test\noption name Hash type spin default 1 min 1 max 8\nuciok\n' ;;
        isready) echo readyok ;;
        go*)
            [ -e "$here/silent" ] || echo "info depth 1 score cp 0 nodes 1 time 1 pv e2e4"
            echo "bestmove e2e4" ;;
        quit) exit ;;
    esac
done
"#;

/// A build that notes the commit in a file outside, fails where there is a file `broken`, and once waits forever.
const BUILD: &str = r#"
git rev-parse HEAD >> ../../../../built
if [ "$(wc -l < ../../../../built)" -eq 4 ] && [ -e ../../../../stop ]; then
    rm ../../../../stop
    echo $$ > ../../../../waiting
    sleep 1000
fi
[ ! -e broken ] && cp script engine && chmod +x engine
"#;

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=Test", "-c", "user.email=test@localhost"])
        .args(arguments)
        .current_dir(folder);
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    let output = command.output().expect("git starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn has_git() -> bool {
    let found = Command::new("git").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: no git");
    }
    found
}

/// A repository `repo` in the folder with this many commits; `change` edits the files of each. Returns the commits.
fn repository(folder: &Path, count: usize, change: impl Fn(&Path, usize)) -> Vec<String> {
    let repo = folder.join("repo");
    fs::create_dir(&repo).expect("a folder");
    git(&repo, &["init", "--quiet"]);
    fs::write(repo.join("script"), ENGINE).expect("written");
    let commit = |number: usize| {
        fs::write(repo.join("number"), number.to_string()).expect("written");
        change(&repo, number);
        git(&repo, &["add", "--all"]);
        git(&repo, &["commit", "--quiet", "--message", &format!("change {number}")]);
        git(&repo, &["rev-parse", "HEAD"])
    };
    (0..count).map(commit).collect()
}

fn set(repo: &Path, file: &str, exists: bool) {
    let path = repo.join(file);
    let _ = if exists { fs::write(path, "") } else { fs::remove_file(path) };
}

fn doctor(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vedette"));
    command.arg("doctor").args(arguments).args(["--repo", "repo", "--build", BUILD, "--engine", "engine"]);
    command.current_dir(folder);
    command
}

fn bisect(folder: &Path, arguments: &[&str]) -> Output {
    doctor(folder, &[&["bisect", "--finding", "compliance.lines"], arguments].concat())
        .output()
        .expect("it starts")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn built(folder: &Path) -> usize {
    fs::read_to_string(folder.join("built")).map_or(0, |text| text.lines().count())
}

#[test]
fn planted_commit_is_found() {
    if !has_git() {
        return;
    }
    let folder = Folder::new();
    let folder = folder.path();
    // Brought by 41; 28 to 33, where the search would look first, do not build.
    let commits = repository(folder, 64, |repo, number| {
        set(repo, "silent", number >= 41);
        set(repo, "broken", (28..34).contains(&number));
    });
    let output = bisect(folder, &["--good", &commits[0], "--json", "found.json"]);
    let shown = text(&output);
    assert!(output.status.success(), "{shown}");
    assert!(shown.contains("introduced compliance.lines") && shown.contains("change 41\n"), "{shown}");
    assert!(shown.contains("not built"), "{shown}");
    // Six halvings, two ends, and at most the six that do not build, each followed by one that is further away.
    assert!(built(folder) <= 20, "{shown}");
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("found.json")).expect("written")).expect("JSON");
    assert_eq!(json["commits"][0], commits[41].as_str());
    // Neither the user's files nor a work tree are touched.
    let repo = folder.join("repo");
    assert_eq!(git(&repo, &["status", "--short"]), "");
    assert_eq!(git(&repo, &["worktree", "list"]).lines().count(), 1);
    // Results are kept: without the good end, other commits are tried, and none is built twice.
    let again = text(&bisect(folder, &[]));
    assert!(again.contains("change 41\n"), "{again}");
    let built = fs::read_to_string(folder.join("built")).expect("built");
    let once: HashSet<&str> = built.lines().collect();
    assert_eq!(once.len(), built.lines().count(), "{built}");
    // The ends are tested too.
    let wrong = bisect(folder, &["--good", "HEAD", "--bad", &commits[0]]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong).contains("is not good"), "{}", text(&wrong));
}

#[test]
fn fixed_undecided_and_unchanged() {
    if !has_git() {
        return;
    }
    let folder = Folder::new();
    let folder = folder.path();
    let commits = repository(folder, 12, |repo, number| {
        set(repo, "silent", number < 6);
        set(repo, "broken", (5..8).contains(&number));
    });
    let output = bisect(folder, &["--good", "HEAD", "--bad", &commits[0]]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let shown = text(&output);
    assert!(shown.contains("One of these 4 commits") && shown.contains("change 8\n"), "{shown}");
    let output = bisect(folder, &["--bad", &commits[4]]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("compliance.lines fails in every revision"), "{}", text(&output));
    let unknown = bisect(folder, &["--bad", "nowhere"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown).contains("unknown revision 'nowhere'"), "{}", text(&unknown));
}

#[test]
fn killed_bisect_continues() {
    if !has_git() {
        return;
    }
    let folder = Folder::new();
    let folder = folder.path();
    let commits = repository(folder, 32, |repo, number| set(repo, "silent", number >= 9));
    fs::write(folder.join("stop"), "").expect("written");
    let arguments = ["bisect", "--finding", "compliance.lines", "--good", &commits[0]];
    let mut first =
        doctor(folder, &arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let waiting = folder.join("waiting");
    let process = loop {
        if let Some(line) = fs::read_to_string(&waiting).ok().filter(|line| line.ends_with('\n')) {
            break line.trim().to_owned();
        }
        assert!(first.try_wait().expect("known").is_none(), "it ended early");
        sleep(Duration::from_millis(20));
    };
    let second = bisect(folder, &["--good", &commits[0]]);
    assert!(text(&second).contains("another run of vedette doctor"), "{}", text(&second));
    // `kill -9`, in the middle of the fourth build.
    first.kill().expect("killed");
    first.wait().expect("ended");
    // The build ends with it.
    while Command::new("kill").args(["-0", &process]).stderr(Stdio::null()).status().expect("kill").success()
    {
        sleep(Duration::from_millis(20));
    }
    let output = bisect(folder, &["--good", &commits[0]]);
    assert!(text(&output).contains("change 9\n"), "{}", text(&output));
    let built = fs::read_to_string(folder.join("built")).expect("built");
    let (first_three, rest) = (built.lines().take(3), built.lines().skip(3));
    let twice: Vec<&str> = rest.filter(|commit| first_three.clone().any(|done| done == *commit)).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn history_has_a_table_and_a_chart() {
    if !has_git() {
        return;
    }
    let folder = Folder::new();
    let folder = folder.path();
    let commits = repository(folder, 6, |repo, number| {
        set(repo, "silent", number >= 4);
        set(repo, "broken", number == 2);
    });
    let range = format!("{}..HEAD", commits[1]);
    let arguments = ["history", &commits[0], &range, "--finding", "compliance.lines", "--chart", "h.svg"];
    let output = doctor(folder, &arguments).output().expect("it starts");
    let shown = text(&output);
    assert!(output.status.success(), "{shown}");
    let line = |number: usize| {
        let short = &commits[number][..7];
        shown
            .lines()
            .find(|line| line.starts_with(short))
            .unwrap_or_else(|| panic!("{number}: {shown}"))
            .to_owned()
    };
    assert!(line(2).contains("not built") && line(4).contains('!') && !line(3).contains('!'), "{shown}");
    assert!(!shown.contains(&commits[1][..7]), "not in the range: {shown}");
    let chart = fs::read_to_string(folder.join("h.svg")).expect("written");
    assert!(chart.starts_with("<svg ") && chart.contains("compliance.lines"), "{chart}");
    let few = doctor(folder, &[&arguments[..], &["--max", "2"]].concat()).output().expect("it starts");
    assert_eq!(text(&few).lines().filter(|line| line.contains("change")).count(), 2, "{}", text(&few));
}
