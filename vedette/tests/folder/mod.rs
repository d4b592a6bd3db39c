//! A folder of its own for a test, which goes away with it. Tests of the command line share it.

use std::fs;
use std::path::PathBuf;

pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("vedette-{name}-{}", std::process::id()));
        // One of a test that was killed may be there: numbers of processes come back.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    /// The path of a file in it, as a word of a command line.
    #[allow(dead_code, reason = "some tests work inside the folder instead")]
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain path").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
