//! `vedette studio` from outside: two of them with one data folder, the browser that it opens, and private files.

mod folder;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use folder::Folder;

fn studio(folder: &Folder, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vedette"));
    command.args(["studio", "--data"]).arg(folder.path().join("data")).args(words);
    command
}

/// A running studio, killed on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a studio; returns its URL as well.
fn start(folder: &Folder) -> (Running, String) {
    start_command(&mut studio(folder, &["--port", "0", "--no-open"]))
}

fn start_command(command: &mut Command) -> (Running, String) {
    let child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
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
fn second_studio_opens_or_names_the_first() {
    let folder = Folder::new();
    let (first, url) = start(&folder);
    let who = format!("{url} (process {})", first.0.id());
    let run = |words: &[&str]| -> Output { studio(&folder, words).output().expect("the program starts") };
    let second = run(&["--no-open"]);
    assert!(second.status.success() && text(&second.stdout).contains(&who), "{}", text(&second.stdout));
    assert_eq!(text(&second.stdout).lines().count(), 1);
    let special = run(&["--no-open", "--port", "0"]);
    let said = text(&special.stderr);
    assert_eq!(special.status.code(), Some(1));
    assert!(said.contains(&who) && said.contains("--data") && said.lines().count() == 1, "{said}");
    drop(first);
    // A studio that was killed leaves no lock behind.
    drop(start(&folder));
}

/// The answer to a GET request for a URL, with this cookie.
fn get(url: &str, cookie: &str) -> String {
    let rest = url.strip_prefix("http://").expect("a URL");
    let (host, path) = rest.split_once('/').expect("a path");
    let mut stream = TcpStream::connect(host).expect("the studio listens");
    let request =
        format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    text(&answer)
}

#[test]
fn printed_url_is_accepted() {
    let folder = Folder::new();
    let (_running, url) = start(&folder);
    let (page, token) = url.split_once("?token=").expect("a token");
    assert_eq!(token.len(), 32, "{url}");
    let port = page.rsplit_once(':').expect("a port").1.trim_end_matches('/');
    let welcome = get(&url, "");
    let cookie = format!("vedette-token-{port}={token}");
    assert!(welcome.starts_with("HTTP/1.1 303") && welcome.contains(&cookie), "{welcome}");
    assert!(get(&format!("{page}access"), &cookie).ends_with("true"));
    assert!(get(&format!("{page}access"), "").ends_with("false"));
    assert!(get(page, &cookie).starts_with("HTTP/1.1 200"));
}

/// Waits for something that must come; the machine may be busy.
#[cfg(unix)]
fn wait_for<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let limit = Instant::now() + Duration::from_mins(1);
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(Instant::now() < limit, "no {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

/// All files and folders under a folder.
#[cfg(unix)]
fn all_under(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|path| {
            let inside = if path.is_dir() { all_under(&path) } else { Vec::new() };
            [vec![path], inside].concat()
        })
        .collect()
}

/// A program in place of the real one, first in the path.
#[cfg(unix)]
fn put_program(folder: &Path, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join(name), format!("#!/bin/sh\n{script}\n")).expect("writable");
    fs::set_permissions(folder.join(name), PermissionsExt::from_mode(0o755)).expect("ours");
}

