//! A temporary folder for tests of the command line, with a space in its name.
#![allow(dead_code, reason = "some tests work inside the folder, others name its files")]

use std::path::Path;

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
