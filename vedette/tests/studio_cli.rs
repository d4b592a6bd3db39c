//! `vedette studio` from outside: two of them, and one data folder.

mod folder;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

use folder::Folder;

fn studio(folder: &Folder, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vedette"));
    command.args(["studio", "--no-open", "--data"]).arg(folder.path()).args(words);
    command
}

/// A studio that is ended when it is not needed any more.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It is gone, or it goes now.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a studio, and tells its address.
fn start(folder: &Folder) -> (Running, String) {
    let child = studio(folder, &["--port", "0"]).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut running = Running(child);
    let mut line = String::new();
    let output = running.0.stdout.as_mut().expect("piped");
    BufReader::new(output).read_line(&mut line).expect("a line");
    let (_, url) = line.trim().split_once(" at ").expect("an address");
    (running, url.to_owned())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_second_studio_leads_to_the_first_one_or_is_refused_by_its_name() {
    let folder = Folder::new();
    let (first, url) = start(&folder);
    let who = format!("{url} (process {})", first.0.id());
    let run = |words: &[&str]| -> Output { studio(&folder, words).output().expect("the program starts") };
    let second = run(&[]);
    assert!(second.status.success() && text(&second.stdout).contains(&who), "{}", text(&second.stdout));
    assert_eq!(text(&second.stdout).lines().count(), 1);
    let special = run(&["--port", "0"]);
    let said = text(&special.stderr);
    assert_eq!(special.status.code(), Some(1));
    assert!(said.contains(&who) && said.contains("--data") && said.lines().count() == 1, "{said}");
    drop(first);
    // A studio that was killed leaves no lock behind.
    drop(start(&folder));
}
