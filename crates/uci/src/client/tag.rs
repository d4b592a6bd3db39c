//! Tags that processes inherit in their environment, to find all descendants of an engine, and a guard process that kills
//! everything with a tag when this process has exited. Linux only: it needs `/proc`.

use std::ffi::OsStr;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use support::sync::lock;

/// The variable that holds the tags. An engine that starts engines itself adds its own.
const VARIABLE: &str = "VEDETTE_ENGINE";

/// Rounds of searching for processes that were started while others were killed.
const ROUNDS: u32 = 100;

/// Waits for the end of its stdin, which closes when its parent exits, and kills all processes with the tag `$1`. It
/// searches several times, because an engine may just be starting. It is a shell script, because a copy of this process
/// would need as much memory.
const GUARD: &str = r#"
trap "" HUP INT TERM
read -r line
for round in 1 2 3; do
    for file in $(grep -lsF -e "$1" /proc/[0-9]*/environ); do
        pid=${file#/proc/}
        kill -9 "${pid%/environ}" 2>/dev/null
    done
    sleep 0.2
done
"#;

/// Gives a process that is about to start a tag of its own, and makes sure that a guard is there.
pub fn mark(command: &mut Command) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    ensure_guard();
    let tag = format!("{}{};", own_prefix(), NEXT.fetch_add(1, Ordering::Relaxed));
    let mut value = std::env::var_os(VARIABLE).unwrap_or_default();
    value.push(&tag);
    command.env(VARIABLE, value);
    tag
}

/// The prefix of all tags of this process, unique even if a process ID is reused.
fn own_prefix() -> &'static str {
    static PREFIX: OnceLock<String> = OnceLock::new();
    PREFIX.get_or_init(|| {
        // A hasher of the standard library begins with random keys.
        let random = RandomState::new().build_hasher().finish();
        format!("{}-{random:016x}:", std::process::id())
    })
}

/// Starts the guard, or another one if it was killed. Without a shell there is none, and engines are killed by their
/// owner only.
fn ensure_guard() {
    static RUNNING: Mutex<Option<Child>> = Mutex::new(None);
    let mut running = lock(&RUNNING);
    if !running.as_mut().is_some_and(|guard| matches!(guard.try_wait(), Ok(None))) {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", GUARD, "vedette-engine-guard", own_prefix()]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        *running = command.spawn().ok();
    }
}

/// Kills all processes with the tag.
pub fn kill_tagged(tag: &str) {
    for _ in 0..ROUNDS {
        let mut found = false;
        for pid in processes() {
            // The descriptor refers to the process, not to its number: if it has exited, nothing is killed. Kernels
            // before 5.3 have none.
            let process = pidfd_open(pid, PidfdFlags::empty()).ok();
            if has_tag(pid, tag) {
                let killed = process.map_or_else(
                    || kill_process(pid, Signal::KILL),
                    |process| pidfd_send_signal(process, Signal::KILL),
                );
                found |= killed.is_ok();
            }
        }
        if !found {
            return;
        }
        // They need a moment to exit.
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn processes() -> impl Iterator<Item = Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

/// Whether a process was started with the tag. A zombie has no environment.
fn has_tag(pid: Pid, tag: &str) -> bool {
    let environment = std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|entry| {
        let tags =
            entry.strip_prefix(VARIABLE.as_bytes()).map(|value| OsStr::from_bytes(value).to_string_lossy());
        tags.is_some_and(|tags| tags.contains(tag))
    })
}
