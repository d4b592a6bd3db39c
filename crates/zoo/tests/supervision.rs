//! Engines that stop reading, leave processes behind or print what a terminal obeys.

#![cfg(unix)]

use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::tempdir;
use uci::client::{Client, ClientError, Launch};

const ZOO: &str = env!("CARGO_BIN_EXE_engine-zoo");

/// Timeout: long, because the machine may be busy.
const TIMEOUT: Duration = Duration::from_mins(2);

fn start(arguments: &[&str]) -> Client {
    let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
    Client::start(&Launch { program: ZOO.into(), arguments, directory: None }).expect("the zoo")
}

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < TIMEOUT, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a process runs; a zombie does not.
fn is_alive(pid: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !state.is_empty() && !state.contains(") Z ")
}

#[test]
fn engine_that_stops_reading_times_out() {
    let mut client = start(&["stops-reading"]);
    client.handshake(TIMEOUT).expect("uciok");
    client.limit_writes(Duration::from_millis(100));
    let long = "x".repeat(1_000_000);
    let answer = client.set_option("Book", &long);
    assert!(matches!(answer, Err(ClientError::NotReading(_))), "{answer:?}");
    // `quit` does not wait for it either.
    client.quit(Duration::from_millis(100));
}

#[cfg(target_os = "linux")]
#[test]
fn daemon_of_an_engine_ends_with_it() {
    let folder = tempdir().expect("a temporary folder");
    let file = folder.path().join("pid");
    let mut client = start(&["daemon", "0", &file.to_string_lossy()]);
    client.handshake(TIMEOUT).expect("uciok");
    wait_until("the daemon starts", || Path::new(&file).exists());
    let pid = std::fs::read_to_string(&file).expect("a process ID");
    assert!(is_alive(&pid));
    drop(client);
    wait_until("the daemon ends", || !is_alive(&pid));
}

#[test]
fn engine_text_is_printable() {
    let mut client = start(&["escapes", "0"]);
    let identity = client.handshake(TIMEOUT).expect("uciok").clone();
    let best = client.search("position startpos", "go depth 1", TIMEOUT, |_| {}).expect("a move").best;
    let lines = client.transcript().all().into_iter().map(|line| line.text);
    let texts = lines.chain([identity.name, identity.options[0].name.clone(), best.best.unwrap_or_default()]);
    for text in texts {
        assert!(!text.contains(|c: char| c.is_control() || c == '\u{202e}'), "{text:?}");
    }
}
