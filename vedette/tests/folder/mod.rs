//! A temporary folder for tests of the command line, with a space in its name.
#![allow(dead_code, reason = "some tests work inside the folder, others name its files")]

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::Builder::new().prefix("vedette test ").tempdir().expect("a folder for the test"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it, as an argument.
    pub fn file(&self, name: &str) -> String {
        self.path().join(name).to_str().expect("a plain path").to_owned()
    }
}

/// Runs the binary in a folder, with arguments separated by spaces.
pub fn vedette(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vedette"));
    command.current_dir(folder).args(arguments.split(' ')).output().expect("the binary starts")
}

/// The stdout of a run that must succeed.
pub fn succeed(folder: &Path, arguments: &str) -> String {
    let output = vedette(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8 output")
}
