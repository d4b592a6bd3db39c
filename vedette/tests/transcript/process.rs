//! The process under test. Threads collect its output, so that nothing blocks.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How a process is started.
#[derive(Debug, Default)]
pub struct Setting {
    pub arguments: Vec<String>,
    /// KiB of stack.
    pub stack: Option<u64>,
    /// KiB of address space.
    pub memory: Option<u64>,
    pub directory: Option<String>,
}

pub struct Process {
    child: Child,
    input: Option<Input>,
    output: Option<Receiver<String>>,
    stderr: JoinHandle<String>,
}

/// Stdin behind a thread: a full pipe must not block reading.
struct Input {
    bytes: mpsc::Sender<Vec<u8>>,
    writer: JoinHandle<()>,
}

/// The result of reading.
pub enum Reading {
    Line(String),
    /// Nothing before the deadline.
    Silence,
    /// The end of output.
    End,
}

impl Process {
    /// Starts `program`.
    pub fn start(program: &str, setting: &Setting) -> std::io::Result<Process> {
        let mut command = if setting.stack.is_some() || setting.memory.is_some() {
            // The shell's `ulimit` sets limits without any unsafe code here.
            let limit = |flag: &str, size: Option<u64>| {
                size.map(|size| format!("ulimit -{flag} {size}; ")).unwrap_or_default()
            };
            let script =
                format!("{}{}exec \"$0\" \"$@\"", limit("s", setting.stack), limit("v", setting.memory));
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(script).arg(program);
            shell
        } else {
            Command::new(program)
        };
        if let Some(directory) = &setting.directory {
            command.current_dir(directory);
        }
        command.args(&setting.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;

        let input = child.stdin.take().map(Input::new);
        let stdout = child.stdout.take().expect("stdout is piped");
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                // When the case closes stdout, the pipe closes with this thread.
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut stderr = child.stderr.take().expect("stderr is piped");
        let stderr = thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stderr.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Ok(Process { child, input, output: Some(output), stderr })
    }

    /// Writes bytes, unless stdin is closed.
    pub fn write(&mut self, bytes: &[u8]) {
        if let Some(input) = &self.input {
            // Fails when the process has ended, which the case will find out by itself.
            let _ = input.bytes.send(bytes.to_vec());
        }
    }

    /// The next line of output.
    pub fn read(&mut self, deadline: Instant) -> Reading {
        let Some(output) = &self.output else { return Reading::End };
        match output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Reading::Line(line),
            Err(RecvTimeoutError::Timeout) => Reading::Silence,
            Err(RecvTimeoutError::Disconnected) => Reading::End,
        }
    }

    pub fn close_stdin(&mut self) {
        if let Some(input) = self.input.take() {
            drop(input.bytes);
            let _ = input.writer.join();
        }
    }

    pub fn close_stdout(&mut self) {
        self.output = None;
    }

    pub fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        let _ = Command::new("sh").arg("-c").arg(kill).status();
    }

    /// The exit code, once there is one.
    pub fn exit_code(&mut self, deadline: Instant) -> Option<i32> {
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status.code().unwrap_or(-1));
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Kills the process and returns its stderr.
    pub fn end(mut self) -> String {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.close_stdin();
        self.stderr.join().unwrap_or_default()
    }
}

impl Input {
    fn new(mut pipe: ChildStdin) -> Input {
        let (bytes, receiver) = mpsc::channel::<Vec<u8>>();
        let writer = thread::spawn(move || {
            for bytes in receiver {
                if pipe.write_all(&bytes).and_then(|()| pipe.flush()).is_err() {
                    return;
                }
            }
        });
        Input { bytes, writer }
    }
}