/// A studio whose browser writes its process id and its arguments into a file.
#[cfg(target_os = "linux")]
fn with_browser(folder: &Folder, words: &[&str]) -> Command {
    let programs = folder.path().join("programs");
    put_program(&programs, "xdg-open", r#"printf '%s\n' "$$" "$@" > "$SEEN.new" && mv "$SEEN.new" "$SEEN""#);
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = studio(folder, words);
    command.env("PATH", format!("{}:{path}", programs.display())).env("SEEN", folder.path().join("seen"));
    command.env("HOME", folder.path());
    command
}

/// The browser's process id, and its only argument.
#[cfg(target_os = "linux")]
fn opened(folder: &Folder) -> (u32, std::path::PathBuf) {
    let seen = folder.path().join("seen");
    let said = wait_for("browser", || fs::read_to_string(&seen).ok());
    fs::remove_file(seen).expect("there");
    let lines: Vec<&str> = said.lines().collect();
    let [id, page] = lines[..] else { panic!("{said}") };
    (id.parse().expect("a number"), page.into())
}

/// Every user of a machine can see the arguments of all processes.
#[cfg(target_os = "linux")]
#[test]
fn token_is_not_in_the_browsers_arguments() {
    let folder = Folder::new();
    let (running, url) = start_command(&mut with_browser(&folder, &[]));
    let (_, token) = url.split_once("?token=").expect("a token");
    let (browser, page) = opened(&folder);
    assert!(!page.display().to_string().contains(token), "{}", page.display());
    assert!(fs::read_to_string(&page).expect("it is there").contains(&format!("url={url}\"")));
    assert_eq!(mode(&page), 0o600);
    // A process that is not waited for becomes a zombie.
    wait_for("end of the browser", || (!Path::new(&format!("/proc/{browser}")).exists()).then_some(()));
    // A second studio opens the first one's page.
    let second = with_browser(&folder, &[]).output().expect("the program starts");
    assert!(second.status.success() && text(&second.stdout).contains(&url), "{}", text(&second.stdout));
    assert_eq!(opened(&folder).1, page);
    drop(running);
}

/// A browser that is a snap cannot read hidden folders, where the data folder usually is.
#[cfg(target_os = "linux")]
#[test]
fn page_for_a_snap_is_where_it_can_read_it() {
    let folder = Folder::new();
    let common = folder.path().join("snap/firefox/common");
    fs::create_dir_all(&common).expect("a folder");
    put_program(&folder.path().join("programs"), "xdg-settings", "echo firefox_firefox.desktop");
    let (_running, _) = start_command(&mut with_browser(&folder, &[]));
    let (_, page) = opened(&folder);
    assert_eq!(page.parent(), Some(common.as_path()));
    assert_eq!(mode(&page), 0o600);
}

#[cfg(unix)]
#[test]
fn engines_are_added_listed_and_removed() {
    let folder = Folder::new();
    let data = folder.path().join("data");
    let engine = |words: &[&str]| -> (bool, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vedette"));
        let output =
            command.arg("engine").args(words).arg("--data").arg(&data).env("PATH", "").env("HOME", "");
        let output = output.output().expect("the program starts");
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    };
    let with_command = |words: &[&str], command: &[&str]| {
        let mut line = Command::new(env!("CARGO_BIN_EXE_vedette"));
        let line = line.args(["engine", "--data"]).arg(&data).args(words).args(command);
        let output = line.output().expect("the program starts");
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    };
    let own = env!("CARGO_BIN_EXE_vedette");
    let (done, said, error) = with_command(&["add", "Rival"], &[own, "uci"]);
    assert!(done && said.starts_with("Added Rival (Vedette"), "{said} {error}");
    let (done, _, error) = with_command(&["add", "Rival"], &[own]);
    assert!(!done && error.contains("there is an engine 'Rival' already"), "{error}");
    // What is no UCI engine is not added, unless it must be.
    let (done, _, error) = with_command(&["add", "Nobody"], &["/no/such/program"]);
    assert!(!done && error.contains("/no/such/program") && error.contains("--force"), "{error}");
    assert!(with_command(&["add", "--force", "Nobody"], &["/no/such/program"]).0);
    let (_, list, _) = engine(&["list"]);
    let lines: Vec<&str> = list.lines().collect();
    assert!(
        lines[0].starts_with("Rival") && lines[0].contains("added") && lines[0].ends_with("uci"),
        "{list}"
    );
    assert!(lines[1].starts_with("Nobody"), "{list}");
    assert!(engine(&["remove", "Nobody"]).0);
    let (done, _, error) = engine(&["remove", "Nobody"]);
    assert!(!done && error.contains("no engine 'Nobody' was added"), "{error}");
    assert!(!engine(&["list"]).1.contains("Nobody"));
}

#[test]
fn files_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let data = folder.path().join("data");
    fs::create_dir(&data).expect("a folder");
    fs::set_permissions(&data, PermissionsExt::from_mode(0o755)).expect("ours");
    let (_running, _) = start(&folder);
    assert_eq!(mode(&data), 0o700);
    for path in all_under(&data) {
        assert_eq!(mode(&path) & 0o077, 0, "{}", path.display());
    }
}
