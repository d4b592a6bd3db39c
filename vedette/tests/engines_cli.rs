//! Engines are killed with `vedette`, however it ends, and none of them crashes or blocks it. They are shell scripts.

#![cfg(unix)]

mod folder;

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use folder::Folder;

const VEDETTE: &str = env!("CARGO_BIN_EXE_vedette");

/// Timeout: long, because the machine may be busy.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Neither answers nor ends, behind a wrapper that does the same. Both write their process IDs.
const HANGS: &str = r#"
trap "" HUP INT TERM
sh -c 'trap "" HUP INT TERM; echo $$ > inner.part; mv inner.part inner; while :; do sleep 1; done' &
echo $$ > outer.part; mv outer.part outer
while :; do sleep 1; done
"#;

/// Colours the terminal and sets its title, with its name and with its move.
const ESCAPES: &str = r#"
while read -r command rest; do
  case "$command" in
    uci) printf 'id name \033]0;title\007\033[31mred\nuciok\n' ;;
    isready) echo readyok ;;
    go) printf 'bestmove e2\033[31me5\n' ;;
    quit) exit ;;
  esac
done
"#;

/// Reads nothing after `uci`.
const STOPS_READING: &str = r#"
read -r line
echo "option name Book type string default <empty>"
echo uciok
while :; do sleep 1; done
"#;

fn start(folder: &Folder, arguments: &str) -> Command {
    let mut command = Command::new(VEDETTE);
    command.args(arguments.split_whitespace()).current_dir(folder.path()).stdin(Stdio::null());
    command
}

/// A match of a script against Vedette; other options follow.
fn script_match(script: &str) -> (Folder, String) {
    let folder = Folder::new();
    std::fs::write(folder.file("engine.sh"), script).expect("a writable folder");
    let line = "match -engine cmd=/bin/sh args=engine.sh -engine proto=inprocess name=V option.Hash=1 \
                -each tc=60 -rounds 1";
    (folder, line.to_owned())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < TIMEOUT, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A process; a zombie does not count.
fn is_alive(pid: &str) -> bool {
    let listed = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().expect("ps");
    let state = text(&listed.stdout);
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// A match that waits for an engine that never answers, and the process IDs of the engine and its child.
fn hanging_match() -> (Folder, Child, [String; 2]) {
    let (folder, line) = script_match(HANGS);
    let line = format!("{line} -startup-ms 3600000");
    let runner =
        start(&folder, &line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let pids = ["outer", "inner"].map(|name| {
        wait_until("the engine starts", || folder.path().join(name).exists());
        let pid = std::fs::read_to_string(folder.file(name)).expect("a process ID").trim().to_owned();
        assert!(is_alive(&pid));
        pid
    });
    (folder, runner, pids)
}

fn send(signal: &str, process: &Child) {
    let sent = Command::new("kill").args([signal, &process.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

#[test]
fn ctrl_c_while_engines_start_ends_them() {
    let (_folder, mut runner, pids) = hanging_match();
    send("-INT", &runner);
    let status = runner.wait().expect("it ends");
    assert_eq!(status.code(), Some(130), "{status:?}");
    wait_until("the engines end", || pids.iter().all(|pid| !is_alive(pid)));
}

#[cfg(target_os = "linux")]
#[test]
fn engines_end_with_a_killed_runner() {
    let (_folder, mut runner, pids) = hanging_match();
    send("-KILL", &runner);
    assert_eq!(runner.wait().expect("it ends").signal(), Some(9));
    wait_until("the engines end", || pids.iter().all(|pid| !is_alive(pid)));
}

#[test]
fn escapes_do_not_reach_terminal_or_files() {
    let (folder, line) = script_match(ESCAPES);
    let output = start(&folder, &format!("{line} -pgnout file=games.pgn")).output().expect("it starts");
    let pgn = std::fs::read(folder.file("games.pgn")).expect("a game");
    for (what, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr), ("pgn", &pgn)] {
        assert!(!bytes.iter().any(|&byte| byte < b' ' && byte != b'\n'), "{what}: {:?}", text(bytes));
    }
    assert!(text(&output.stdout).contains("makes an illegal move: e2\u{fffd}[31me5"), "{output:?}");
}

#[test]
fn match_rejects_engine_that_stops_reading() {
    let (folder, line) = script_match(STOPS_READING);
    let long = "x".repeat(100_000);
    let line = format!("{line} -startup-ms 5000 -each option.Book={long}");
    let Output { status, stderr, .. } = start(&folder, &line).output().expect("it starts");
    let error = text(&stderr);
    assert_eq!(status.code(), Some(1), "{error}");
    assert!(error.contains("did not read its input for 5000 ms"), "{error}");
}

#[test]
fn endless_clock_is_one_error() {
    let folder = Folder::new();
    for clock in ["tc=4294967295:18446744073709549568", "tc=1e19+1e19", "st=1e19"] {
        let line = format!("match -engine proto=inprocess -engine proto=inprocess -each {clock} -rounds 1");
        let Output { status, stderr, .. } = start(&folder, &line).output().expect("it starts");
        let error = text(&stderr);
        assert_eq!(status.code(), Some(2), "{clock}: {error}");
        assert!(error.contains(&clock[3..]) && error.contains("at most 365 days"), "{error}");
        assert!(error.lines().count() <= 2, "{error}");
    }
}

/// There are not enough file descriptors for fifty games: the match fails with an error, and no engine loses a game.
#[test]
fn too_many_concurrent_games_are_refused() {
    let folder = Folder::new();
    let line = format!(
        "ulimit -n 48; exec '{VEDETTE}' match -engine cmd='{VEDETTE}' name=A -engine cmd='{VEDETTE}' name=B \
         -each nodes=1000 option.Hash=1 -rounds 100 -concurrency 50 -recover"
    );
    let run = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output();
    let Output { status, stderr, stdout } = run.expect("a shell");
    let (error, report) = (text(&stderr), text(&stdout));
    assert_eq!(status.code(), Some(1), "{error}{report}");
    assert!(error.contains("cannot play 50 concurrent games") && error.contains("-concurrency"), "{error}");
    assert!(!report.contains("disconnects"), "{report}");
}

/// There is not enough memory for two hundred games.
#[cfg(target_os = "linux")]
#[test]
fn too_many_engines_for_the_memory_are_refused() {
    let folder = Folder::new();
    let line = format!(
        "ulimit -v 1000000; exec '{VEDETTE}' match -engine proto=inprocess name=A -engine proto=inprocess name=B \
         -each nodes=1000 option.Hash=1 -rounds 1000 -concurrency 200 -recover"
    );
    let run = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output();
    let Output { status, stderr, .. } = run.expect("a shell");
    let error = text(&stderr);
    assert_eq!(status.code(), Some(1), "{error}");
    assert!(error.contains("cannot play 200 concurrent games"), "{error}");
}

#[test]
fn resumed_match_says_what_it_runs() {
    let folder = Folder::new();
    let line = format!(
        "match -engine cmd={VEDETTE} name=A -engine proto=inprocess name=B -each nodes=100 option.Hash=1 \
         -rounds 1 -maxmoves 4 -config outname=m.json"
    );
    assert!(start(&folder, &line).output().expect("it starts").status.success());
    let output = start(&folder, "match -config file=m.json -rounds 2").output().expect("it starts");
    let report = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(report.contains(&format!("Resuming A: runs {VEDETTE} option.Hash=1\n")), "{report}");
    assert!(report.contains("Resuming B: Vedette in this process option.Hash=1\n"), "{report}");
}
