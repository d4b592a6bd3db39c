//! Runs the user's build command.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use support::files::File;

use super::RevisionError;

/// Runs `$1`. Its stdin closes with the process that waits for it: then everything is killed, also after `kill -9`.
#[cfg(unix)]
const GUARDED: &str = r#"
exec 3<&0
( read -r line <&3; kill -9 -$$ ) &
sh -c "$1" </dev/null 3<&-
status=$?
kill -9 $! 2>/dev/null
exit $status
"#;

const POLL: Duration = Duration::from_millis(20);

/// The part of the log that is searched for its last line.
const MAX_TAIL: u64 = 4096;

/// Runs a build in a work tree, with its output in a log. Returns why it failed.
///
/// # Errors
/// It was interrupted, or there is no shell.
pub(super) fn build(
    command: &str,
    tree: &Path,
    log: &Path,
    limit: Duration,
    interrupt: &AtomicBool,
) -> Result<Option<String>, RevisionError> {
    let output = std::fs::File::create(log).map_err(|error| RevisionError::file(log, &error))?;
    let errors = output.try_clone().map_err(|error| RevisionError::file(log, &error))?;
    let mut shell = shell(command);
    shell.current_dir(tree).stdin(Stdio::piped()).stdout(output).stderr(errors);
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        shell.env_remove(variable);
    }
    let mut child = shell.spawn().map_err(|error| RevisionError::Git(format!("build shell: {error}")))?;
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(None),
            Ok(Some(status)) => return Ok(Some(format!("{status}: {}", last_line(log)))),
            Ok(None) if interrupt.load(Ordering::Relaxed) => {
                end(&mut child);
                return Err(RevisionError::Interrupted);
            }
            Ok(None) if started.elapsed() > limit => {
                end(&mut child);
                return Ok(Some(format!("stopped after {} s", limit.as_secs())));
            }
            Ok(None) => thread::sleep(POLL),
            Err(error) => return Err(RevisionError::Git(format!("build shell: {error}"))),
        }
    }
}

#[cfg(unix)]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", GUARDED, "sh", command]);
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    shell
}

#[cfg(not(unix))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.args(["/C", command]);
    shell
}

/// Kills the build: on Unix the guard does it when its stdin closes.
fn end(child: &mut Child) {
    drop(child.stdin.take());
    if !cfg!(unix) {
        let _ = child.kill();
    }
    let _ = child.wait();
}

fn last_line(log: &Path) -> String {
    let mut text = Vec::new();
    if let Ok(mut file) = File::open(log) {
        let length = std::fs::metadata(log).map_or(0, |data| data.len());
        let _ = std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(length.saturating_sub(MAX_TAIL)));
        let _ = file.take(MAX_TAIL).read_to_end(&mut text);
    }
    let text = String::from_utf8_lossy(&text);
    let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no output");
    crate::stream_audit::excerpt(last.trim())
}
