//! A folder of its own for a test, which goes away with it. Tests of the command line share it. The blank in its name must
//! do no harm.
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

    /// The path of a file in it, as a word of a command line.
    pub fn file(&self, name: &str) -> String {
        self.path().join(name).to_str().expect("a plain path").to_owned()
    }
}
