//! The process of an engine and its child processes: they end together.
//!
//! Three mechanisms, each for what the one before does not reach:
//!
//! 1. The engine leads a process group of its own, and the group is killed. That reaches engines behind wrapper scripts.
//! 2. On Linux the engine's environment has a tag, which its descendants inherit; all processes with the tag are killed.
//!    That reaches processes that left the group (`setsid`, daemons).
//! 3. On Linux a guard kills all processes with a tag of this process if it exits without killing its engines: after
//!    `kill -9`, a crash, or a second Ctrl-C.

use std::io;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::Launch;

/// Time between two polls of a process that is expected to exit.
const POLL: Duration = Duration::from_millis(2);

/// `dwCreationFlags` of `CreateProcess`: Ctrl-C in the console does not reach the new process.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// The pipes of a process.
pub(super) struct Pipes {
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
}

/// A process that ends with its owner.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    #[cfg(target_os = "linux")]
    tag: String,
    /// Set once the process is reaped. From then on its ID may belong to another process.
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts `program` as `launch` says.
    pub fn start(program: &PathBuf, launch: &Launch) -> io::Result<(Self, Pipes)> {
        let mut command = Command::new(program);
        command.args(&launch.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        // In a process group of its own the engine does not get Ctrl-C: its owner decides when it ends.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, CREATE_NEW_PROCESS_GROUP);
        #[cfg(target_os = "linux")]
        let tag = super::tag::mark(&mut command);
        let mut child = command.spawn()?;
        let pipes =
            Pipes { stdin: child.stdin.take(), stdout: child.stdout.take(), stderr: child.stderr.take() };
        let process = Self {
            child,
            #[cfg(target_os = "linux")]
            tag,
            status: None,
        };
        Ok((process, pipes))
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the process has exited. It is not reaped, so that its ID stays its own.
    #[cfg(unix)]
    pub fn has_exited(&mut self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        // An error means that there is nothing to wait for.
        self.group().is_none_or(|pid| waitid(WaitId::Pid(pid), options).is_ok_and(|status| status.is_some()))
    }

    #[cfg(not(unix))]
    pub fn has_exited(&mut self) -> bool {
        self.status = self.status.or_else(|| self.child.try_wait().ok().flatten());
        self.status.is_some()
    }

    /// The exit status of a process that has exited; child processes that it left behind are killed. `None` while it runs.
    pub fn poll(&mut self) -> Option<ExitStatus> {
        if self.has_exited() { self.kill() } else { None }
    }

    /// Waits for the process to exit by itself.
    pub fn wait_until(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            let status = self.poll();
            if status.is_some() || Instant::now() >= deadline {
                return status;
            }
            std::thread::sleep(POLL);
        }
    }

    /// Kills the process and its child processes, and reaps it.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.kill_group();
            let _ = self.child.kill();
            #[cfg(target_os = "linux")]
            super::tag::kill_tagged(&self.tag);
            self.status = self.child.wait().ok();
        }
        self.status
    }

    /// The process group, until the process is reaped: after that the number may be another group's.
    #[cfg(unix)]
    fn group(&self) -> Option<rustix::process::Pid> {
        let id = i32::try_from(self.child.id()).ok().filter(|_| self.status.is_none());
        id.and_then(rustix::process::Pid::from_raw)
    }

    #[cfg(unix)]
    fn kill_group(&self) {
        if let Some(group) = self.group() {
            // An error means that no process is left.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }

    /// Without process groups only the program itself can be killed.
    #[cfg(not(unix))]
    #[allow(clippy::unused_self, reason = "on Unix it needs the child")]
    fn kill_group(&self) {}
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        let launch = Launch { arguments: vec!["-c".into(), script.into()], ..Launch::default() };
        Process::start(&"/bin/sh".into(), &launch).expect("a shell").0
    }

    #[test]
    fn reaped_process_has_no_group_to_kill() {
        let mut process = shell("exit 3");
        assert!(process.group().is_some());
        let status = process.wait_until(Instant::now() + Duration::from_mins(1)).expect("it exits");
        assert_eq!(status.code(), Some(3));
        assert!(process.group().is_none(), "its ID may be another group's now");
        assert_eq!(process.kill(), Some(status));
    }

    #[test]
    fn running_process_has_no_status() {
        let mut process = shell("while :; do sleep 1; done");
        assert_eq!((process.has_exited(), process.poll()), (false, None));
        assert_eq!(process.wait_until(Instant::now()), None);
        assert!(process.kill().is_some_and(|status| !status.success()));
    }
}
